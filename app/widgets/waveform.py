"""The waveform over the shared time axis."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRect, QRectF
from PySide6.QtGui import QPainter

from app.theme import current_theme
from app.widgets.envelope import Envelope, Floats
from app.widgets.live_columns import LiveColumns
from app.widgets.pane_paint import draw_mark_text, hairline
from app.widgets.time_pane import TimePane
from app.widgets.wave_image import core_image, hull_image

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtWidgets import QWidget

    from app.widgets.envelope import Columns
    from app.widgets.timeline import Timeline

_LEVEL_MARKS: Final = ((1.0, "0 dB"), (0.5, "−6"), (0.0, "−∞"), (-0.5, "−6"), (-1.0, "0 dB"))
_CLIP_MARK_HEIGHT: Final = 5
_WARN_HEIGHT: Final = 4


class WaveformView(TimePane):
    """Lowest to highest value at every zoom, the loudness inside it, clipped runs in red with a mark at the rim.

    It shows sound on the axis of `timeline`, whose duration the page sets. A recording in progress is shown with
    `start_live` and `append_columns`.
    """

    def __init__(
        self, timeline: Timeline, name: str = "Waveform", parent: QWidget | None = None, *, ruler: bool = False
    ) -> None:
        super().__init__(timeline, name, parent, ruler=ruler)
        self._source: Envelope | LiveColumns | None = None
        self._rate = 1.0  # units of the source a second
        self._warned: tuple[tuple[float, float], ...] = ()

    @property
    def clipped_runs(self) -> NDArray[np.int64]:
        """Start and end samples of the clipped runs shown, int64 [runs, 2]."""
        if isinstance(self._source, Envelope):
            return self._source.clipped_runs
        return np.zeros((0, 2), dtype=np.int64)

    def set_samples(self, samples: Floats, sample_rate: int) -> None:
        """Show `samples`, float32 mono from -1 to 1."""
        self.set_envelope(Envelope(samples), sample_rate)

    def set_envelope(self, envelope: Envelope, sample_rate: int) -> None:
        """Show a sound summarised elsewhere (a worker; an `Envelope` of a long sound takes a while)."""
        self._source, self._rate = envelope, float(sample_rate)
        self.invalidate()

    def set_warned(self, spans: tuple[tuple[float, float], ...]) -> None:
        """Mark these seconds with an amber bar at the lower rim."""
        if spans != self._warned:
            self._warned = spans
            self.invalidate()

    def clear(self) -> None:
        """Show no sound."""
        self._source = None
        self.invalidate()

    def start_live(self, column_seconds: float = 0.01) -> None:
        """A recording begins; every column that comes stands for `column_seconds`."""
        self._source, self._rate = LiveColumns(), 1.0 / column_seconds
        self.invalidate()

    def append_columns(self, low: Floats, high: Floats, rms: Floats | None = None) -> None:
        """Add columns to the recording in progress: lowest and highest value, and loudness where known.

        Only the part of the picture that they fill is drawn.
        """
        live = self._source
        if not isinstance(live, LiveColumns):
            raise RuntimeError("append_columns needs start_live first")
        before = live.count
        loudness = np.zeros_like(low) if rms is None else rms
        live.append(low, high, loudness, np.maximum(np.abs(low), np.abs(high)) >= 0.999)
        self._draw_new(before, live.count)

    # Painting

    def has_content(self) -> bool:
        return self._source is not None

    def draw_plot(self, painter: QPainter, plot: QRect, scale: float) -> None:
        _draw_grid(painter, plot, plot.left(), plot.width())
        if self.timeline.span > 0:
            self._draw_columns(painter, plot, scale, 0, math.ceil(plot.width() * scale))
            self._draw_warned(painter, plot)

    def _draw_warned(self, painter: QPainter, plot: QRect) -> None:
        per_second = plot.width() / self.timeline.span
        for start, end in self._warned:
            left = max(plot.left(), plot.left() + (start - self.timeline.start) * per_second)
            right = min(plot.right() + 1.0, plot.left() + (end - self.timeline.start) * per_second)
            if right > left:
                bar = QRectF(left, plot.bottom() + 1 - _WARN_HEIGHT, max(right - left, _WARN_HEIGHT), _WARN_HEIGHT)
                painter.fillRect(bar, current_theme().color("warn"))

    def draw_gutters(self, painter: QPainter, plot: QRect) -> None:
        room = painter.fontMetrics().height()
        marks = _LEVEL_MARKS if plot.height() >= 4.5 * room else _LEVEL_MARKS[::2]
        for amplitude, text in marks:
            draw_mark_text(painter, plot.left() - 6, _y_at(plot, amplitude), text)

    def _draw_columns(self, painter: QPainter, plot: QRect, scale: float, first: int, last: int) -> None:
        """Draw the device pixel columns `first` to `last` of the plot."""
        assert self._source is not None
        per_pixel = self.timeline.span / (plot.width() * scale)
        if isinstance(self._source, LiveColumns):  # nothing is drawn over time that was not recorded yet
            recorded = self._source.count / self._rate - self.timeline.start
            last = min(last, math.ceil(recorded / per_pixel))
        start, end = (self.timeline.start + per_pixel * column for column in (first, last))
        if last <= first:
            return
        columns = self._source.columns(start * self._rate, end * self._rate, last - first)
        theme = current_theme()
        height = math.floor(plot.height() * scale)
        lines = per_pixel * self._rate < 1 or not columns.rms.any()
        hull = theme.color("accent" if lines else "wave_peak")
        corner = hairline(painter, QRectF(plot.left() + first / scale, plot.top(), 1, 1)).topLeft()
        images = [hull_image(columns, height, hull, theme.color("bad"))]
        if not lines:
            images.append(core_image(columns, height, theme.color("accent"), theme.color("bad")))
        for image in images:
            image.setDevicePixelRatio(scale)
            painter.drawImage(corner, image)
        _draw_clip_marks(painter, plot, corner, columns, scale)

    def _draw_new(self, before: int, after: int) -> None:
        picture, plot = self._picture, self.plot_rect()
        if picture is None or self.timeline.span <= 0:
            self.invalidate()
            return
        scale = picture.devicePixelRatio()
        pixels = plot.width() * scale / (self.timeline.span * self._rate)
        offset = self.timeline.start * self._rate
        first = max(0, math.floor((before - offset) * pixels))
        last = min(math.ceil(plot.width() * scale), math.ceil((after - offset) * pixels))
        if last <= first:
            return
        area = QRect(
            plot.left() + math.floor(first / scale), plot.top(), math.ceil((last - first) / scale) + 1, plot.height()
        )
        painter = QPainter(picture)
        painter.setClipRect(plot)
        left = hairline(painter, QRectF(plot.left() + first / scale, plot.top(), 1, 1)).left()
        width = (last - first) / scale
        painter.fillRect(QRectF(left, plot.top(), width, plot.height()), current_theme().color("well"))
        _draw_grid(painter, plot, left, width)
        self._draw_columns(painter, plot, scale, first, last)
        painter.end()
        self.update(area.adjusted(-1, 0, 1, 0))


def _draw_grid(painter: QPainter, plot: QRect, left: float, width: float) -> None:
    """The lines at nothing and at half of full scale, from `left` on."""
    for amplitude in (-0.5, 0.0, 0.5):
        line = QRectF(left, _y_at(plot, amplitude), width, 1)
        painter.fillRect(hairline(painter, line), current_theme().color("line"))


def _y_at(plot: QRect, amplitude: float) -> float:
    return plot.top() + (1 - amplitude) / 2 * plot.height()


def _draw_clip_marks(painter: QPainter, plot: QRect, corner: QPointF, columns: Columns, scale: float) -> None:
    """A red mark at the upper rim over every clipped run, never thinner than two device pixels."""
    ink = current_theme().color("bad")
    for column in np.flatnonzero(columns.clipped):
        x = corner.x() + (int(column) - 0.5) / scale
        painter.fillRect(QRectF(x, plot.top(), 2 / scale, _CLIP_MARK_HEIGHT), ink)
