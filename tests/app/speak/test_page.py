"""The page: everything with the keyboard, everything with a name, and what it shows."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPoint, Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QFileDialog,
    QStyleOptionViewItem,
    QWidget,
)

import resources
from app.speak.offer import voice_key
from app.speak.page import SpeakPage
from app.speak.take_list import TakeList
from app.work import StallMeter
from tests.app.speak.conftest import PACE, Room
from tests.app.speak.test_take_files import made

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.studio import Studio

LONG = "A long text that takes a good while to say, sentence after sentence. " * 4


class PageRoom(Room):
    def __init__(self, qtbot: QtBot, studio: Studio, page: SpeakPage) -> None:
        super().__init__(qtbot, studio, page.presenter)
        self.page = page

    def type(self, text: str) -> None:
        self.page.text_box.setFocus()
        self.qtbot.keyClicks(self.page.text_box, text)

    def press(self, key: Qt.Key, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        focus = QApplication.focusWidget()
        assert focus is not None
        self.qtbot.keyClick(focus, key, modifier)

    def add_takes(self, count: int) -> None:
        for number in range(1, count + 1):
            self.presenter.takes.next_number()
            self.presenter.takes.add(made(number), is_on_disk=False)
        self.wait_files()


@pytest.fixture
def room(qtbot: QtBot, studio: Studio) -> PageRoom:
    page = SpeakPage(studio)
    qtbot.addWidget(page, before_close_func=lambda _: room.finish())
    page.resize(1000, 720)
    with qtbot.waitExposed(page):
        page.show()
    page.enter()
    room = PageRoom(qtbot, studio, page)
    room.wait(lambda: page.presenter.is_loaded and page.presenter.takes.is_loaded)
    page.activateWindow()  # no window manager does it on the tests' own screen
    qtbot.waitUntil(page.isActiveWindow)
    return room


@pytest.mark.usefixtures("never_ends")
def test_type_speak_and_stop_with_the_keyboard_alone(room: PageRoom) -> None:
    page = room.page
    assert not page.talk_bar.speak_button.isEnabled()
    assert page.talk_bar.words.text() == "Type something to say."
    room.type("Hello there")
    assert page.talk_bar.speak_button.isEnabled()
    page.text_box.show_text(LONG)
    page.presenter.set_text(LONG)
    page.presenter.set_seed(2)
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert page.presenter.is_speaking
    assert page.talk_bar.stop_button.isEnabled()
    room.wait(lambda: page.presenter.talk.run is not None and page.presenter.talk.run.source.frames > 0)
    assert PACE.search(page.talk_bar.words.text())
    room.press(Qt.Key.Key_Escape)
    room.wait(lambda: not page.presenter.is_speaking)
    assert page.take_list.takes.rowCount() == 1
    assert page.text_box.toPlainText() == LONG  # Ctrl+Enter put no line into it


def test_what_is_pasted_is_plain(room: PageRoom) -> None:
    mime = QMimeData()
    mime.setHtml("<b>bold</b><img src='x.png'>")
    mime.setText("bold\r\nand plain")
    room.page.text_box.insertFromMimeData(mime)
    assert room.page.text_box.toPlainText() == "bold\nand plain"
    assert room.presenter.choices.text == "bold\nand plain"


def test_the_counter_follows(room: PageRoom) -> None:
    room.type("x" * 14)
    room.wait(lambda: room.page.text_box.counter.text() == "14 characters · ≈ 1.0 s")
    room.page.text_box.setPlainText("word " * 1000)
    room.wait(lambda: room.page.text_box.counter.text().startswith("A long text is spoken in parts"))


def test_the_style_box_says_why_and_offers_the_model_that_obeys(room: PageRoom) -> None:
    record = room.save_voice("Mario")
    room.presenter.choose_voice(voice_key(record.id))
    room.choose("base")
    box = room.page.style_box
    assert not box.field.isEnabled()
    assert not box.presets_button.isEnabled()
    assert box.why.isVisible()
    assert box.reason.text().startswith("Base models clone voices")
    room.qtbot.mouseClick(box.better_button, Qt.MouseButton.LeftButton)
    assert box.field.isEnabled()
    assert not box.why.isVisible()
    assert room.presenter.model is not None
    assert room.presenter.model.folder == resources.path("test_model", "custom_voice")


def test_a_style_preset_can_be_taken_and_edited(room: PageRoom) -> None:
    box = room.page.style_box
    calm = next(action for action in box.menu.actions() if action.text() == "Calm")
    calm.trigger()
    assert box.field.text().startswith("Speak calmly")
    box.field.setText("")
    box.field.setFocus()
    room.qtbot.keyClicks(box.field, "whisper")
    assert room.presenter.choices.style == "whisper"
    box.field.clear()
    assert room.presenter.choices.style == ""


def test_a_typed_seed_is_locked_and_used_at_once(room: PageRoom) -> None:
    room.page.text_box.show_text(LONG)
    room.presenter.set_text(LONG)
    field = room.page.seed_box.field
    field.setFocus()
    field.selectAll()
    room.qtbot.keyClicks(field, "4711")
    room.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)  # without leaving the field
    assert room.presenter.is_speaking
    assert room.presenter.choices.seed == 4711
    assert room.page.seed_box.lock_button.isChecked()
    room.presenter.stop()


def test_takes_with_the_keyboard(room: PageRoom) -> None:
    room.add_takes(3)
    takes = room.page.take_list
    takes.setFocus()
    takes.go_to(made(3).id)
    room.press(Qt.Key.Key_S)
    assert room.presenter.takes.all[0].star
    room.press(Qt.Key.Key_Down)
    room.press(Qt.Key.Key_Delete)
    assert [take.number for take in room.presenter.takes.all] == [3, 1]
    message = room.studio.messages.history[-1]
    assert message.text == "Deleted take 2."
    assert message.action is not None
    message.action.run()
    assert [take.number for take in room.presenter.takes.all] == [3, 2, 1]
    assert [takes.takes.take(takes.takes.index(row)).number for row in range(3)] == [3, 2, 1]  # type: ignore[union-attr]
    takes.go_to(made(1).id)
    room.press(Qt.Key.Key_Return)
    assert room.page.text_box.toPlainText() == made().text
    room.press(Qt.Key.Key_Space)
    assert room.presenter.listening.heard_id == made(1).id
    room.press(Qt.Key.Key_Escape)
    assert room.presenter.listening.heard_id == ""


def test_takes_with_the_mouse(room: PageRoom) -> None:
    room.add_takes(2)
    takes = room.page.take_list
    index = takes.takes.index(0)
    option = takes.rows.places(_option(takes, index))

    def press(point: QPoint) -> None:
        room.qtbot.mouseClick(takes.viewport(), Qt.MouseButton.LeftButton, pos=point)

    press(option.parts["star"].center())
    assert room.presenter.takes.all[0].star
    press(option.parts["play"].center())
    assert room.presenter.listening.heard_id == made(2).id
    press(option.parts["play"].center())
    assert room.presenter.listening.heard_id == ""
    wave = option.parts["wave"]
    press(QPoint(wave.left() + wave.width() // 2, wave.center().y()))
    assert room.presenter.listening.heard_id == made(2).id
    assert room.studio.player.position_seconds == pytest.approx(0.75, abs=0.02)
    press(option.parts["delete"].center())
    assert [take.number for take in room.presenter.takes.all] == [1]
    assert room.studio.player.state == "stopped"


def test_export_asks_with_a_good_name(room: PageRoom, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    room.add_takes(1)
    asked: list[str] = []

    def answer(_parent: QWidget, _title: str, start: str, kinds: str) -> tuple[str, str]:
        asked.append(start)
        return str(tmp_path / "x.wav"), next(kind for kind in kinds.split(";;") if "flac" in kind)

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    room.page.take_list.setFocus()
    room.press(Qt.Key.Key_E, Qt.KeyboardModifier.ControlModifier)
    room.wait(lambda: (tmp_path / "x.flac").exists())
    assert Path(asked[0]).name == "Ünal - Grüße, 世界! 🎙.wav"
    room.wait_files()


def test_a_take_keeps_the_cursor_where_it_was_when_others_come(room: PageRoom) -> None:
    room.add_takes(3)
    takes = room.page.take_list
    takes.go_to(made(2).id)
    room.presenter.takes.set_star(made(3).id, True)
    assert takes.current is not None
    assert takes.current.number == 2
    room.presenter.delete(made(3).id)
    assert takes.current.number == 2


def test_nothing_to_speak_with_teaches_the_first_step(room: PageRoom) -> None:
    page = room.page
    room.studio.shelf._set_entries(tuple(entry for entry in room.studio.shelf.entries if entry.summary.can_clone))  # type: ignore[union-attr]
    assert page.no_voice.isVisible()
    with room.qtbot.waitSignal(page.new_voice_requested):
        room.qtbot.mouseClick(page.new_voice_button, Qt.MouseButton.LeftButton)
    record = room.save_voice("Mario")
    page.speak_with(record.id)
    assert not page.no_voice.isVisible()
    assert page.pickers.voice_box.currentText() == "Mario"


def test_every_control_has_a_name(room: PageRoom) -> None:
    nameless = [
        widget
        for kind in (QAbstractButton, QComboBox, QAbstractSpinBox)
        for widget in room.page.findChildren(kind)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus and not widget.accessibleName() and not _text(widget)
    ]
    assert nameless == []
    assert room.page.text_box.accessibleName()
    assert room.page.take_list.accessibleName()
    room.add_takes(1)
    model = room.page.take_list.takes
    spoken = model.data(model.index(0), Qt.ItemDataRole.AccessibleTextRole)
    assert spoken.startswith("Take 1, 1.5 seconds, Grüße")


@pytest.mark.usefixtures("never_ends")
def test_the_window_does_not_stand_still_while_it_speaks(room: PageRoom) -> None:
    room.add_takes(40)
    room.page.text_box.show_text(LONG)
    room.presenter.set_text(LONG)
    room.qtbot.wait(200)
    room.presenter.set_seed(2)
    meter = StallMeter()
    meter.start()
    room.presenter.speak()
    room.wait(lambda: room.presenter.talk.run is not None and room.presenter.talk.run.seconds > 2.0)
    room.presenter.stop()
    room.wait(lambda: not room.presenter.is_speaking)
    longest_ms = meter.stop()
    print(f"longest stall while speaking: {longest_ms:.1f} ms")
    assert longest_ms < 250  # the machine is shared; blocking on the model would cost seconds


def _text(widget: QWidget) -> str:
    return widget.text() if isinstance(widget, QAbstractButton) else ""


def _option(view: TakeList, index: QModelIndex) -> QStyleOptionViewItem:
    option = QStyleOptionViewItem()
    option.initFrom(view)
    option.rect = view.visualRect(index)
    option.font = view.font()
    return option
