"""The list of voices with its keys: space plays, Enter speaks, F2 renames, Delete deletes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QItemSelectionModel, QModelIndex, Qt, Signal
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractItemView, QListView, QWidget

from app.library.list_model import VoiceListModel
from app.library.row_delegate import VoiceRowDelegate

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QKeyEvent

    from app.library.list_model import Index
    from app.store import VoiceRecord


class VoiceListView(QListView):
    """Shows records, and tells what a person wants done with them.

    Signals:
        current_moved(str): id of the voice the cursor is on, or empty.
        play_asked(str), speak_asked(str): one voice. delete_asked(list[str]): those selected.
        rename_asked(str, str): voice `id` shall have that name.
    """

    current_moved = Signal(str)
    play_asked = Signal(str)
    speak_asked = Signal(str)
    star_asked = Signal(str)
    delete_asked = Signal(list)
    rename_asked = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.voices = VoiceListModel(self)
        self.rows = VoiceRowDelegate(self)
        self.setModel(self.voices)
        self.setItemDelegate(self.rows)
        self.setAccessibleName("Voices")
        self.setUniformItemSizes(True)
        self.setMouseTracking(True)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setMinimumWidth(320)
        self.voices.rename_asked.connect(self.rename_asked)
        self.rows.play_clicked.connect(self.play_asked)
        self.doubleClicked.connect(lambda index: self._ask(self.speak_asked, index))

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
        self.rows.playing_id = voice_id
        self.viewport().update()

    def rename_current(self) -> None:
        """Open the editor over the current voice's name."""
        if self.currentIndex().isValid():
            self.edit(self.currentIndex())

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

    def _ask(self, signal: object, index: QModelIndex) -> None:
        record = self.voices.record(index)
        if record is not None:
            signal.emit(record.id)  # type: ignore[attr-defined]
