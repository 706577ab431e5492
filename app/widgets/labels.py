"""Words in the sizes and tones of the theme."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QLabel, QSizePolicy, QStyle, QStyleOption, QWidget

from app.theme import refresh

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent, QResizeEvent

TextStep = Literal["caption", "body", "lead", "title", "display"]
Tone = Literal["text", "dim", "accent", "good", "warn", "bad"]


def label(text: str = "", step: TextStep = "body", tone: Tone = "text", *, wrap: bool = False) -> QLabel:
    """A label in one of the steps and tones; plain text, never interpreted as markup."""
    made = QLabel()
    made.setTextFormat(Qt.TextFormat.PlainText)
    made.setText(text)
    made.setWordWrap(wrap)
    dress(made, step, tone)
    return made


def dress(made: QLabel, step: TextStep | None = None, tone: Tone | None = None) -> None:
    """Give a label another step or tone."""
    if step is not None:
        made.setProperty("textSize", step)
    if tone is not None:
        made.setProperty("tone", tone)
    refresh(made)


def tabular(font: QFont) -> QFont:
    """`font` with figures of one width, so that running numbers do not dance."""
    made = QFont(font)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


class FigureLabel(QLabel):
    """A running number: tabular figures, and room kept for the longest text it will show."""

    def __init__(self, text: str = "", longest: str = "", parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._longest = longest or text
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setFont(tabular(self.font()))

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        return hint.expandedTo(QSize(self.fontMetrics().horizontalAdvance(self._longest) + 2, hint.height()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class ElidedLabel(QLabel):
    """One line that gives way: shortened with an ellipsis, whole in the tool tip and to screen readers."""

    def __init__(
        self,
        text: str = "",
        parent: QWidget | None = None,
        mode: Qt.TextElideMode = Qt.TextElideMode.ElideRight,
    ) -> None:
        super().__init__(parent)
        self._mode = mode
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(text)
        self.setAccessibleName(text)
        self._tell_whole()

    def minimumSizeHint(self) -> QSize:
        whole = self.fontMetrics().horizontalAdvance(self.text())
        return QSize(2 + min(whole, self.fontMetrics().horizontalAdvance("x" * 12)), super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._tell_whole()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        option = QStyleOption()
        option.initFrom(self)
        self.style().drawPrimitive(QStyle.PrimitiveElement.PE_Widget, option, painter, self)
        shown = self.fontMetrics().elidedText(self.text(), self._mode, self.contentsRect().width())
        painter.setPen(self.palette().windowText().color())
        painter.drawText(self.contentsRect(), self.alignment() | Qt.TextFlag.TextSingleLine, shown)
        painter.end()

    def _tell_whole(self) -> None:
        cut = self.fontMetrics().horizontalAdvance(self.text()) > self.contentsRect().width()
        self.setToolTip(self.text() if cut else "")
