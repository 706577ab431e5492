"""The mel spectrogram over the shared time axis: the very mel that the speaker encoder sees."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QEvent, QPointF, QRect, QRectF, Qt
from PySide6.QtGui import QImage, QPainter

from app.theme import current_theme
from app.widgets.color_maps import MapName, color_map
from app.widgets.mel_image import SPAN_DECIBELS, MelPicture
from app.widgets.pane_paint import draw_mark_text, hairline
from app.widgets.time_pane import TimePane

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QMouseEvent
    from PySide6.QtWidgets import QWidget

    from app.widgets.timeline import Timeline

_MARKS_HZ: Final = ((100, "100 Hz"), (300, "300"), (1000, "1 kHz"), (3000, "3 kHz"), (10000, "10 kHz"))
_LEGEND_STEP: Final = 20
_LEGEND_WIDTH: Final = 10


class MelView(TimePane):
    """Bands upwards by their centres, seconds to the right, a legend in dB below the loudest bin.

    The colours are computed once for each mel; a zoom stretches that picture, a moving cursor redraws nothing of it.
    """

    _cursor_color = "picture_cursor"
    _veil_color = "picture_veil"

    settle_ms = 45

    def __init__(
        self, timeline: Timeline, name: str = "Mel spectrogram", parent: QWidget | None = None, *, ruler: bool = True
    ) -> None:
        super().__init__(timeline, name, parent, ruler=ruler)
        self._mel: MelPicture | None = None
        self._image: QImage | None = None
        self._frame_seconds = 1.0
        self._centres: NDArray[np.float32] = np.zeros(0, dtype=np.float32)
        self._colors: MapName = "magma"
        self._pointer: QPointF | None = None

    def set_mel(self, mel: NDArray[np.float32], frame_seconds: float, centres_hz: NDArray[np.float32]) -> None:
        """Show `mel`, float32 [bands, frames], natural logarithm, lowest band first.

        Frame k covers k to k + 1 times `frame_seconds`; `centres_hz` are the rising centres of the bands.
        """
        if len(centres_hz) != mel.shape[0]:
            raise ValueError(f"{mel.shape[0]} bands need as many centres, not {len(centres_hz)}")
        self._mel, self._frame_seconds = MelPicture(mel), frame_seconds
        self._centres = np.asarray(centres_hz, dtype=np.float32)
        self._recolour()

    def clear(self) -> None:
        """Show no mel."""
        self._mel = self._image = None
        self.invalidate()

    @property
    def color_map(self) -> MapName:
        return self._colors

    def set_color_map(self, name: MapName) -> None:
        """Draw in "magma" or "viridis"."""
        self._colors = name
        self._recolour()

    def image(self) -> QImage | None:
        """The picture, one pixel a bin, band 0 in the bottom row; None while there is no mel."""
        return self._image

    # Geometry

    def y_of_hz(self, hz: float) -> float:
        """Height of the frequency `hz` in logical pixels; the centre of a band lies in the middle of its row."""
        plot = self.plot_rect()
        band = float(np.interp(hz, self._centres, np.arange(len(self._centres))))
        return plot.top() + plot.height() * (1 - (band + 0.5) / len(self._centres))

    def band_at_y(self, y: float) -> int:
        """The band drawn at the height `y`."""
        plot = self.plot_rect()
        band = math.floor(len(self._centres) * (1 - (y - plot.top()) / plot.height()))
        return min(max(0, band), len(self._centres) - 1)

    # Painting

    def has_content(self) -> bool:
        return self._mel is not None and self._mel.frames > 0

    def draw_plot(self, painter: QPainter, plot: QRect, scale: float) -> None:
        assert self._mel is not None
        assert self._image is not None
        if self.timeline.span <= 0:
            return
        first, last = (seconds / self._frame_seconds for seconds in (self.timeline.start, self.timeline.end))
        last = min(last, float(self._mel.frames))
        target = QRectF(plot)
        target.setRight(self.x_at(last * self._frame_seconds))
        columns = math.ceil(target.width() * scale)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if last - first > columns:
            image = self._mel.pooled(first, last, columns, color_map(self._colors))
            painter.drawImage(target, image, QRectF(image.rect()))
        else:
            painter.drawImage(target, self._image, QRectF(first, 0, last - first, self._mel.bands))

    def draw_gutters(self, painter: QPainter, plot: QRect) -> None:
        if self._mel is None:
            return
        ink = current_theme().color("edge")
        lowest = float(plot.bottom())
        room = painter.fontMetrics().height() * 0.9
        for hz, text in _MARKS_HZ:
            y = self.y_of_hz(hz)
            painter.fillRect(hairline(painter, QRectF(plot.left() - 5, y, 5, 1)), ink)
            if lowest - y >= room or hz == _MARKS_HZ[0][0]:
                draw_mark_text(painter, plot.left() - 8, y, text)
                lowest = y
        self._draw_legend(painter, plot)

    def draw_over(self, painter: QPainter, plot: QRect) -> None:
        text = self._readout()
        if not text:
            return
        theme = current_theme()
        box = self._readout_box(painter.fontMetrics().horizontalAdvance(text) + 16)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("raised", 0.92))
        painter.drawRoundedRect(box, theme.radius.control, theme.radius.control)
        painter.setPen(theme.color("text"))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, text)

    def _recolour(self) -> None:
        self._image = self._mel.image(color_map(self._colors)) if self._mel is not None else None
        self.invalidate()

    def _draw_legend(self, painter: QPainter, plot: QRect) -> None:
        bar = QRectF(plot.right() + 9, plot.top(), _LEGEND_WIDTH, plot.height())
        colors = np.ascontiguousarray(color_map(self._colors)[::-1])
        painter.drawImage(bar, QImage(colors.tobytes(), 1, len(colors), 4, QImage.Format.Format_RGB32))
        metrics = painter.fontMetrics()
        step = _LEGEND_STEP if plot.height() >= 5 * metrics.height() else 2 * _LEGEND_STEP
        painter.setPen(current_theme().color("text_dim"))
        for below in range(0, int(SPAN_DECIBELS) + 1, step):
            y = plot.top() + plot.height() * below / SPAN_DECIBELS
            text = "0 dB" if below == 0 else f"−{below}"
            painter.drawText(QPointF(bar.right() + 6, y + metrics.ascent() - metrics.height() / 2), text)

    # The bin under the pointer

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        super().mouseMoveEvent(event)
        self._point_at(event.position())

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)
        super().leaveEvent(event)

    def _point_at(self, position: QPointF | None) -> None:
        self._pointer = position
        if self._mel is not None:
            self.update(self._readout_box(self.plot_rect().width()).toAlignedRect())

    def _readout(self) -> str:
        plot = self.plot_rect()
        if self._mel is None or self._pointer is None or not plot.contains(self._pointer.toPoint()):
            return ""
        frame = math.floor(self.seconds_at(self._pointer.x()) / self._frame_seconds)
        if not 0 <= frame < self._mel.frames:
            return ""
        band = self.band_at_y(self._pointer.y())
        level = self._mel.relative_decibels(band, frame)
        seconds, hz = frame * self._frame_seconds, float(self._centres[band])
        return f"{seconds:.2f} s   {hz:.0f} Hz   {level:.0f} dB".replace("-", "−")

    def _readout_box(self, width: float) -> QRectF:
        plot = self.plot_rect()
        width = min(width, plot.width() - 16)
        return QRectF(plot.right() - 7 - width, plot.top() + 8, width, self.fontMetrics().height() + 8)
