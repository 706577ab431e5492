"""The parts drawn over and around every picture on a time axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPen

from app.theme import current_theme
from app.widgets.time_scale import axis_text, tick_step, ticks

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QColor

    from app.widgets.timeline import Timeline

VEIL_ALPHA: Final = 0.6


def hairline(painter: QPainter, rect: QRectF) -> QRectF:
    """`rect` moved so that its top left corner lies on a whole device pixel."""
    transform = painter.deviceTransform()
    corner = transform.map(rect.topLeft())
    scale = transform.m11() or 1.0
    shift = QPointF(round(corner.x()) - corner.x(), round(corner.y()) - corner.y()) / scale
    return rect.translated(shift)


def cursor_width(scale: float) -> int:
    """Width of the cursor in device pixels: one logical pixel, made whole."""
    return max(1, round(scale))


def draw_cursor(painter: QPainter, plot: QRect, x: float, scale: float, color: QColor) -> None:
    """The cursor at `x`, one pixel and never blurred."""
    line = hairline(painter, QRectF(x, plot.top(), cursor_width(scale) / scale, plot.height()))
    painter.setRenderHint(QPainter.RenderHint.Antialiasing, on=False)
    painter.fillRect(line, color)


def draw_selection(
    painter: QPainter, plot: QRect, timeline: Timeline, x_at: Callable[[float], float], veil: QColor
) -> None:
    """A veil over what is not selected, and the two edges with a grip each."""
    if timeline.selection is None:
        return
    theme = current_theme()
    left, right = (x_at(seconds) for seconds in timeline.selection)
    area = QRectF(plot)
    painter.fillRect(QRectF(area.left(), area.top(), max(0.0, left - area.left()), area.height()), veil)
    painter.fillRect(QRectF(right, area.top(), max(0.0, area.right() - right), area.height()), veil)
    accent = theme.color("accent")
    for x in (left, right):
        edge = hairline(painter, QRectF(x - 1, area.top(), 2, area.height()))
        painter.fillRect(edge.adjusted(-1, 0, 1, 0), theme.color("well", 0.5))
        painter.fillRect(edge, accent)
        _draw_grip(painter, QPointF(edge.center().x(), area.center().y()))


def _draw_grip(painter: QPainter, middle: QPointF) -> None:
    theme = current_theme()
    grip = QRectF(middle.x() - 4, middle.y() - 11, 8, 22)
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(QPen(theme.color("well"), 1.5))
    painter.setBrush(theme.color("accent"))
    painter.drawRoundedRect(grip, 4, 4)
    painter.setPen(QPen(theme.color("on_accent"), 1))
    for offset in (-1.0, 1.0):
        painter.drawLine(QPointF(middle.x() + offset, middle.y() - 4), QPointF(middle.x() + offset, middle.y() + 4))
    painter.restore()


def draw_ruler(painter: QPainter, plot: QRect, timeline: Timeline) -> None:
    """Seconds below the picture."""
    theme = current_theme()
    metrics = painter.fontMetrics()
    room = plot.width() / (metrics.horizontalAdvance("00.000 s") + 24)
    step = tick_step(timeline.span, max(1.0, room))
    for seconds in ticks(timeline.start, timeline.end, step):
        x = plot.left() + plot.width() * (seconds - timeline.start) / timeline.span
        painter.fillRect(hairline(painter, QRectF(x, plot.bottom() + 1, 1, 4)), theme.color("edge"))
        text = axis_text(seconds, step)
        width = metrics.horizontalAdvance(text)
        left = min(max(x - width / 2, plot.left()), plot.right() + 1 - width)
        painter.setPen(theme.color("text_dim"))
        painter.drawText(QPointF(left, plot.bottom() + 5 + metrics.ascent()), text)


def draw_frame(painter: QPainter, plot: QRect, scale: float) -> None:
    """The quiet line around the picture."""
    _outline(painter, QRectF(plot), max(1, round(scale)) / scale, "line")


def draw_focus(painter: QPainter, plot: QRect, *, ring: bool) -> None:
    """The ring of the widget the keyboard speaks to; thinner when the mouse brought the focus."""
    _outline(painter, QRectF(plot), 2.0 if ring else 1.0, "accent")


def draw_mark_text(painter: QPainter, right: float, middle: float, text: str) -> None:
    """`text` in the quiet colour, ending at `right`, centred at the height `middle`."""
    metrics = painter.fontMetrics()
    box = QRectF(right - 200, middle - metrics.height() / 2, 200, metrics.height())
    painter.setPen(current_theme().color("text_dim"))
    painter.drawText(box, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, text)


def _outline(painter: QPainter, area: QRectF, width: float, color: str) -> None:
    ink = current_theme().color(color)
    for side in (
        QRectF(area.left(), area.top(), area.width(), width),
        QRectF(area.left(), area.bottom() - width, area.width(), width),
        QRectF(area.left(), area.top(), width, area.height()),
        QRectF(area.right() - width, area.top(), width, area.height()),
    ):
        painter.fillRect(hairline(painter, side), ink)
