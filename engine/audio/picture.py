"""A log-mel as a PNG, for people without a window."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt

from engine.files import write_atomically

# Magma at nine even steps (red, green, blue); colours between are interpolated.
_MAGMA = np.array(
    [(0, 0, 4), (28, 16, 68), (79, 18, 123), (129, 37, 129), (181, 54, 122), (229, 80, 100), (251, 135, 97),
     (254, 194, 135), (252, 253, 191)],
    np.float32,
)  # fmt: skip
_RANGE = 11.5  # natural-log units shown below the loudest: about 100 dB
_DIFFERENCE = 4.6  # natural-log units that are shown as the brightest difference: about 40 dB
_GAP = 8  # pixels between pictures of one file
_GREY = 128  # of the gap

FloatArray = npt.NDArray[np.float32]


def write_mel_picture(path: str | Path, mel: FloatArray, pixels_per_band: int = 2) -> None:
    """Write ln-mel float32 [bands, frames] as a PNG, low bands at the bottom. Raises `WriteError`."""
    write_atomically(path, _png(_enlarged(_coloured((mel - (mel.max() - _RANGE)) / _RANGE), pixels_per_band)))


def write_comparison_picture(
    path: str | Path, rows: Sequence[tuple[FloatArray, FloatArray]], pixels_per_band: int = 2
) -> None:
    """Write a PNG with a row for each two ln-mels float32 [bands, frames]: one, the other, and their difference.

    All mels share one scale and one width; where one has ended, it is as silent as the scale goes. Equal mels have
    a black difference, 40 dB are the brightest. Raises `WriteError`.
    """
    loudest = max(float(mel.max()) for row in rows for mel in row)
    frames = max(mel.shape[1] for row in rows for mel in row)
    strips = [_strip(row, loudest - _RANGE, frames, pixels_per_band) for row in rows]
    gap = np.full((_GAP, *strips[0].shape[1:]), _GREY, np.uint8)
    parts = [part for strip in strips for part in (gap, strip)][1:]
    write_atomically(path, _png(np.concatenate(parts)))


def _strip(
    row: tuple[FloatArray, FloatArray], floor: float, frames: int, pixels_per_band: int
) -> npt.NDArray[np.uint8]:
    one, other = (
        np.pad(mel, ((0, 0), (0, frames - mel.shape[1])), constant_values=floor).clip(floor, None) for mel in row
    )
    levels = ((one - floor) / _RANGE, (other - floor) / _RANGE, np.abs(one - other) / _DIFFERENCE)
    images = [_enlarged(_coloured(level), pixels_per_band) for level in levels]
    gap = np.full((images[0].shape[0], _GAP, 3), _GREY, np.uint8)
    return np.concatenate([images[0], gap, images[1], gap, images[2]], axis=1)


def _coloured(level: npt.NDArray[np.floating]) -> npt.NDArray[np.uint8]:
    """Levels from 0 to 1 as colours uint8 [bands, frames, 3], low bands at the bottom."""
    level = np.clip(level, 0, 1) * (len(_MAGMA) - 1)
    steps = np.arange(len(_MAGMA))
    channels = [np.interp(level, steps, _MAGMA[:, c]) for c in range(3)]
    return np.stack(channels, axis=-1)[::-1].astype(np.uint8)


def _enlarged(image: npt.NDArray[np.uint8], pixels: int) -> npt.NDArray[np.uint8]:
    return np.ascontiguousarray(image.repeat(pixels, axis=0).repeat(pixels, axis=1))


def _png(image: npt.NDArray[np.uint8]) -> bytes:
    """Encode uint8 [height, width, 3]."""
    import av

    encoder = av.CodecContext.create("png", "w")
    encoder.height, encoder.width = image.shape[:2]
    encoder.pix_fmt = "rgb24"
    packets = [*encoder.encode(av.VideoFrame.from_ndarray(image, format="rgb24")), *encoder.encode(None)]
    return b"".join(bytes(packet) for packet in packets)
