"""The steps of a wizard: 1 Sound · 2 Listen · 3 Clone · 4 Save."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QSizePolicy, QWidget

from app.icons import draw_icon
from app.theme import current_theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QPaintEvent


class StepHeader(QWidget):
    """Shows which steps are done, where we are, and what comes. A step that is done can be gone back to.

    Signals: `step_clicked(index)` for a step that is done.
    """

    step_clicked = Signal(int)

    def __init__(self, steps: Sequence[str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._steps = [_Step(index, name, len(steps), self) for index, name in enumerate(steps)]
        self._current = 0
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(8)
        for index, step in enumerate(self._steps):
            if index:
                layout.addWidget(_Link(self))
            layout.addWidget(step)
            step.clicked.connect(lambda _checked=False, at=index: self.step_clicked.emit(at))
        layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self.set_current(0)

    @property
    def current(self) -> int:
        """Index of the step we are at."""
        return self._current

    def set_current(self, index: int) -> None:
        """Be at the step `index`; all before it are done."""
        self._current = index
        for at, step in enumerate(self._steps):
            step.set_state(done=at < index, current=at == index)


class _Step(QAbstractButton):
    """A number in a circle, or a check mark when done, and the name."""

    def __init__(self, index: int, name: str, count: int, parent: QWidget) -> None:
        super().__init__(parent)
        self._index, self._count = index, count
        self._done = self._current = False
        self.setText(name)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_state(self, *, done: bool, current: bool) -> None:
        self._done, self._current = done, current
        state = "done" if done else "current" if current else "to come"
        self.setAccessibleName(f"Step {self._index + 1} of {self._count}: {self.text()}, {state}")
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus if done else Qt.FocusPolicy.NoFocus)
        self.setEnabled(done or current)
        self.setCursor(Qt.CursorShape.PointingHandCursor if done else Qt.CursorShape.ArrowCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents, not done)
        self.update()

    def sizeHint(self) -> QSize:
        circle = self.fontMetrics().height() + 6
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        return QSize(4 + circle + 8 + QFontMetrics(bold).horizontalAdvance(self.text()) + 6, circle + 8)

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        size = self.fontMetrics().height() + 6
        circle = QRectF(4.5, (self.height() - size) / 2 + 0.5, size - 1, size - 1)
        if self._done and self.underMouse():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("hover"))
            painter.drawRoundedRect(self.rect(), theme.radius.control, theme.radius.control)
        painter.setPen(QPen(theme.color("accent" if self._current or self._done else "edge"), 1.2))
        painter.setBrush(theme.color("accent") if self._current else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(circle)
        if self._done:
            draw_icon(painter, circle.adjusted(4, 4, -4, -4), "check", theme.color("accent"))
        else:
            painter.setPen(theme.color("on_accent" if self._current else "text_dim"))
            painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, str(self._index + 1))
        self._draw_name(painter, circle.right() + 7)
        if self.property("focusRing"):
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(theme.color("accent"), 2))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 6, 6)
        painter.end()

    def _draw_name(self, painter: QPainter, left: float) -> None:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold if self._current else QFont.Weight.Normal)
        painter.setFont(font)
        painter.setPen(current_theme().color("text" if self._current or self._done else "text_dim"))
        area = QRectF(left, 0, self.width() - left, self.height())
        painter.drawText(area, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter, self.text())


class _Link(QWidget):
    """The line between two steps."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFixedWidth(24)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.fillRect(QRectF(0, self.height() // 2, self.width(), 1), current_theme().color("edge"))
        painter.end()
