"""Where the text is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QTimer, Signal
from PySide6.QtGui import QResizeEvent, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

import engine
from app.speak.mark_paint import MarkPaint
from app.speak.words import counter_text, expected_seconds
from app.widgets.labels import label, tabular

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData

_COUNT_AFTER_MS: Final = 100
_EDGE: Final = 8
_IN_PARTS: Final = "A long text is spoken in parts, each heard when it is whole"


class TextBox(QPlainTextEdit):
    """Plain text in and out, whatever is pasted; in its corner the count and how long it takes to say.

    Signals: `text_edited(str)` when a person changed the text.
    """

    text_edited = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Text to speak")
        self.setPlaceholderText("What shall be said?")
        self.setTabChangesFocus(True)
        self.counter = label("", "caption", "dim")
        self.counter.setParent(self)
        self.counter.setFont(tabular(self.counter.font()))
        self.counter.hide()
        self._marks = MarkPaint(self.document())
        self._recolour = QTimer(self, singleShot=True, interval=0)  # the theme is whole by then
        self._recolour.timeout.connect(self._marks.rehighlight)
        self._counting = QTimer(self, singleShot=True, interval=_COUNT_AFTER_MS)
        self._counting.timeout.connect(self._count)
        self.setMinimumHeight(88)
        self.setViewportMargins(0, 0, 0, self.counter.sizeHint().height() + 2)
        self.textChanged.connect(self._tell)

    def show_text(self, text: str) -> None:
        """Show `text`, unless it is what stands there; the cursor stays if it does. Undo brings back what stood."""
        before = self.toPlainText()
        if text == before:
            return
        if before:
            cursor = QTextCursor(self.document())
            cursor.select(QTextCursor.SelectionType.Document)
            cursor.insertText(text)
            self.moveCursor(QTextCursor.MoveOperation.Start)
        else:
            self.setPlainText(text)
        self._count()

    def insert_mark(self, mark: str) -> None:
        """Put `mark` where it belongs: a pause at the cursor, anything else before the paragraph of the cursor."""
        cursor = self.textCursor()
        if not mark.startswith("[pause"):
            before = self.toPlainText()[: cursor.position()]
            cursor.setPosition(before.rfind("\n\n") + 2 if "\n\n" in before else 0)
        cursor.insertText(f"{mark} ")
        self.setTextCursor(cursor)
        self.setFocus()

    def insertFromMimeData(self, source: QMimeData) -> None:  # noqa: N802 - Qt's name
        """Paste words only: no fonts, no pictures, and files as their names."""
        if source.hasText():
            self.insertPlainText(source.text().replace("\r\n", "\n").replace("\r", "\n"))

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.StyleChange:
            self._recolour.start()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place()

    def _tell(self) -> None:
        self._counting.start()
        self.text_edited.emit(self.toPlainText())

    def _count(self) -> None:
        self._counting.stop()
        text = self.toPlainText()
        in_parts = expected_seconds(text) > engine.LONGEST_IN_ONE_GO_SECONDS
        words = counter_text(text)
        self.counter.setText(f"{_IN_PARTS} · {words}" if in_parts else words)
        self.counter.setVisible(bool(words))
        self._place()

    def _place(self) -> None:
        self.counter.adjustSize()
        left = max(_EDGE, self.width() - self.counter.width() - _EDGE - 4)
        self.counter.move(left, self.height() - self.counter.height() - 4)
