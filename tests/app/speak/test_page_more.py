"""Marks, presets in the voice's language, more settings and redoing, by keyboard and mouse on the real page."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QTextCursor
from PySide6.QtWidgets import QApplication, QMenu

from app.speak.take import Part
from app.speak.tuning import Tuning
from app.theme import apply_theme, current_theme
from tests.app.speak.test_page import PageRoom, room  # noqa: F401 - the fixture
from tests.app.speak.test_take_files import made

if TYPE_CHECKING:
    from collections.abc import Iterator

CONTROL = Qt.KeyboardModifier.ControlModifier


def actions(menu: QMenu) -> Iterator[QAction]:
    """All acts of a menu and of the menus in it."""
    for action in menu.actions():
        inner = action.menu()
        yield from actions(inner) if isinstance(inner, QMenu) else (action,)


def choose(menu: QMenu, words: str) -> None:
    next(action for action in actions(menu) if action.text() == words).trigger()


def test_marks_go_where_they_belong_and_undo_takes_them_back(room: PageRoom) -> None:  # noqa: F811
    record = room.save_voice("Mario")
    box = room.page.text_box
    box.show_text("One. Two.\n\nThree. Four.")
    cursor = box.textCursor()
    cursor.setPosition(len("One. Two.\n\nThree. "))
    box.setTextCursor(cursor)
    choose(room.page.mark_menu.menu, "Pause of 2 s")
    choose(room.page.mark_menu.menu, record.name)
    expected = "One. Two.\n\n[voice: Mario] Three. [pause: 2 s] Four."
    assert box.toPlainText() == expected
    assert room.presenter.choices.text == expected
    assert box.hasFocus()
    box.undo()
    box.undo()
    assert box.toPlainText() == "One. Two.\n\nThree. Four."


def test_a_text_taken_over_can_be_undone(room: PageRoom) -> None:  # noqa: F811
    room.type("My long work")
    room.add_takes(1)
    room.presenter.use_settings(made(1).id)
    assert room.page.text_box.toPlainText() == made().text
    room.page.text_box.undo()
    assert room.page.text_box.toPlainText() == "My long work"
    assert room.presenter.choices.text == "My long work"


def test_a_preset_taken_over_can_be_undone(room: PageRoom) -> None:  # noqa: F811
    field = room.page.style_box.field
    field.setFocus()
    room.qtbot.keyClicks(field, "my own words")
    choose(room.page.style_box.menu, "Calm")
    field.undo()
    assert field.text() == "my own words"
    assert room.presenter.choices.style == "my own words"


def test_presets_are_in_the_chosen_language_and_used_ones_come_first(room: PageRoom) -> None:  # noqa: F811
    room.presenter.choose_language("german")
    room.presenter._tell_all()
    choose(room.page.style_box.menu, "Calm")
    assert room.presenter.choices.style == "Sprich ruhig und gleichmäßig, entspannt und ohne Eile."
    assert [style for style in room.page.mark_menu.menu.actions() if style.text() == "Style of this paragraph"]
    choose(room.page.mark_menu.menu, "Whisper")
    assert room.page.text_box.toPlainText().startswith("[style: Flüstere leise")
    room.page.style_box.show_presets("german", ("my & own",))
    shown = [action.text() for action in room.page.style_box.menu.actions()]
    assert shown[:2] == ["Used before", "my && own"]


def test_marks_are_painted_in_the_colours_of_either_theme(room: PageRoom) -> None:  # noqa: F811
    box = room.page.text_box
    box.show_text("So [pause: 1 s] it goes")
    app = QApplication.instance()
    assert isinstance(app, QApplication)
    for ground in ("light", "dark"):
        apply_theme(app, ground)
        wanted = current_theme().color("accent").name()
        room.wait(lambda wanted=wanted: _painted(box.document().firstBlock()) == [(3, 12, wanted)])  # type: ignore[misc]


def test_more_is_shown_kept_and_reset(room: PageRoom) -> None:  # noqa: F811
    page = room.page
    assert not page.more_box.isVisible()
    room.qtbot.mouseClick(page.more_button, Qt.MouseButton.LeftButton)
    assert page.more_box.isVisible()
    assert room.presenter.choices.more
    page.more_box.speed.setValue(1.25)
    page.more_box.fields["top_k"].setValue(40)
    page.more_box.best_of.setValue(6)
    assert room.presenter.choices.tuning == Tuning(speed=1.25, top_k=40)
    assert page.talk_bar.best_button.text() == "Best of 6"
    room.qtbot.mouseClick(page.more_box.reset_button, Qt.MouseButton.LeftButton)
    assert room.presenter.choices.tuning == Tuning()
    assert room.presenter.choices.best_of == 6
    assert page.more_box.fields["top_k"].text() == "Model's own"


def test_a_paragraph_is_chosen_with_the_keyboard(room: PageRoom) -> None:  # noqa: F811
    parts = (Part(0, 100, "First & foremost.", 7, "preset:ryan", ""), Part(200, 100, "Second.", 7, "preset:ryan", ""))
    room.presenter.takes.next_number()
    room.presenter.takes.add(made(1, parts=parts), is_on_disk=False)
    room.wait_files()
    takes = room.page.take_list
    takes.go_to(made(1).id)
    menu = takes.redo_menu()
    assert menu is not None
    assert [action.text() for action in menu.actions()] == ["1  First && foremost.", "2  Second."]
    asked: list[tuple[str, int]] = []
    takes.redo_asked.disconnect()
    takes.redo_asked.connect(lambda take_id, index: asked.append((take_id, index)))
    menu.actions()[1].trigger()
    assert asked == [(made(1).id, 1)]
    menu.deleteLater()
    room.presenter.takes.add(made(2), is_on_disk=False)
    takes.go_to(made(2).id)
    assert takes.redo_menu() is None  # one paragraph: another seed does the same
    room.wait_files()


@pytest.mark.usefixtures("ends_early")
def test_the_measured_style_stands_under_the_field_until_it_is_another(room: PageRoom) -> None:  # noqa: F811
    box = room.page.style_box
    assert not box.measure_button.isEnabled()
    room.type("Hello there.")
    box.field.setFocus()
    room.qtbot.keyClicks(box.field, "angry")
    assert box.measure_button.isEnabled()
    room.qtbot.mouseClick(box.measure_button, Qt.MouseButton.LeftButton)
    assert not box.measure_button.isEnabled()
    room.wait(lambda: "semitones" in box.reason.text() or "pitch not found" in box.reason.text())
    room.wait(box.measure_button.isEnabled)
    assert box.why.isVisible()
    room.qtbot.keyClicks(box.field, "!")
    assert not box.why.isVisible()
    room.wait_files()


def test_the_smallest_window_cuts_nothing_off(room: PageRoom) -> None:  # noqa: F811
    """With everything open, what does not fit can be scrolled to."""
    page = room.page
    room.presenter.show_more(True)
    page._show_choices()
    page.resize(780, 560)
    room.qtbot.waitUntil(lambda: page._work.verticalScrollBar().maximum() > 0)
    inner = page._work.widget()
    assert inner.height() >= inner.minimumSizeHint().height()
    assert inner.width() >= inner.minimumSizeHint().width()


def _painted(block: object) -> list[tuple[int, int, str]]:
    found = block.layout().formats()  # type: ignore[attr-defined]
    return [(one.start, one.length, one.format.foreground().color().name()) for one in found]


def test_the_cursor_of_a_pause_stays_in_its_line(room: PageRoom) -> None:  # noqa: F811
    box = room.page.text_box
    box.show_text("One two")
    cursor = box.textCursor()
    cursor.movePosition(QTextCursor.MoveOperation.NextWord)
    box.setTextCursor(cursor)
    box.insert_mark("[pause: 1 s]")
    assert box.toPlainText() == "One [pause: 1 s] two"
