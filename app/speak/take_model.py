"""The takes as a Qt model: one row each, newest first."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt

from app.speak.take import Take
from app.speak.words import accessible_text

Index = QModelIndex | QPersistentModelIndex

TAKE_ROLE: Final = Qt.ItemDataRole.UserRole
_ROOT: Final = QModelIndex()


class TakeModel(QAbstractListModel):
    """Rows of `Take` (`TAKE_ROLE`)."""

    def __init__(self) -> None:
        super().__init__()
        self._takes: list[Take] = []

    def set_takes(self, takes: Sequence[Take]) -> None:
        """Show `takes`; rows come and go one by one, so that cursor and place in the list stay."""
        new = list(takes)
        wanted = {take.id for take in new}
        for row in reversed(range(len(self._takes))):
            if self._takes[row].id not in wanted:
                self.beginRemoveRows(_ROOT, row, row)
                del self._takes[row]
                self.endRemoveRows()
        if len(new) - len(self._takes) > 1:
            self._replace(new)
            return
        for row, take in enumerate(new):
            if row >= len(self._takes) or self._takes[row].id != take.id:
                self.beginInsertRows(_ROOT, row, row)
                self._takes.insert(row, take)
                self.endInsertRows()
            elif self._takes[row] is not take:
                self._takes[row] = take
                self.dataChanged.emit(self.index(row), self.index(row))

    def take(self, index: Index) -> Take | None:
        return self._takes[index.row()] if index.isValid() and index.row() < len(self._takes) else None

    def row_of(self, take_id: str) -> int:
        """The row of a take, or -1."""
        return next((row for row, take in enumerate(self._takes) if take.id == take_id), -1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._takes)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        take = self.take(index)
        if take is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return take.text
        if role == TAKE_ROLE:
            return take
        return accessible_text(take) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def _replace(self, takes: list[Take]) -> None:
        self.beginResetModel()
        self._takes = takes
        self.endResetModel()
