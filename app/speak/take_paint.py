"""The pieces a take's row is painted from."""

from __future__ import annotations

from typing import Final

import numpy as np
from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter

from app.icons import draw_icon
from app.theme import current_theme

_BAR: Final = 2
_PITCH: Final = 4  # a bar and the gap after it
_LEAST: Final = 2.0


def bar_heights(peaks: tuple[float, ...], count: int) -> list[float]:
    """The loudest of `peaks` within each of `count` bars, 0 to 1."""
    if not peaks or count < 1:
        return [0.0] * max(count, 0)
    values = np.asarray(peaks)
    if len(values) <= count:
        return [float(value) for value in values[np.arange(count) * len(values) // count]]
    starts = np.arange(count) * len(values) // count
    return [float(value) for value in np.maximum.reduceat(values, starts)]


def draw_wave(painter: QPainter, area: QRect, peaks: tuple[float, ...], heard_share: float) -> None:
    """The small waveform; the part up to `heard_share` (0 to 1; below 0: none is heard) in full colour."""
    theme = current_theme()
    count = area.width() // _PITCH
    heard, rest = theme.color("accent"), theme.color("wave_peak" if heard_share >= 0 else "accent")
    painter.setPen(Qt.PenStyle.NoPen)
    middle, half = area.center().y() + 1.0, area.height() / 2
    for place, height in enumerate(bar_heights(peaks, count)):
        reach = max(_LEAST / 2, height * half)
        painter.setBrush(heard if place < heard_share * count else rest)
        bar = QRectF(area.left() + place * _PITCH, middle - reach, _BAR, 2 * reach)
        painter.drawRoundedRect(bar, _BAR / 2, _BAR / 2)


def draw_play(painter: QPainter, area: QRect, *, playing: bool, hot: bool) -> None:
    """The round button: play, or stop while it is heard."""
    theme = current_theme()
    circle = QRectF(area).adjusted(1.5, 1.5, -1.5, -1.5)
    painter.setPen(theme.color("accent" if playing or hot else "edge"))
    painter.setBrush(theme.color("accent" if playing else ("hover" if hot else "raised")))
    painter.drawEllipse(circle)
    side = 13.0
    sign = QRectF(0, 0, side, side)
    sign.moveCenter(circle.center())
    color = theme.color("on_accent" if playing else "text")
    draw_icon(painter, sign, "square" if playing else "play", color, filled=True)


def draw_button(painter: QPainter, area: QRect, name: str, color: str, *, hot: bool, filled: bool = False) -> None:
    """A quiet icon button; `hot` under the pointer."""
    theme = current_theme()
    if hot:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("hover"))
        painter.drawRoundedRect(QRectF(area), theme.radius.control, theme.radius.control)
    side = 16
    sign = QRectF(0, 0, side, side)
    sign.moveCenter(QRectF(area).center())
    draw_icon(painter, sign, name, theme.color(color), filled=filled)


def draw_text(painter: QPainter, area: QRect, text: str, font: QFont, color: str, *, right: bool = False) -> None:
    """One line, shortened at its end if it has to be."""
    painter.setFont(font)
    painter.setPen(current_theme().color(color))
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    side = Qt.AlignmentFlag.AlignRight if right else Qt.AlignmentFlag.AlignLeft
    painter.drawText(area, side | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine, shown)
