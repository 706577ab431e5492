from __future__ import annotations

import json
import subprocess
import sys

import pytest

from app.messages import Level
from app.settings import SETTINGS, Settings, table
from tests.app.helpers import MessageRecorder


@pytest.fixture
def messages(qtbot):
    return MessageRecorder()


@pytest.fixture
def file(tmp_path):
    return tmp_path / "config" / "settings.json"


def write(file, text):
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def test_defaults_are_valid_and_rows_have_words():
    for row in SETTINGS:
        assert row.read(row.default) == row.default
        assert row.text
    assert len({row.name for row in SETTINGS}) == len(SETTINGS)


def test_what_was_chosen_is_there_the_next_time(file, messages):
    first = Settings(file, messages)
    first.set(table.THEME, "dark")
    first.set(table.INPUT_DEVICE, "Mikrofon «Größe»")
    first.set(table.MODEL_FOLDERS, ("/models/a", "/models/b"))
    first.set(table.COUNTDOWN_SECONDS, 5)
    first.close()
    second = Settings(file, messages)
    assert second.get(table.THEME) == "dark"
    assert second.get(table.INPUT_DEVICE) == "Mikrofon «Größe»"
    assert second.get(table.MODEL_FOLDERS) == ("/models/a", "/models/b")
    assert second.get(table.COUNTDOWN_SECONDS) == 5
    assert messages.texts() == []


def test_a_change_is_told_once_and_saved_by_itself(file, messages, qtbot):
    settings = Settings(file, messages)
    told = []
    settings.changed.connect(lambda name, value: told.append((name, value)))
    settings.set(table.THEME, "light")
    settings.set(table.THEME, "light")
    assert told == [("theme", "light")]
    qtbot.waitUntil(file.exists)
    assert json.loads(file.read_text(encoding="utf-8")) == {"theme": "light"}


def test_saving_goes_through_the_lane_it_was_given(file, messages, qtbot):
    queued = []
    settings = Settings(file, messages, run_behind=queued.append)
    settings.set(table.THEME, "light")
    qtbot.waitUntil(lambda: len(queued) == 1)
    assert not file.exists()
    queued[0]()
    assert file.exists()


@pytest.mark.parametrize(
    ("row", "value"),
    [
        (table.THEME, "purple"),
        (table.COUNTDOWN_SECONDS, True),
        (table.COUNTDOWN_SECONDS, 4),
        (table.MODEL_FOLDERS, ("a", 1)),
        (table.WINDOW_GEOMETRY, "not base64!"),
    ],
)
def test_a_wrong_value_is_refused_with_the_reason(file, messages, row, value):
    settings = Settings(file, messages)
    with pytest.raises(ValueError, match=f"{row.name} cannot be .*must be"):
        settings.set(row, value)
    assert settings.get(row) == row.default


@pytest.mark.parametrize("text", ["{", "", "[1, 2]", "\x00\x01", '"theme"'])
def test_a_broken_file_is_kept_and_defaults_are_used(file, messages, text):
    write(file, text)
    settings = Settings(file, messages)
    assert settings.get(table.THEME) == "system"
    assert messages.last.level is Level.WARNING
    assert str(file) in messages.last.text
    assert file.with_name("settings.json.bad").read_text(encoding="utf-8") == text


def test_one_wrong_value_costs_only_itself(file, messages):
    write(file, '{"theme": "purple", "countdown_seconds": 5}')
    settings = Settings(file, messages)
    assert settings.get(table.THEME) == "system"
    assert settings.get(table.COUNTDOWN_SECONDS) == 5
    assert "theme (it must be one of system, dark, light)" in messages.last.text
    assert "purple" in file.with_name("settings.json.bad").read_text(encoding="utf-8")


def test_settings_of_a_newer_version_survive_this_one(file, messages):
    write(file, '{"from_the_future": {"deep": 1}, "theme": "dark"}')
    settings = Settings(file, messages)
    settings.set(table.THEME, "light")
    settings.close()
    assert json.loads(file.read_text(encoding="utf-8")) == {"from_the_future": {"deep": 1}, "theme": "light"}


def test_a_place_that_cannot_be_written_is_said_not_raised(tmp_path, messages):
    (tmp_path / "config").write_text("a file, not a folder", encoding="utf-8")
    settings = Settings(tmp_path / "config" / "settings.json", messages)
    settings.set(table.THEME, "dark")
    settings.save()
    assert "could not be saved" in messages.texts(Level.WARNING)[-1]


def test_importing_settings_pulls_in_nothing_heavy():
    heavy = ("torch", "numpy", "PySide6.QtWidgets")
    code = f"import sys, app.settings; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
