"""The mel as pixels. Band 0, the lowest, is the bottom row."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Final, cast

import numpy as np
from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float32]
    Bytes = NDArray[np.uint8]

DECIBELS_PER_NEPER: Final = 20 / math.log(10)  # the mel is the natural logarithm of a magnitude
SPAN_DECIBELS: Final = 80.0
_LEAST_TOP: Final = -20.0  # silence sits at -100 dB; it must come out dark and not as the loudest thing there is


class MelPicture:
    """A mel made ready to draw: `levels` uint8 [bands, frames], top row first, 0 quiet to 255 loud.

    `mel` is float32 [bands, frames], natural logarithm, lowest band first. `top_decibels` is the level drawn loudest.
    """

    def __init__(self, mel: Floats) -> None:
        if mel.ndim != 2 or mel.shape[0] < 1:
            raise ValueError(f"a mel has the shape [bands, frames], this one has {mel.shape}")
        self.decibels = mel * np.float32(DECIBELS_PER_NEPER)
        peak = float(self.decibels.max()) if mel.shape[1] else _LEAST_TOP
        self.top_decibels = max(peak, _LEAST_TOP)
        share = (self.decibels - (self.top_decibels - SPAN_DECIBELS)) / SPAN_DECIBELS
        levels = np.round(np.clip(share, 0, 1) * 255).astype(np.uint8)
        self.levels: Bytes = np.ascontiguousarray(levels[::-1])

    @property
    def bands(self) -> int:
        return int(self.levels.shape[0])

    @property
    def frames(self) -> int:
        return int(self.levels.shape[1])

    def relative_decibels(self, band: int, frame: int) -> float:
        """Level of one bin below the loudest, as the legend counts it."""
        return float(self.decibels[band, frame]) - self.top_decibels

    def image(self, colors: NDArray[np.uint32]) -> QImage:
        """One pixel a bin."""
        return _image(self.levels, colors)

    def pooled(self, start: float, end: float, columns: int, colors: NDArray[np.uint32]) -> QImage:
        """`columns` pixels over the frames `start` to `end`, each the mean of the frames under it."""
        edges = np.linspace(start, end, columns + 1)
        first = np.clip(np.floor(edges[:-1]).astype(np.int64), 0, self.frames - 1)
        last = np.clip(np.ceil(edges[1:]).astype(np.int64), first + 1, self.frames)
        sums = np.zeros((self.bands, self.frames + 1), dtype=np.uint32)
        np.cumsum(self.levels, axis=1, out=sums[:, 1:])
        pooled = (sums[:, last] - sums[:, first]) // (last - first).astype(np.uint32)
        return _image(cast("Bytes", pooled.astype(np.uint8)), colors)


def _image(levels: Bytes, colors: NDArray[np.uint32]) -> QImage:
    pixels = np.ascontiguousarray(colors[levels])
    height, width = levels.shape
    return QImage(pixels.tobytes(), width, height, width * 4, QImage.Format.Format_RGB32).copy()
