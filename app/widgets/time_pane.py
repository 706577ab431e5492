"""A picture over a shared time axis: the part that the waveform and the mel have in common."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QFontMetricsF, QPainter, QPixmap
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import current_theme
from app.widgets import pane_paint
from app.widgets.pane_keys import handle_key
from app.widgets.pane_mouse import Grip, PaneMouse

if TYPE_CHECKING:
    from PySide6.QtGui import (
        QFocusEvent,
        QFontMetrics,
        QKeyEvent,
        QMouseEvent,
        QPaintEvent,
        QResizeEvent,
        QWheelEvent,
    )

    from app.widgets.timeline import Timeline

_EDGE_REACH: Final = 6  # pixels around an edge of the selection that take hold of it
_CLICK_REACH: Final = 4  # pixels a click may wander before it is a drag
_CURSORS: Final = {
    Grip.NONE: Qt.CursorShape.IBeamCursor,
    Grip.START: Qt.CursorShape.SplitHCursor,
    Grip.END: Qt.CursorShape.SplitHCursor,
    Grip.WHOLE: Qt.CursorShape.OpenHandCursor,
}


class TimePane(QWidget):
    """Shows `draw_plot` of a subclass between a left and a right gutter that are equal for all panes of one font.

    The picture with its axes is drawn once into a pixmap at the screen's own scale and kept until the range, the
    size or the sound changes; a moving cursor repaints only the columns it leaves and enters. While the size
    changes, the last picture is stretched, and drawn anew a moment later: each pane at a moment of its own, so that
    a page with several of them never stands still for the sum.
    """

    settle_ms = 15  # from a change of size to a sharp picture

    _cursor_color = "cursor"
    _veil_color = "veil"

    def __init__(self, timeline: Timeline, name: str, parent: QWidget | None = None, *, ruler: bool = True) -> None:
        super().__init__(parent)
        self.timeline = timeline
        self._name = name
        self._ruler = ruler
        self._placeholder = ""
        self._picture: QPixmap | None = None
        self._stretched: QPixmap | None = None
        self._settling = QTimer(self, singleShot=True)
        self._settling.timeout.connect(self._settle)
        self._mouse = PaneMouse(timeline)
        self._cursor_x = math.nan
        self._gutters: tuple[int, int] | None = None
        self.setAccessibleName(name)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        timeline.range_changed.connect(self.invalidate)
        timeline.duration_changed.connect(self.invalidate)
        timeline.selection_changed.connect(self.update)
        timeline.cursor_changed.connect(self._cursor_moved)

    def set_placeholder(self, text: str) -> None:
        """A sentence in the middle while there is no sound."""
        self._placeholder = text
        self.invalidate()

    # For subclasses

    def has_content(self) -> bool:
        """Whether there is a sound to draw."""
        raise NotImplementedError

    def draw_plot(self, painter: QPainter, plot: QRect, scale: float) -> None:
        """Draw what belongs inside `plot` (logical pixels); `scale` is device pixels per logical pixel."""
        raise NotImplementedError

    def draw_gutters(self, painter: QPainter, plot: QRect) -> None:
        """Draw what stands left and right of `plot`."""

    def invalidate(self) -> None:
        """The picture has to be drawn anew."""
        self._picture = self._stretched = None
        self.update()

    # Geometry

    def plot_rect(self) -> QRect:
        """Where the picture is, in logical pixels."""
        if self._gutters is None:
            self._gutters = gutters(self.fontMetrics())
        left, right = self._gutters
        foot = self.fontMetrics().height() + 6 if self._ruler else 0
        rect = self.rect().adjusted(left, self._head(), -right, -foot - (0 if self._ruler else self._head()))
        return QRect(rect.topLeft(), QSize(max(1, rect.width()), max(1, rect.height())))

    def x_at(self, seconds: float) -> float:
        """The place of `seconds` in logical pixels from the widget's left edge."""
        plot = self.plot_rect()
        span = self.timeline.span
        return plot.left() + (plot.width() * (seconds - self.timeline.start) / span if span > 0 else 0.0)

    def seconds_at(self, x: float) -> float:
        """The moment at `x` logical pixels, inside the sound."""
        plot = self.plot_rect()
        seconds = self.timeline.start + self.timeline.span * (x - plot.left()) / plot.width()
        return min(max(0.0, seconds), self.timeline.duration)

    def sizeHint(self) -> QSize:
        return QSize(640, 180)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 90)

    def _head(self) -> int:
        return math.ceil(self.fontMetrics().height() / 2)

    # Painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        if self._stretched is not None:
            painter.drawPixmap(self.rect(), self._stretched)
        else:
            if self._picture is None or self._picture.devicePixelRatio() != self.devicePixelRatioF():
                self._picture = self._drawn()
            painter.drawPixmap(QPoint(0, 0), self._picture)
        plot = self.plot_rect()
        if self.timeline.span > 0:
            painter.setClipRect(plot.adjusted(-1, 0, 1, 0))  # a cursor at the very edge is whole
            theme = current_theme()
            veil = theme.color(self._veil_color, pane_paint.VEIL_ALPHA)
            pane_paint.draw_selection(painter, plot, self.timeline, self.x_at, veil)
            self._cursor_x = self.x_at(self.timeline.cursor)
            pane_paint.draw_cursor(
                painter, plot, self._cursor_x, self.devicePixelRatioF(), theme.color(self._cursor_color)
            )
            painter.setClipping(False)
        self.draw_over(painter, plot)
        if self.hasFocus():
            pane_paint.draw_focus(painter, plot, ring=bool(self.property("focusRing")))
        painter.end()

    def draw_over(self, painter: QPainter, plot: QRect) -> None:
        """Draw what lies above cursor and selection."""

    def _drawn(self) -> QPixmap:
        scale = self.devicePixelRatioF()
        picture = QPixmap(math.ceil(self.width() * scale), math.ceil(self.height() * scale))
        picture.setDevicePixelRatio(scale)
        picture.fill(Qt.GlobalColor.transparent)
        painter = QPainter(picture)
        painter.setFont(self.font())
        plot = self.plot_rect()
        painter.fillRect(plot, current_theme().color("well"))
        painter.save()
        painter.setClipRect(plot)
        if self.has_content():
            self.draw_plot(painter, plot, scale)
        elif self._placeholder:
            painter.setPen(current_theme().color("text_dim"))
            painter.drawText(plot, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._placeholder)
        painter.restore()
        self.draw_gutters(painter, plot)
        if self._ruler and self.timeline.span > 0:
            pane_paint.draw_ruler(painter, plot, self.timeline)
        pane_paint.draw_frame(painter, plot, scale)
        painter.end()
        return picture

    def _cursor_moved(self, seconds: float) -> None:
        plot = self.plot_rect()
        for x in (self._cursor_x, self.x_at(seconds)):
            if math.isfinite(x):
                self.update(QRect(math.floor(x) - 1, plot.top(), 4, plot.height()))

    def _describe(self) -> None:
        """Tell a screen reader where we are: after a key, not at every step of a player."""
        text = f"Cursor at {self.timeline.cursor:.2f} seconds of {self.timeline.duration:.2f}"
        if self.timeline.selection is not None:
            start, end = self.timeline.selection
            text += f", selection from {start:.2f} to {end:.2f}"
        self.setAccessibleDescription(text)

    # Events

    def resizeEvent(self, event: QResizeEvent) -> None:
        if self._picture is not None and self.has_content() and self.isVisible():
            self._stretched = self._picture
        self._picture = None
        if self._stretched is not None:
            self._settling.start(self.settle_ms)
        super().resizeEvent(event)

    def _settle(self) -> None:
        self._stretched = None
        self.update()

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in (QEvent.Type.PaletteChange, QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._gutters = None
            self.invalidate()
        super().changeEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        self._describe()
        super().focusInEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton or self.timeline.span <= 0:
            super().mousePressEvent(event)
            return
        extend = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        self._mouse.press(self.seconds_at(event.position().x()), self._seconds_of(_EDGE_REACH), extend=extend)
        self._show_grip(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        x = event.position().x()
        if self._mouse.pressed:
            self._mouse.move(self.seconds_at(x), self._seconds_of(_CLICK_REACH))
        self._show_grip(x)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._mouse.release()
            self._show_grip(event.position().x())

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel zooms around the pointer; sideways, or with Shift, it scrolls."""
        delta = event.angleDelta()
        if event.modifiers() & Qt.KeyboardModifier.ShiftModifier and delta.x() == 0:
            self.timeline.scroll(-self.timeline.span * delta.y() / 1200)
        elif abs(delta.x()) > abs(delta.y()):
            self.timeline.scroll(-self.timeline.span * delta.x() / 1200)
        else:
            self.timeline.zoom(1.25 ** (delta.y() / 120), self.seconds_at(event.position().x()))
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if handle_key(self.timeline, event, self._seconds_of(1)):
            self._describe()
        else:
            super().keyPressEvent(event)

    def _seconds_of(self, pixels: float) -> float:
        return pixels * self.timeline.span / self.plot_rect().width()

    def _show_grip(self, x: float) -> None:
        grip = self._mouse.grip_at(self.seconds_at(x), self._seconds_of(_EDGE_REACH))
        shape = _CURSORS[grip]
        if grip is Grip.WHOLE and self._mouse.dragging:
            shape = Qt.CursorShape.ClosedHandCursor
        self.setCursor(shape)


def gutters(metrics: QFontMetrics | QFontMetricsF) -> tuple[int, int]:
    """Widths left and right of the picture in logical pixels: room for `10 kHz` and for the dB legend."""
    return math.ceil(metrics.horizontalAdvance("10 kHz")) + 14, math.ceil(metrics.horizontalAdvance("−80 dB")) + 32
