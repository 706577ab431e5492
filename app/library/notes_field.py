"""A few lines of free text that are done when the cursor leaves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPlainTextEdit, QWidget

if TYPE_CHECKING:
    from PySide6.QtGui import QFocusEvent

_LINES = 3


class NotesField(QPlainTextEdit):
    """Signals: `finished()` when the keyboard leaves the field."""

    finished = Signal()

    def __init__(self, name: str, placeholder: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(name)
        self.setPlaceholderText(placeholder)
        self.setTabChangesFocus(True)
        self.setAcceptDrops(False)
        self.setFixedHeight(self.fontMetrics().lineSpacing() * _LINES + 18)

    @property
    def is_modified(self) -> bool:
        return self.document().isModified()

    def set_modified(self, modified: bool) -> None:
        self.document().setModified(modified)

    def text(self) -> str:
        return self.toPlainText()

    def set_text(self, text: str) -> None:
        """Show `text` as what is saved; the cursor stays where nothing changes."""
        if text != self.toPlainText():
            self.setPlainText(text)
        self.set_modified(False)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.finished.emit()
