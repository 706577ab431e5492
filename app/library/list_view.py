"""The voices as a list or a grid, with the same keys: space plays, Enter speaks, F2 renames, Delete deletes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyleOptionViewItem, QWidget

from app.library.card_delegate import NARROWEST, VoiceCardDelegate
from app.library.list_model import VoiceListModel
from app.library.row_delegate import VoiceRowDelegate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QEvent
    from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent

    from app.library.list_model import Index
    from app.library.voice_delegate import VoiceDelegate
    from app.store import VoiceRecord


_REST_MS = 500  # of the pointer on a voice before it is meant


class VoiceListView(QListView):
    """Shows records, and tells what a person wants done with them. Only what is in sight is drawn.

    Signals:
        current_moved(str): id of the voice the cursor is on, or empty.
        play_asked(str), speak_asked(str): one voice. delete_asked(list[str]): those selected.
        rename_asked(str, str): voice `id` shall have that name.
        rested_on(str): the pointer stays on voice `id`. left(str): it went from the voice it had rested on.
    """

    current_moved = Signal(str)
    play_asked = Signal(str)
    speak_asked = Signal(str)
    star_asked = Signal(str)
    delete_asked = Signal(list)
    rename_asked = Signal(str, str)
    rested_on = Signal(str)
    left = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.voices = VoiceListModel(self)
        self.rows = VoiceRowDelegate(self)
        self.cards = VoiceCardDelegate(self)
        self.is_grid = False
        self._under_pointer = self._rested = ""
        self._rest = QTimer(self, singleShot=True, interval=_REST_MS)
        self._rest.timeout.connect(self._tell_rest)
        self.setModel(self.voices)
        self.setItemDelegate(self.rows)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setAccessibleName("Voices")
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(320)
        self.voices.rename_asked.connect(self.rename_asked)
        for delegate in (self.rows, self.cards):
            delegate.play_clicked.connect(self.play_asked)
        self.doubleClicked.connect(lambda index: self._ask(self.speak_asked, index))
        self.entered.connect(lambda index: self._point_at(self.voices.record(index)))
        self.viewportEntered.connect(lambda: self._point_at(None))
        self.verticalScrollBar().valueChanged.connect(lambda _: self._point_at(None))

    @property
    def drawing(self) -> VoiceDelegate:
        """What draws the voices now."""
        return self.cards if self.is_grid else self.rows

    def set_grid(self, grid: bool) -> None:
        """Show cards side by side, or a row each; cursor and selection stay."""
        self.is_grid = grid
        self.cards.playing_id = self.rows.playing_id
        self.setItemDelegate(self.drawing)
        self.setFlow(QListView.Flow.LeftToRight if grid else QListView.Flow.TopToBottom)
        self.setWrapping(grid)
        self._fit_cards()
        self.scrollTo(self.currentIndex())

    def show_records(self, records: Sequence[VoiceRecord], current_id: str) -> None:
        """Show `records` with the cursor on `current_id`; a selection of several stays while they are there."""
        selected = set(self.selected_ids())
        self.voices.set_records(records)
        self.move_to(current_id)
        if len(selected) > 1 and not self.selectionModel().selectedIndexes()[1:]:
            for row, record in enumerate(records):
                if record.id in selected:
                    self.selectionModel().select(self.voices.index(row), QItemSelectionModel.SelectionFlag.Select)

    def move_to(self, voice_id: str) -> None:
        """Put the cursor on a voice, unless it is there."""
        row = self.voices.row_of(voice_id)
        if row >= 0 and row != self.currentIndex().row():
            self.setCurrentIndex(self.voices.index(row))
        if row >= 0:
            self.scrollTo(self.voices.index(row))

    def selected_ids(self) -> list[str]:
        """The selected voices from top to bottom."""
        rows = sorted(self.selectionModel().selectedIndexes(), key=QModelIndex.row)
        return [record.id for record in map(self.voices.record, rows) if record is not None]

    def show_playing(self, voice_id: str) -> None:
        """Mark the voice that is heard; empty marks none."""
        self.rows.playing_id = self.cards.playing_id = voice_id
        self.viewport().update()

    def rename_current(self) -> None:
        """Open the editor over the current voice's name."""
        if self.currentIndex().isValid():
            self.edit(self.currentIndex())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_cards()

    def leaveEvent(self, event: QEvent) -> None:
        super().leaveEvent(event)
        self._point_at(None)

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._point_at(None)

    def currentChanged(self, current: Index, previous: Index) -> None:  # noqa: N802 - Qt's name
        super().currentChanged(current, previous)
        record = self.voices.record(current)
        if record is not None:
            self.current_moved.emit(record.id)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self.state() == QAbstractItemView.State.EditingState:
            super().keyPressEvent(event)
        elif event.key() == Qt.Key.Key_Space and not event.modifiers():
            self._ask(self.play_asked, self.currentIndex())
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self._ask(self.speak_asked, self.currentIndex())
        elif event.key() == Qt.Key.Key_S and not event.modifiers():
            self._ask(self.star_asked, self.currentIndex())
        elif event.matches(QKeySequence.StandardKey.Delete) or event.key() == Qt.Key.Key_Backspace:
            self.delete_asked.emit(self.selected_ids())
        else:
            super().keyPressEvent(event)

    def _fit_cards(self) -> None:
        """As many cards in a line as have room, and as wide as they then can be."""
        size = QSize()
        if self.is_grid:
            option = QStyleOptionViewItem()
            self.initViewItemOption(option)
            width = self.viewport().width() - 1  # a whole line must be narrower than the view
            height = self.cards.sizeHint(option, self.currentIndex()).height()
            self.cards.width = width // max(1, width // NARROWEST)
            size = QSize(self.cards.width, height)
        if size != self.gridSize():
            self.setGridSize(size)

    def _point_at(self, record: VoiceRecord | None) -> None:
        """The pointer came to a voice, or is on none."""
        voice_id = "" if record is None else record.id
        if voice_id == self._under_pointer:
            return
        self._under_pointer = voice_id
        self._rest.start() if voice_id else self._rest.stop()
        if self._rested:
            self._rested, rested = "", self._rested
            self.left.emit(rested)

    def _tell_rest(self) -> None:
        self._rested = self._under_pointer
        self.rested_on.emit(self._rested)

    def _ask(self, signal: object, index: QModelIndex) -> None:
        record = self.voices.record(index)
        if record is not None:
            signal.emit(record.id)  # type: ignore[attr-defined]
