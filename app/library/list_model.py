"""The voices as a Qt model: the presenter's records, one row each."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from app.library.words import spoken_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.store import VoiceRecord

    Index = QModelIndex | QPersistentModelIndex

RECORD_ROLE: Final = Qt.ItemDataRole.UserRole
FITS_ROLE: Final = RECORD_ROLE + 1  # whether a model is here that the voice fits; None while that is not known
_ROOT: Final = QModelIndex()


class VoiceListModel(QAbstractListModel):
    """Rows of `VoiceRecord` (`RECORD_ROLE`), each with a mark whether a model for it is here (`FITS_ROLE`).

    Signals:
        rename_asked(str, str): an editor was closed over another name for voice `id`.
    """

    rename_asked = Signal(str, str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._records: list[VoiceRecord] = []
        self._widths: frozenset[int] | None = None

    def set_widths(self, widths: frozenset[int] | None) -> None:
        """Widths of the models that are here; None while nobody has looked."""
        if widths != self._widths:
            self._widths = widths
            if self._records:
                self.dataChanged.emit(self.index(0), self.index(len(self._records) - 1))

    def set_records(self, records: Sequence[VoiceRecord]) -> None:
        """Show `records`. Voices that stay where they are keep their selection and place."""
        new = list(records)
        if [record.id for record in new] == [record.id for record in self._records]:
            changed = [row for row, record in enumerate(new) if record != self._records[row]]
            self._records = new
            for row in changed:
                self.dataChanged.emit(self.index(row), self.index(row))
            return
        self.beginResetModel()
        self._records = new
        self.endResetModel()

    def row_of(self, voice_id: str) -> int:
        """The row of a voice, or -1."""
        return next((row for row, record in enumerate(self._records) if record.id == voice_id), -1)

    def record(self, index: Index) -> VoiceRecord | None:
        return self._records[index.row()] if index.isValid() and index.row() < len(self._records) else None

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._records)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        record = self.record(index)
        if record is None:
            return None
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole):
            return record.name
        if role == RECORD_ROLE:
            return record
        fits = None if self._widths is None else record.width in self._widths
        if role == FITS_ROLE:
            return fits
        return spoken_text(record, fits) if role == Qt.ItemDataRole.AccessibleTextRole else None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        record = self.record(index)
        if record is None or role != Qt.ItemDataRole.EditRole:
            return False
        self.rename_asked.emit(record.id, str(value))
        return True

    def flags(self, index: Index) -> Qt.ItemFlag:
        record = self.record(index)
        usual = super().flags(index)
        can_rename = record is not None and record.deleted_at is None
        return usual | Qt.ItemFlag.ItemIsEditable if can_rename else usual
