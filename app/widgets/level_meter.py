"""A level meter: loudness as a bar, the peak as a mark that stays a while, a lamp with a word for clipping."""

from __future__ import annotations

import math
import time
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QPainter
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from app.theme import current_theme
from app.widgets.labels import tabular

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent, QMouseEvent, QPaintEvent

FLOOR_DB: Final = -60.0
_ZONES: Final = ((-60.0, -12.0, "meter_low"), (-12.0, -3.0, "meter_high"), (-3.0, 0.0, "meter_full"))
_MARKS_DB: Final = (-60, -48, -36, -24, -12, -3, 0)
_HOLD_SECONDS: Final = 1.5
_FALL_DB_A_SECOND: Final = 20.0
_CLIP_WORD: Final = "CLIP"


class LevelMeter(QProgressBar):
    """Levels in dBFS, -60 to 0. Screen readers hear it as a value, like any progress bar.

    The clip lamp stays lit until `reset`, a click, or Space. Signals: `clip_cleared()` when a person put it out.
    """

    clip_cleared = Signal()

    def __init__(self, name: str = "Input level", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setRange(int(FLOOR_DB), 0)
        self.setAccessibleName(name)
        self.setTextVisible(False)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setMaximumHeight(16777215)
        self._rms = self._peak = self._held = -math.inf
        self._held_at = 0.0
        self._clipped = False
        self.reset()

    @property
    def held_peak(self) -> float:
        """The peak mark in dBFS."""
        return self._held

    @property
    def clipped(self) -> bool:
        """Whether the clip lamp is lit."""
        return self._clipped

    def set_levels(self, rms_db: float, peak_db: float, *, clipped: bool = False) -> None:
        """Show loudness and peak of the newest block in dBFS; -inf is silence. `clipped` lights the lamp."""
        now = time.monotonic()
        self._rms, self._peak = rms_db, peak_db
        waited = now - self._held_at
        if peak_db >= self._held:
            self._held, self._held_at = peak_db, now
        elif waited > _HOLD_SECONDS:
            self._held = max(peak_db, self._held - _FALL_DB_A_SECOND * (waited - _HOLD_SECONDS))
            self._held_at = now - _HOLD_SECONDS
        self._clipped = self._clipped or clipped
        self.setValue(round(min(0.0, max(FLOOR_DB, rms_db))))
        self._describe()
        self.update()

    def reset(self) -> None:
        """Silence, no peak, lamp out."""
        self._rms = self._peak = self._held = -math.inf
        self._clipped = False
        self.setValue(int(FLOOR_DB))
        self._describe()
        self.update()

    def text(self) -> str:
        """The level in words, as a screen reader says it."""
        return f"{level_text(self._rms)} dB"

    def sizeHint(self) -> QSize:
        line = self.fontMetrics().height()
        return QSize(320, line + 4 + line)

    def minimumSizeHint(self) -> QSize:
        return QSize(200, self.sizeHint().height())

    def _describe(self) -> None:
        text = f"Peak {level_text(self._held)} dB" + (", clipped" if self._clipped else "")
        if text != self.accessibleDescription():
            self.setAccessibleDescription(text)

    # Painting

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(tabular(self.font()))
        bar = self._bar()
        self._draw_bar(painter, bar)
        self._draw_scale(painter, bar)
        self._draw_figures(painter, bar)
        if self.property("focusRing"):
            painter.setPen(current_theme().color("accent"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4)
        painter.end()

    def _bar(self) -> QRectF:
        metrics = self.fontMetrics()
        figures = metrics.horizontalAdvance("−60.0 dB  peak −60") + metrics.horizontalAdvance(_CLIP_WORD) + 44
        height = max(10, metrics.height() - 4)
        top = (self.height() - height - metrics.height()) / 2 + 1
        return QRectF(4, top, max(40, self.width() - figures), height)

    def _x(self, bar: QRectF, decibels: float) -> float:
        share = (min(0.0, max(FLOOR_DB, decibels)) - FLOOR_DB) / -FLOOR_DB
        return bar.left() + share * bar.width()

    def _draw_bar(self, painter: QPainter, bar: QRectF) -> None:
        theme = current_theme()
        painter.setPen(Qt.PenStyle.NoPen)
        for low, high, color in _ZONES:
            left, right = self._x(bar, low), self._x(bar, high)
            painter.fillRect(QRectF(left, bar.top(), right - left - 1, bar.height()), theme.color(color, 0.18))
            lit = min(right - 1, self._x(bar, self._rms))
            if lit > left:
                painter.fillRect(QRectF(left, bar.top(), lit - left, bar.height()), theme.color(color))
        if self._held > FLOOR_DB:
            color = next(name for _, high, name in _ZONES if self._held <= high or high == 0.0)
            x = min(self._x(bar, self._held), bar.right() - 3)
            painter.fillRect(QRectF(round(x), bar.top() - 2, 2, bar.height() + 4), theme.color("text"))
            painter.fillRect(QRectF(round(x) + 2, bar.top() - 2, 1, bar.height() + 4), theme.color(color))

    def _draw_scale(self, painter: QPainter, bar: QRectF) -> None:
        theme = current_theme()
        painter.setPen(theme.color("text_dim"))
        font = painter.font()
        small = QFont(font)
        small.setPixelSize(theme.text.caption)
        painter.setFont(small)
        metrics = painter.fontMetrics()
        last = -math.inf
        for mark in reversed(_MARKS_DB):
            text = str(mark).replace("-", "−")
            width = metrics.horizontalAdvance(text)
            x = min(max(self._x(bar, mark) - width / 2, bar.left()), bar.right() - width)
            if last == -math.inf or x + width + 6 <= last:
                painter.drawText(QPointF(x, bar.bottom() + 2 + metrics.ascent()), text)
                last = x
        painter.setFont(font)

    def _draw_figures(self, painter: QPainter, bar: QRectF) -> None:
        theme = current_theme()
        metrics = painter.fontMetrics()
        middle = bar.center().y()
        width, height = metrics.horizontalAdvance(_CLIP_WORD) + 14, metrics.height() + 2
        lamp = QRectF(self.width() - width - 3, middle - height / 2, width, height)
        painter.setPen(theme.color("bad") if self._clipped else theme.color("line"))
        painter.setBrush(theme.color("bad") if self._clipped else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(lamp, 4, 4)
        painter.setPen(theme.color("ground" if self._clipped else "text_off"))
        painter.drawText(lamp, Qt.AlignmentFlag.AlignCenter, _CLIP_WORD)
        left = bar.right() + 10
        level = QRectF(left, lamp.top(), metrics.horizontalAdvance("−60.0 dB"), lamp.height())
        painter.setPen(theme.color("text"))
        align = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(level, align, f"{level_text(self._rms)} dB")
        painter.setPen(theme.color("text_dim"))
        peak = QRectF(level.right() + 8, lamp.top(), lamp.left() - level.right() - 14, lamp.height())
        align = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        painter.drawText(peak, align, f"peak {level_text(self._held)}")

    # Putting the lamp out

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if self._clipped and event.position().x() > self._bar().right():
            self._clear_clip()
        super().mousePressEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if self._clipped and event.key() == Qt.Key.Key_Space:
            self._clear_clip()
        else:
            super().keyPressEvent(event)

    def _clear_clip(self) -> None:
        self._clipped = False
        self._describe()
        self.update(QRect(self.rect()))
        self.clip_cleared.emit()


def level_text(decibels: float) -> str:
    """A level as people read it: `−14`, or `−∞` below the floor."""
    if decibels <= FLOOR_DB:
        return "−∞"
    return f"{round(decibels)}".replace("-", "−")
