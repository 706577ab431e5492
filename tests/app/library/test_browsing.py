"""Grid and list, the filter by model, what fits, what is heard in passing, what is inside: as a person does it."""

from __future__ import annotations

from dataclasses import dataclass

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QApplication

import engine
from app.library.export_dialog import ExportDialog
from app.library.inspector import InspectorDialog
from app.library.page import LibraryPage
from app.settings.settings import Settings
from app.settings.table import LIBRARY_VIEW, PREVIEW_ON_HOVER
from app.store import Query, VoiceDetails, records
from app.theme import apply_theme
from tests.app.helpers import made_voice, voice_file
from tests.app.library.conftest import Room
from tests.app.library.test_presenter import FakePlayer, sound_file

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@dataclass(frozen=True)
class Model:
    """What the library asks of a model's summary."""

    label: str
    width: int


@pytest.fixture
def heard(qtbot):
    room = Room(qtbot, FakePlayer())
    yield room
    room.close()


@pytest.fixture
def settings(tmp_path, room):
    settings = Settings(tmp_path / "settings.json", room.messages)
    yield settings
    settings.close()


@pytest.fixture
def shown(qtbot, settings):
    """Opens the page over a room."""

    def open_page(room):
        apply_theme(QApplication.instance(), "dark")
        page = LibraryPage(room.presenter, settings)
        qtbot.addWidget(page)
        page.resize(1060, 700)
        page.show()
        qtbot.waitExposed(page)
        room.start()
        return page

    return open_page


def place(page, row):
    return page.list.visualRect(page.list.voices.index(row))


def test_the_grid_is_remembered_and_keeps_the_voice_looked_at(shown, room, settings):
    room.add(*"ABCDEFG")
    page = shown(room)
    room.presenter.select(room.presenter.records[4].id)
    assert place(page, 1).top() > place(page, 0).top()
    page.filters.grid_button.click()
    assert settings.get(LIBRARY_VIEW) == "grid"
    assert page.list.currentIndex().row() == 4
    assert place(page, 1).top() == place(page, 0).top()
    again = LibraryPage(room.presenter, settings)
    assert again.list.is_grid
    again.deleteLater()


def test_keys_in_the_grid(shown, room, qtbot):
    room.add(*"ABCDEFGHIJ")
    page = shown(room)
    page.filters.grid_button.click()
    columns = sum(place(page, row).top() == place(page, 0).top() for row in range(10))
    assert columns > 1
    for key, row in (
        (Qt.Key.Key_Right, 1),
        (Qt.Key.Key_Down, 1 + columns),
        (Qt.Key.Key_Left, columns),
        (Qt.Key.Key_Up, 0),
        (Qt.Key.Key_End, 9),
    ):
        qtbot.keyClick(page.list, key)
        assert page.list.currentIndex().row() == row, key
    assert room.presenter.current.name == room.presenter.records[9].name
    with qtbot.waitSignal(room.presenter.preview_requested) as asked:
        qtbot.keyClick(page.list, Qt.Key.Key_Space)
    assert asked.args == [room.presenter.records[9].id]
    qtbot.keyClick(page.list, Qt.Key.Key_F2)
    (editor,) = page.list.viewport().findChildren(type(page.filters.search_field))
    qtbot.keyClicks(editor, "Luigi")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: room.presenter.current.name == "Luigi")


def test_of_a_thousand_cards_only_those_in_sight_are_drawn(shown, room):
    room.library.open()
    with room.library._writing() as connection:
        for number in range(1000):
            details = VoiceDetails.of(made_voice(number), f"Voice {number:04}")
            records.insert(connection, records.new_record(details, details.name, f"{details.name}.bin", 256))
    page = shown(room)
    page.filters.grid_button.click()
    page.list.scrollToBottom()
    page.list.grab()
    assert 0 < len(page.list.cards._pictures) < 60


def test_voices_are_narrowed_by_the_size_of_their_model(shown, room):
    room.add("Small", width=1024)
    room.add("Large", width=2048)
    page = shown(room)
    box = page.filters.model_box
    assert [box.itemText(row) for row in range(box.count())] == ["All models", "0.6B models", "1.7B models"]
    box.setCurrentIndex(2)
    assert room.names() == ["Large"]
    assert room.presenter.query == Query(width=2048)
    room.presenter.delete([room.presenter.current.id])
    room.settle()
    assert box.currentText() == "1.7B models"
    page.filters.clear()
    assert room.names() == ["Small"]


def test_a_voice_tells_whether_a_model_for_it_is_here(shown, room):
    room.add("Small", width=1024)
    room.add("Large", width=2048)
    page = shown(room)
    spoken = Qt.ItemDataRole.AccessibleTextRole
    assert [page.list.voices.index(row).data(spoken).split(", ")[-1] for row in (0, 1)] == ["1.7B", "0.6B"]
    room.presenter.set_models([Model("0.6B CustomVoice", 1024), Model("0.6B Base", 1024)])
    assert [page.list.voices.index(row).data(spoken).split(", ")[-1] for row in (0, 1)] == ["Needs 1.7B", "Fits 0.6B"]
    assert page.details._fits.text() == "1.7B models, of which none is here. Fetch one in the room Models."
    room.presenter.select(room.presenter.records[1].id)
    assert page.details._fits.text() == "0.6B CustomVoice, 0.6B Base"
    room.presenter.set_models([])
    assert "none is here" in page.details._fits.text()


def test_the_pointer_plays_when_it_rests_if_that_is_wanted(shown, heard, settings, qtbot, tmp_path):
    for record in heard.add("Anna", "Mario"):
        heard.library.set_preview(record.id, sound_file(tmp_path / "take.wav"))
    page = shown(heard)
    first, second = (record.id for record in heard.presenter.records)
    with qtbot.waitSignal(page.list.rested_on) as rested:
        qtbot.mouseMove(page.list.viewport(), place(page, 0).center())
    assert rested.args == [first]
    assert heard.presenter.previews.playing_id == ""  # off unless asked for
    settings.set(PREVIEW_ON_HOVER, True)
    qtbot.mouseMove(page.list.viewport(), place(page, 1).center())
    qtbot.waitUntil(lambda: heard.presenter.previews.playing_id == second)
    qtbot.mouseMove(page.list.viewport(), place(page, 0).center())
    assert heard.presenter.previews.playing_id != second
    qtbot.waitUntil(lambda: heard.presenter.previews.playing_id == first)
    qtbot.mouseMove(page.list.viewport(), QPoint(100, page.list.viewport().height() - 5))
    assert heard.presenter.previews.playing_id == ""


def test_what_is_heard_already_is_not_broken_off_in_passing(heard, tmp_path):
    anna, mario = heard.add("Anna", "Mario")
    for record in (anna, mario):
        heard.library.set_preview(record.id, sound_file(tmp_path / "take.wav"))
    heard.start()
    heard.presenter.toggle_play(anna.id)
    heard.presenter.hear_in_passing(mario.id)
    heard.presenter.pass_on(mario.id)
    assert heard.presenter.previews.playing_id == anna.id


def test_what_is_inside_a_file_is_what_the_command_prints(shown, room, qtbot):
    room.library.save(made_voice(3, name="Mario", transcript="Hello.", language="german"), "Mario", "light")
    page = shown(room)
    with qtbot.waitSignal(room.presenter.inspected):
        page.details._inspect.click()
    dialog = page.findChild(InspectorDialog)
    found = engine.inspect_voice(room.library.file_of(room.presenter.current))
    facts = [dialog.facts.itemAt(row, dialog.facts.ItemRole.FieldRole).widget().text() for row in range(3)]
    assert facts == [words for _, words in engine.inspection_facts(found)][:3]
    assert [dialog.table.item(0, column).text() for column in range(3)] == ["voice vector", "0", "256"]
    dialog.copy()
    assert QGuiApplication.clipboard().text() == engine.inspection_table(found)
    dialog.accept()


def test_a_damaged_file_is_refused_in_one_line(shown, room):
    (mario,) = room.add("Mario")
    page = shown(room)
    room.library.file_of(mario).write_bytes(b"QVCE")
    page.details._inspect.click()
    room.settle()
    assert page.findChild(InspectorDialog) is None
    assert "Mario.bin" in room.messages.last.text


def test_a_bundle_goes_out_and_comes_back(shown, room, monkeypatch, tmp_path):
    (mario,) = room.add("Mario")
    room.library.set_preview(mario.id, sound_file(tmp_path / "take.wav"))
    page = shown(room)
    monkeypatch.setattr("app.library.page.QFileDialog.getSaveFileName", lambda *_: (str(tmp_path / "gift"), ""))
    page.choose_export()
    dialog = page.findChild(ExportDialog)
    assert not dialog.cards["standard"].isEnabled()
    dialog.cards["bundle"].click()
    dialog.accept()
    room.settle()
    assert room.messages.last.text == f"Saved gift.qvbundle (bundle) in {tmp_path}."
    room.presenter.take_in([tmp_path / "gift.qvbundle"])
    room.settle()
    assert room.names() == ["Mario (2)", "Mario"] or sorted(room.names()) == ["Mario", "Mario (2)"]
    copied = next(record for record in room.presenter.records if record.name == "Mario (2)")
    assert room.library.preview_of(copied).is_file()


def test_closing_the_export_dialog_ends_its_measuring(shown, room):
    room.add("Mario")
    page = shown(room)
    page.choose_export()
    dialog = page.findChild(ExportDialog)
    sizes = dialog._sizes
    dialog.reject()
    assert sizes.task.cancel.cancelled
    room.settle()


def test_one_sound_dropped_here_goes_to_the_new_voice(room, qtbot, tmp_path):
    room.start()
    with qtbot.waitSignal(room.presenter.new_voice_from) as asked:
        room.presenter.take_in([sound_file(tmp_path / "take.wav")])
    assert asked.args == [tmp_path / "take.wav"]
    assert room.messages.texts() == []


@pytest.mark.parametrize("name", ["voice.bin", "voice.qvoice", "voice.qvbundle", "voice.pt"])
def test_a_pickle_never_runs(room, tmp_path, name):
    """Many programs keep voices as pickles, which run code when they are loaded."""
    marker = tmp_path / "it ran"

    class Trap:
        def __reduce__(self):
            return (open, (str(marker), "w"))

    import pickle

    (tmp_path / name).write_bytes(pickle.dumps(Trap()))
    room.start()
    room.presenter.take_in([tmp_path / name])
    room.settle()
    assert not marker.exists()
    assert name in room.messages.last.text
    assert room.names() == []


def test_the_trash_has_a_button_that_empties_it(shown, room, qtbot):
    room.add("Anna", "Mario")
    page = shown(room)
    assert not page.empty_button.isVisible()
    room.presenter.delete([room.presenter.current.id])
    room.settle()
    page.filters.trash_button.setChecked(True)
    qtbot.mouseClick(page.empty_button, Qt.MouseButton.LeftButton)
    (remove,) = (b for b in QApplication.activeModalWidget().findChildren(QAbstractButton) if "for good" in b.text())
    remove.click()
    room.settle()
    assert room.presenter.in_trash == 0
    assert not page.empty_button.isVisible()


def test_voices_of_both_sizes_come_in_and_say_so(room, tmp_path):
    room.start()
    files = [voice_file(tmp_path / f"{width}.bin", width=width) for width in (1024, 2048)]
    room.presenter.take_in(files)
    room.settle()
    assert room.presenter.widths == [1024, 2048]
