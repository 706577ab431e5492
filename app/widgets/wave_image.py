"""The waveform as pixels: every column of the screen has its own exact extent, edges are blended."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np
from PySide6.QtGui import QImage

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QColor

    from app.widgets.envelope import Columns

    Bytes = NDArray[np.uint8]
    Floats = NDArray[np.float32]

_THINNEST = 1.25  # device pixels; silence is still a line


def hull_image(columns: Columns, height: int, color: QColor, clipped: QColor) -> QImage:
    """Lowest to highest value of every column, `height` device pixels for -1 to 1; clipped columns in `clipped`."""
    return _image(_cover(columns.low, columns.high, height), columns.clipped, color, clipped)


def core_image(columns: Columns, height: int, color: QColor, clipped: QColor) -> QImage:
    """The loudness (root mean square) of every column around the middle line."""
    high = np.minimum(columns.rms, columns.high)
    low = np.maximum(-columns.rms, columns.low)
    return _image(_cover(low, np.maximum(high, low), height), columns.clipped, color, clipped)


def _cover(low: Floats, high: Floats, height: int) -> Bytes:
    """How much of every pixel lies between `low` and `high`, uint8 [height, columns]."""
    half = np.float32(height / 2)
    top, bottom = half - half * high, half - half * low
    missing = np.maximum(_THINNEST - (bottom - top), 0) / 2
    top, bottom = (top - missing).astype(np.float32), (bottom + missing).astype(np.float32)
    rows = np.arange(height, dtype=np.float32)[:, None]
    cover = np.minimum(bottom[None, :], rows + 1)
    cover -= np.maximum(top[None, :], rows)
    np.clip(cover, 0, 1, out=cover)
    cover *= 255
    return cast("Bytes", cover.astype(np.uint8))


def _image(cover: Bytes, clipped: NDArray[np.bool_], color: QColor, clipped_color: QColor) -> QImage:
    pixels = _shades(color)[cover]
    if clipped.any():
        pixels[:, clipped] = _shades(clipped_color)[cover[:, clipped]]
    height, width = cover.shape
    image = QImage(pixels.tobytes(), width, height, width * 4, QImage.Format.Format_ARGB32_Premultiplied)
    return image.copy()  # owns its pixels; the bytes above go away


def _shades(color: QColor) -> NDArray[np.uint32]:
    """`color` at every opacity from 0 to 255, premultiplied, as 0xAARRGGBB."""
    alpha = np.arange(256, dtype=np.uint32)
    red, green, blue = (alpha * channel // 255 for channel in (color.red(), color.green(), color.blue()))
    return np.asarray((alpha << 24) | (red << 16) | (green << 8) | blue, dtype=np.uint32)
