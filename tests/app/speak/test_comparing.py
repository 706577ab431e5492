"""A against B at equal loudness; takes out of the studio, one by one, all, and by dragging."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from app.speak.comparing import equal_gain, speech_level
from app.speak.export_dialog import ExportDialog
from app.speak.exporting import free_path, name_by
from tests.app.speak.test_take_files import made

if TYPE_CHECKING:
    from tests.app.speak.conftest import Room


def add(room: Room, number: int, loudness: float) -> str:
    samples = (loudness * np.sin(np.arange(48_000) / 20)).astype(np.float32)
    take = made(number, samples=samples, seconds=2.0)
    room.presenter.takes.add(take, is_on_disk=False)
    room.wait_files()
    return take.id


def test_levels_count_speech_only() -> None:
    tone = (0.5 * np.sin(np.arange(24_000) / 20)).astype(np.float32)
    with_pauses = np.concatenate((np.zeros(24_000, np.float32), tone, np.zeros(24_000, np.float32)))
    assert speech_level(with_pauses) == pytest.approx(speech_level(tone), rel=0.01)
    assert speech_level(np.zeros(24_000, np.float32)) == 0.0
    assert speech_level(np.zeros(0, np.float32)) == 0.0
    assert equal_gain(0.2, 0.1) == pytest.approx(0.5)
    assert equal_gain(0.0, 0.1) == 1.0


def test_one_key_goes_from_a_to_b_at_equal_loudness(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    loud, soft = add(room, 1, 0.8), add(room, 2, 0.2)
    comparing, played = room.presenter.comparing, []
    monkeypatch.setattr(
        room.presenter.listening, "play", lambda take, start, gain: played.append((take.id, start, round(gain, 3)))
    )
    comparing.switch()
    assert played == []  # there are not two yet
    comparing.mark("A", loud)
    comparing.mark("B", soft)
    assert comparing.sides == {loud: "A", soft: "B"}
    comparing.switch()
    monkeypatch.setattr(type(room.presenter.listening), "heard_id", property(lambda _: loud))
    room.presenter.listening.moved.emit(1.25)
    comparing.switch()
    assert played == [(loud, 0.0, 0.25), (soft, 1.25, 1.0)]
    comparing.mark("A", soft)
    assert comparing.sides == {soft: "A", loud: "B"}  # they change places
    room.presenter.takes.delete(loud)
    assert comparing.sides == {soft: "A"}


def test_names_by_pattern() -> None:
    take = replace(
        made(7, text="What / is: this? And more words than fit a name."), voice_name="Mario", seed=9, style="sad"
    )
    assert name_by("{voice} - {words}", take) == "Mario - What _ is_ this_ And more"
    assert name_by("{number}_{seed}_{style}", take) == "007_9_sad"
    assert name_by("{unknown} {voice}", take) == "{unknown} Mario"
    assert name_by("../{voice}", take).count("/") == 0


def test_no_file_is_written_over(tmp_path: Path) -> None:
    (tmp_path / "a.wav").write_bytes(b"")
    (tmp_path / "a (2).wav").write_bytes(b"")
    assert free_path(tmp_path, "a", ".wav").name == "a (3).wav"


@pytest.mark.parametrize("ending", [".wav", ".flac", ".mp3", ".ogg"])
def test_all_takes_are_exported_and_say_that_they_are_synthetic(room: Room, tmp_path: Path, ending: str) -> None:
    for number in (1, 2):
        add(room, number, 0.5)
    room.presenter.export_all(room.presenter.takes.all, tmp_path, "{voice} {seed}", ending)
    room.wait(lambda: any("Saved 2 takes" in text for text in room.said))
    files = sorted(tmp_path.iterdir())
    assert len(files) == 2
    for file in files:
        with soundfile.SoundFile(file) as sound:
            assert "synthetic voice" in sound.artist.lower()
            assert "seed" in sound.comment
            assert sound.samplerate == 24_000


def test_the_dialog_shows_a_name_and_counts(room: Room, tmp_path: Path, qtbot) -> None:
    first = add(room, 1, 0.5)
    add(room, 2, 0.5)
    room.presenter.toggle_star(first)
    from PySide6.QtWidgets import QWidget

    parent = QWidget()
    qtbot.addWidget(parent)
    dialog = ExportDialog(room.presenter.takes.all, tmp_path, parent)
    assert dialog.export_button.text() == "Export 2 takes"
    dialog.starred_box.setChecked(True)
    assert dialog.export_button.text() == "Export 1 take"
    dialog.pattern_field.setText("x{number}")
    dialog.format_box.setCurrentIndex(1)
    assert "x001.flac" in dialog._example.text()
    dialog.accept()
    assert [take.id for take in dialog.chosen] == [first]


def test_a_dragged_take_is_a_file_with_a_name(room: Room) -> None:
    add(room, 1, 0.5)
    take = room.presenter.takes.all[0]
    file = room.presenter.drag_file(take)
    assert file is not None
    assert file.suffix == ".wav"
    assert take.voice_name in file.name
    samples, _ = soundfile.read(file, dtype="float32")
    np.testing.assert_array_equal(samples, take.samples)
    with soundfile.SoundFile(file) as sound:
        assert "Synthetic voice" in sound.comment


def test_a_take_that_is_pressed_is_made_ready_to_be_dragged(room: Room) -> None:
    take_id = add(room, 1, 0.5)
    room.presenter.prepare_drag(take_id)
    room.wait_files()
    (ready,) = room.studio.places.cache.glob("dragged/*/*.wav")
    written = ready.stat().st_mtime_ns
    assert room.presenter.drag_file(room.presenter.takes.all[0]) == ready
    assert ready.stat().st_mtime_ns == written  # dragging waits for no writing
    ready.unlink()
    ready.parent.rmdir()
    ready.parent.touch()  # in the way
    assert room.presenter.drag_file(room.presenter.takes.all[0]) is None


def test_the_keys_of_the_list(qtbot, qapp) -> None:
    from app.speak.take_list import TakeList
    from app.theme import apply_theme

    apply_theme(qapp, "dark")
    takes = TakeList()
    qtbot.addWidget(takes)
    takes.show_takes([made(1)])
    takes.show()
    takes.activateWindow()
    takes.setFocus()
    qtbot.waitUntil(takes.hasFocus)
    asked: list[tuple[str, ...]] = []
    takes.mark_asked.connect(lambda side, take_id: asked.append((side, take_id)))
    takes.switch_asked.connect(lambda: asked.append(("switch",)))
    for key in (Qt.Key.Key_A, Qt.Key.Key_B, Qt.Key.Key_X):
        QTest.keyClick(takes, key)
    assert asked == [("A", made(1).id), ("B", made(1).id), ("switch",)]
