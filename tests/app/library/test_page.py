"""The library page, driven as a person drives it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QLibraryInfo, QMimeData, QPoint, QPointF, Qt, QUrl, QVersionNumber
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent, QDropEvent
from PySide6.QtWidgets import QAbstractButton, QApplication, QComboBox, QFileDialog, QLineEdit, QPlainTextEdit

from app.library.export_dialog import ExportDialog
from app.library.page import LibraryPage
from app.store import Query, Sort, VoiceDetails, records
from app.theme import apply_theme
from tests.app.helpers import made_voice, voice_file

# Said by Qt's offscreen platform of every window that has a smallest size; no other platform says it.
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def shown(room, qtbot):
    """Opens the page over a room that was filled."""

    def open_page(*names, **fields):
        room.add(*names, **fields)
        apply_theme(QApplication.instance(), "dark")
        page = LibraryPage(room.presenter)
        qtbot.addWidget(page)
        page.resize(960, 640)
        page.show()
        qtbot.waitExposed(page)
        room.start()
        return page

    return open_page


def rows(page):
    return [page.list.voices.index(row).data() for row in range(page.list.voices.rowCount())]


def test_an_empty_library_shows_one_sentence_and_two_buttons(shown, room, qtbot):
    page = shown()
    assert page.empty.isVisible()
    assert not page.list.isVisible()
    visible = [button.text() for button in page.findChildren(QAbstractButton) if button.isVisible()]
    assert visible == ["Record a voice", "Import a voice file…"]
    with qtbot.waitSignal(room.presenter.record_requested):
        qtbot.mouseClick(page.empty.record_button, Qt.MouseButton.LeftButton)


def test_before_the_library_is_read_it_does_not_look_empty(room, qtbot):
    page = LibraryPage(room.presenter)
    qtbot.addWidget(page)
    page.show()
    assert not page.empty.isVisible()
    room.start()
    assert page.empty.isVisible()


def test_voices_are_listed_and_the_first_is_shown_at_the_right(shown):
    page = shown("Anna", "Mario", language="german", reference_seconds=12.5)
    assert rows(page) == ["Mario", "Anna"]
    assert page.details._name.text() == "Mario"
    assert page.details._tier.text() == "Light · 256 B"
    assert page.details.language_box.currentText() == "German"
    assert page._count.text() == "2 voices"


def test_typing_narrows_the_list_and_escape_clears(shown, room, qtbot):
    page = shown("Anna", "Mario", "Marion")
    qtbot.keyClicks(page.filters.search_field, "mar")
    assert rows(page) == ["Marion", "Mario"]
    assert page._count.text() == "2 of 3 voices"
    qtbot.keyClicks(page.filters.search_field, "zzz")
    assert page.nothing.isVisible()
    qtbot.keyClick(page.filters.search_field, Qt.Key.Key_Escape)
    assert rows(page) == ["Marion", "Mario", "Anna"]
    qtbot.keyClicks(page.filters.search_field, "zzz")
    qtbot.mouseClick(page.nothing.clear_button, Qt.MouseButton.LeftButton)
    assert not room.presenter.query.narrows


def test_filters_and_order(shown, room):
    page = shown("Zoë", language="french")
    room.add("Anna", language="german")
    room.presenter.refresh()
    room.settle()
    page.filters.language_box.setCurrentIndex(page.filters.language_box.findText("German"))
    assert rows(page) == ["Anna"]
    page.filters.language_box.setCurrentIndex(0)
    page.filters.order_box.setCurrentIndex(page.filters.order_box.findText("By name"))
    assert rows(page) == ["Anna", "Zoë"]
    page.filters.tier_box.setCurrentIndex(page.filters.tier_box.findText("WDELTA"))
    assert rows(page) == []
    assert room.presenter.query == Query(tier="wdelta", sort=Sort.NAME)


def test_keys_on_the_list(shown, room, qtbot):
    page = shown("Anna", "Mario")
    mario = room.presenter.current
    with qtbot.waitSignal(room.presenter.preview_requested) as played:
        qtbot.keyClick(page.list, Qt.Key.Key_Space)
    with qtbot.waitSignal(room.presenter.speak_with) as spoken:
        qtbot.keyClick(page.list, Qt.Key.Key_Return)
    assert (played.args, spoken.args) == ([mario.id], [mario.id])
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    assert room.presenter.current.name == "Anna"
    assert page.details._name.text() == "Anna"


def test_f2_renames_in_the_list(shown, room, qtbot):
    page = shown("Mario")
    page.list.setFocus()
    qtbot.keyClick(page.list, Qt.Key.Key_F2)
    (editor,) = page.list.viewport().findChildren(QLineEdit)
    assert editor.selectedText() == "Mario"
    qtbot.keyClicks(editor, "Luigi")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: rows(page) == ["Luigi"])
    assert page.details._name.text() == "Luigi"


def test_delete_moves_on_and_undo_brings_back(shown, room, qtbot):
    page = shown("Anna", "Mario")
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    room.settle()
    assert rows(page) == ["Anna"]
    assert page.details._name.text() == "Anna"
    assert page.filters.trash_button.text() == "Trash (1)"
    room.messages.run_last_action()
    room.settle()
    assert rows(page) == ["Mario", "Anna"]
    assert not page.filters.trash_button.isVisible()


def test_the_last_voice_deleted_leads_to_the_first_page_with_its_trash(shown, room, qtbot):
    page = shown("Mario")
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    room.settle()
    assert page.empty.isVisible()
    qtbot.mouseClick(page.empty.trash_button, Qt.MouseButton.LeftButton)
    assert rows(page) == ["Mario"]
    assert page._count.text() == "1 voice in the trash, 256 B, deleted for good after 30 days"
    assert page.details.restore_button.isVisible()
    assert not page.details.speak_button.isVisible()
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)  # nothing to delete twice
    qtbot.mouseClick(page.details.restore_button, Qt.MouseButton.LeftButton)
    room.settle()
    page.filters.trash_button.setChecked(False)
    assert rows(page) == ["Mario"]


def test_several_selected_are_deleted_together(shown, room, qtbot):
    page = shown("Anna", "Mario", "Zoë")
    page.list.selectAll()
    qtbot.keyClick(page.list, Qt.Key.Key_Delete)
    room.settle()
    assert room.messages.last.text == "Deleted 3 voices."


def test_tags_and_notes_are_kept_when_the_cursor_leaves(shown, room, qtbot):
    page = shown("Mario")
    qtbot.keyClicks(page.details.tags_field, "deep, podcast")
    qtbot.keyClick(page.details.tags_field, Qt.Key.Key_Return)
    page.details.notes_field.setFocus()
    qtbot.keyClicks(page.details.notes_field, "From home")
    page.details.keep_edits()
    room.settle()
    record = room.presenter.current
    assert (record.tags, record.notes) == (("deep", "podcast"), "From home")


def test_what_is_being_typed_survives_news_of_the_same_voice(shown, room, qtbot):
    page = shown("Mario")
    qtbot.keyClicks(page.details.notes_field, "half a sent")
    room.presenter.set_language(room.presenter.current.id, "german")
    room.settle()
    assert page.details.notes_field.text() == "half a sent"
    assert page.details.language_box.currentText() == "German"


def test_notes_typed_for_one_voice_never_land_on_the_next(shown, room, qtbot):
    page = shown("Anna", "Mario")
    mario = room.presenter.current.id
    qtbot.keyClicks(page.details.notes_field, "of Mario")
    qtbot.keyClick(page.list, Qt.Key.Key_Down)
    room.settle()
    assert room.presenter.find(mario).notes == "of Mario"
    assert room.presenter.current.notes == ""
    assert page.details.notes_field.text() == ""


def test_notes_being_typed_when_the_studio_closes_are_kept(shown, room, qtbot):
    page = shown("Mario")
    mario = room.presenter.current.id
    qtbot.keyClicks(page.details.notes_field, "the last words")
    page.shut_down()
    room.lane.close()
    assert room.library.get(mario).notes == "the last words"


def test_choosing_a_language(shown, room):
    page = shown("Mario")
    place = page.details.language_box.findText("Japanese")
    page.details.language_box.setCurrentIndex(place)
    page.details.language_box.activated.emit(place)
    room.settle()
    assert room.presenter.current.language == "japanese"


def drag(page, kind, data):
    rest = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    whole = kind is QDragEnterEvent and QLibraryInfo.version() < QVersionNumber(6, 12)
    event = kind(QPoint(100, 100) if whole else QPointF(100, 100), *rest)
    QApplication.sendEvent(page, event)
    return event


def files(*paths):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return data


def test_files_dropped_on_the_page_are_taken_in(shown, room, tmp_path):
    page = shown()
    file = voice_file(tmp_path / "Ännchen.bin", 3)
    assert drag(page, QDragEnterEvent, files(file)).isAccepted()
    assert page._veil.isVisible()
    QApplication.sendEvent(page, QDragLeaveEvent())
    assert not page._veil.isVisible()
    drag(page, QDragEnterEvent, files(file))
    drag(page, QDropEvent, files(file))
    assert not page._veil.isVisible()
    room.settle()
    assert rows(page) == ["Ännchen"]


def test_words_dragged_over_the_page_are_not_taken(shown):
    page = shown()
    data = QMimeData()
    data.setText("only words")
    drag(page, QDragEnterEvent, data)
    assert not page._veil.isVisible()


def test_import_by_key(shown, room, qtbot, tmp_path, monkeypatch):
    page = shown("Mario")
    file = voice_file(tmp_path / "Anna.bin", 3)
    monkeypatch.setattr(QFileDialog, "getOpenFileNames", lambda *_: ([str(file)], ""))
    page.choose_files()
    room.settle()
    assert rows(page) == ["Anna", "Mario"]
    assert page.folder == tmp_path


@pytest.mark.parametrize("typed", ["copy", "copy.bin", "copy.qvoice", "v1.2"])
def test_export_gives_the_file_its_suffix(shown, room, qtbot, tmp_path, monkeypatch, typed):
    page = shown("Mario")
    asked = []

    def answer(_parent, _title, start, kinds):
        asked.append((start, kinds))
        return str(tmp_path / typed), kinds

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    page.choose_export()
    dialog = page.findChild(ExportDialog)
    room.settle()
    assert dialog.cards["light"]._figure.text() == "256 B"
    qtbot.mouseClick(dialog.place_button, Qt.MouseButton.LeftButton)
    room.settle()
    assert asked[0][0].endswith("Mario.bin")
    assert asked[0][1] == "Light (*.bin)"
    expected = "v1.2.bin" if typed == "v1.2" else "copy.bin"
    assert (tmp_path / expected).stat().st_size == 256


def test_pressing_the_picture_plays(shown, room, qtbot):
    page = shown("Anna", "Mario")
    area = page.list.rows.picture_area(page.list.visualRect(page.list.voices.index(1)))
    with qtbot.waitSignal(room.presenter.preview_requested) as asked:
        qtbot.mouseClick(page.list.viewport(), Qt.MouseButton.LeftButton, pos=area.center())
    assert asked.args == [room.presenter.records[1].id]


def test_a_thousand_voices_scroll_and_search(shown, room, qtbot):
    room.library.open()
    with room.library._writing() as connection:
        for number in range(1000):
            details = VoiceDetails.of(made_voice(number, width=1024), f"Voice {number:04}")
            records.insert(connection, records.new_record(details, details.name, f"{details.name}.bin", 4096))
    page = shown()
    assert page.list.voices.rowCount() == 1000
    page.list.scrollToBottom()
    page.list.grab()
    assert len(page.list.rows._pictures) < 60  # only what is seen is drawn
    qtbot.keyClicks(page.filters.search_field, "0777")
    assert rows(page) == ["Voice 0777"]


def test_pictures_differ_between_voices_and_the_themes_change_them(shown, qtbot):
    page = shown("Anna", "Mario")
    page.list.grab()
    images = [picture.toImage() for picture in page.list.rows._pictures.values()]
    assert len(images) == 2
    assert images[0] != images[1]
    apply_theme(QApplication.instance(), "light")
    page.list.grab()
    assert len(page.list.rows._pictures) == 4


def test_every_control_has_a_name(shown):
    page = shown("Mario")
    for kind in (QAbstractButton, QLineEdit, QComboBox, QPlainTextEdit):
        for widget in page.findChildren(kind):
            if widget.focusPolicy() != Qt.FocusPolicy.NoFocus:
                spoken = widget.accessibleName() or (widget.text() if isinstance(widget, QAbstractButton) else "")
                assert spoken, widget
    spoken = page.list.voices.index(0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "Mario, Light, 256 B, test model"
