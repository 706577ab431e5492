"""The list of takes with its keys: space plays, S stars, Enter takes over the settings, Delete deletes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QMimeData, QModelIndex, QPoint, Qt, QUrl, Signal
from PySide6.QtGui import QDrag, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QListView, QMenu, QWidget

from app.commands.acts import add_act
from app.icons import icon
from app.speak.take import Take
from app.speak.take_model import TakeModel
from app.speak.take_rows import TakeRows

if TYPE_CHECKING:
    from app.speak.comparing import Side


_SHOWN = 60  # characters of a paragraph in the menu


class TakeList(QListView):
    """Shows takes, and tells what a person wants done with one.

    `file_of` gives the file that a dragged take is, in another program.

    Signals: each with the id of a take. `wave_pressed` also with the share of the take, 0 to 1; `mark_asked` after the
    side, "A" or "B"; `redo_asked` with the place of a paragraph, from 0; `drag_near` when one is pressed;
    `switch_asked` with nothing: hear the other one of the two.
    """

    play_asked = Signal(str)
    wave_pressed = Signal(str, float)
    star_asked = Signal(str)
    export_asked = Signal(str)
    reuse_asked = Signal(str)
    delete_asked = Signal(str)
    drag_near = Signal(str)
    redo_asked = Signal(str, int)
    mark_asked = Signal(str, str)
    switch_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.takes = TakeModel()
        self.rows = TakeRows(self)
        self.setModel(self.takes)
        self.setItemDelegate(self.rows)
        self.setAccessibleName("Takes")
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._show_menu)
        self._signals = {
            "star": self.star_asked,
            "play": self.play_asked,
            "export": self.export_asked,
            "reuse": self.reuse_asked,
            "delete": self.delete_asked,
        }
        self.rows.pressed.connect(lambda part, take_id: self._signals[part].emit(take_id))
        self.rows.wave_pressed.connect(self.wave_pressed)
        self.pressed.connect(self._note_press)
        self.setMinimumHeight(120)
        self.setDragEnabled(True)
        self.setDragDropMode(QAbstractItemView.DragDropMode.DragOnly)
        self.file_of: Callable[[Take], Path | None] = lambda _: None
        add_act(self, "Say a paragraph of the take anew", self._show_redo, "R")
        add_act(self, "Compare: make this take A", lambda: self._mark("A"), "A")
        add_act(self, "Compare: make this take B", lambda: self._mark("B"), "B")
        add_act(self, "Compare: hear the other one", self.switch_asked.emit, "X")

    @property
    def current(self) -> Take | None:
        return self.takes.take(self.currentIndex())

    def show_takes(self, takes: Sequence[Take]) -> None:
        self.takes.set_takes(takes)

    def go_to(self, take_id: str) -> None:
        """Put the cursor on a take and bring it into view."""
        row = self.takes.row_of(take_id)
        if row >= 0:
            self.setCurrentIndex(self.takes.index(row))
            self.scrollTo(self.takes.index(row))

    def show_sides(self, sides: dict[str, Side]) -> None:
        """Mark what is compared."""
        self.rows.sides = sides
        self.viewport().update()

    def startDrag(self, _actions: Qt.DropAction) -> None:  # noqa: N802
        """The take as a file, for another program; here it stays."""
        take = self.current
        file = None if take is None else self.file_of(take)
        if file is None:
            return
        mime = QMimeData()
        mime.setUrls([QUrl.fromLocalFile(str(file))])
        drag = QDrag(self)
        drag.setMimeData(mime)
        drag.setPixmap(icon("file-audio").pixmap(32, 32))
        drag.exec(Qt.DropAction.CopyAction)

    def _note_press(self, index: QModelIndex) -> None:
        take = self.takes.take(index)
        if take is not None:
            self.drag_near.emit(take.id)

    def _mark(self, side: Side) -> None:
        if self.current is not None:
            self.mark_asked.emit(side, self.current.id)

    def show_heard(self, take_id: str, seconds: float) -> None:
        """Mark the take that is heard and how far; only its own row is painted again."""
        before, self.rows.heard_id = self.rows.heard_id, take_id
        self.rows.heard_seconds = seconds
        for changed in {before, take_id} - {""}:
            self.viewport().update(self.visualRect(self.takes.index(self.takes.row_of(changed))))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        take = self.current
        if take is None:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Space and not event.modifiers():
            self.play_asked.emit(take.id)
        elif event.key() == Qt.Key.Key_S and not event.modifiers():
            self.star_asked.emit(take.id)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not _with_control(event):
            self.reuse_asked.emit(take.id)
        elif event.matches(QKeySequence.StandardKey.Delete) or event.key() == Qt.Key.Key_Backspace:
            self.delete_asked.emit(take.id)
        else:
            super().keyPressEvent(event)

    def menu_for(self, take: Take) -> QMenu:
        """Everything that can be done with a take, with its key."""
        menu = QMenu(self)
        playing = take.id == self.rows.heard_id
        _add(menu, "square" if playing else "play", "Stop\tSpace" if playing else "Play\tSpace", self.play_asked, take)
        _add(menu, "star", "Remove the star\tS" if take.star else "Star\tS", self.star_asked, take)
        menu.addSeparator()
        for side in ("A", "B"):
            menu.addAction(f"Compare as {side}\t{side}", partial(self.mark_asked.emit, side, take.id))
        menu.addSeparator()
        _add(menu, "download", "Export…\tCtrl+E", self.export_asked, take)
        _add(menu, "sliders-horizontal", "Use its settings\tEnter", self.reuse_asked, take)
        if len(take.parts) > 1:
            self._add_redo(menu.addMenu(icon("refresh-cw"), "Say a paragraph anew\tR"), take)
        menu.addSeparator()
        _add(menu, "trash-2", "Delete\tDel", self.delete_asked, take)
        return menu

    def redo_menu(self) -> QMenu | None:
        """The paragraphs of the take under the cursor, to choose the one that is said anew; None for a single one."""
        take = self.current
        if take is None or len(take.parts) < 2:
            return None
        menu = QMenu(self)
        self._add_redo(menu, take)
        menu.aboutToHide.connect(menu.deleteLater)
        return menu

    def _add_redo(self, menu: QMenu, take: Take) -> None:
        for index, part in enumerate(take.parts):
            words = " ".join(part.text.split())
            shown = (words if len(words) <= _SHOWN else f"{words[:_SHOWN]}…").replace("&", "&&")
            menu.addAction(f"{index + 1}  {shown}", partial(self.redo_asked.emit, take.id, index))

    def _show_redo(self) -> None:
        menu = self.redo_menu()
        if menu is not None:
            menu.popup(self.viewport().mapToGlobal(self.visualRect(self.currentIndex()).bottomLeft()))

    def _show_menu(self, place: QPoint) -> None:
        index = self.indexAt(place) if self.indexAt(place).isValid() else self.currentIndex()
        take = self.takes.take(index)
        if take is not None:
            menu = self.menu_for(take)
            menu.aboutToHide.connect(menu.deleteLater)
            menu.popup(self.viewport().mapToGlobal(place))

    def focusInEvent(self, event: object) -> None:
        super().focusInEvent(event)  # type: ignore[arg-type]
        if not self.currentIndex().isValid() and self.takes.rowCount():
            self.setCurrentIndex(self.takes.index(0))


def _add(menu: QMenu, icon_name: str, words: str, signal: object, take: Take) -> None:
    menu.addAction(icon(icon_name), words, lambda: signal.emit(take.id))  # type: ignore[attr-defined]


def _with_control(event: QKeyEvent) -> bool:
    return bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
