"""A mel that was made ready in a lane, so that ten minutes of it are drawn without holding up the window."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QRect, QRectF
from PySide6.QtGui import QImage, QPainter

import engine
from app.widgets.color_maps import color_map
from app.widgets.mel_image import MelPicture
from app.widgets.mel_view import MelView

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]

_PIECE_FRAMES = 3000  # 32 s at a time: bounded memory, and a look at the cancel token in between
_EDGE_FRAMES = 4  # a frame's window reaches less than this far to either side


def log_mel_in_pieces(samples: Floats, cancel: engine.Cancel) -> Floats:
    """`engine.log_mel` of `samples`, float32 [128, samples // 256]: the very same values, piece by piece."""
    hop = round(engine.MEL_FRAME_SECONDS * engine.SAMPLE_RATE)
    frames = len(samples) // hop
    pieces: list[Floats] = []
    for first in range(0, max(1, frames - _EDGE_FRAMES), _PIECE_FRAMES):
        cancel.check()
        last = first + _PIECE_FRAMES if first + _PIECE_FRAMES < frames - _EDGE_FRAMES else frames
        before = min(first, _EDGE_FRAMES)
        end = len(samples) if last == frames else (last + _EDGE_FRAMES) * hop
        mel = engine.log_mel(samples[(first - before) * hop : end])
        pieces.append(mel[:, before : before + last - first])
    return np.concatenate(pieces, axis=1)


class PreparedMel(MelPicture):
    """Sums over time are computed once and not with every picture."""

    def __init__(self, mel: Floats) -> None:
        super().__init__(mel)
        self._sums = np.zeros((self.frames + 1, self.bands), dtype=np.uint32)  # a frame's bands lie side by side
        for first in range(0, self.frames, _PIECE_FRAMES):  # numpy holds the interpreter while it accumulates
            piece = self.levels[:, first : first + _PIECE_FRAMES].T.astype(np.uint32)
            sums = np.cumsum(piece, axis=0, dtype=np.uint32)
            self._sums[first + 1 : first + 1 + len(piece)] = sums + self._sums[first]

    def pooled(self, start: float, end: float, columns: int, colors: NDArray[np.uint32]) -> QImage:
        edges = np.linspace(start, end, columns + 1)
        first = np.clip(np.floor(edges[:-1]).astype(np.int64), 0, self.frames - 1)
        last = np.clip(np.ceil(edges[1:]).astype(np.int64), first + 1, self.frames)
        means = (self._sums[last] - self._sums[first]) // (last - first).astype(np.uint32)[:, None]
        return _image(colors[means.T])

    def cropped(self, first: int, last: int, colors: NDArray[np.uint32]) -> QImage:
        """The frames `first` to `last`, one pixel a bin."""
        return _image(colors[self.levels[:, first:last]])


class PreparedMelView(MelView):
    """Colours only what it shows. A painter cannot address the columns past 32767 of a picture anyway."""

    def set_prepared(self, mel: PreparedMel) -> None:
        """Show a mel of the engine's own frame length and bands."""
        self._mel, self._frame_seconds = mel, engine.MEL_FRAME_SECONDS
        self._centres = engine.mel_centres_hz()
        self._recolour()

    def image(self) -> QImage | None:
        """The whole picture, one pixel a bin; made when it is asked for."""
        return None if self._mel is None else self._mel.image(color_map(self._colors))

    def draw_plot(self, painter: QPainter, plot: QRect, scale: float) -> None:
        mel = self._mel
        if not isinstance(mel, PreparedMel) or self.timeline.span <= 0:
            return
        first, last = (seconds / self._frame_seconds for seconds in (self.timeline.start, self.timeline.end))
        last = min(last, float(mel.frames))
        target = QRectF(plot)
        target.setRight(self.x_at(last * self._frame_seconds))
        columns = math.ceil(target.width() * scale)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        if last - first > columns:
            image = mel.pooled(first, last, columns, color_map(self._colors))
            painter.drawImage(target, image, QRectF(image.rect()))
        elif last > first:
            begin = math.floor(first)
            image = mel.cropped(begin, math.ceil(last), color_map(self._colors))
            painter.drawImage(target, image, QRectF(first - begin, 0, last - first, mel.bands))

    def _recolour(self) -> None:
        self.invalidate()


def _image(pixels: NDArray[np.uint32]) -> QImage:
    height, width = pixels.shape
    return QImage(np.ascontiguousarray(pixels).tobytes(), width, height, width * 4, QImage.Format.Format_RGB32).copy()
