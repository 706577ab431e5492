"""A log-mel as a PNG, for people without a window."""

from __future__ import annotations

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


def write_mel_picture(path: str | Path, mel: npt.NDArray[np.float32], pixels_per_band: int = 2) -> None:
    """Write ln-mel float32 [bands, frames] as a PNG, low bands at the bottom. Raises `WriteError`."""
    level = np.clip((mel - (mel.max() - _RANGE)) / _RANGE, 0, 1) * (len(_MAGMA) - 1)
    steps = np.arange(len(_MAGMA))
    channels = [np.interp(level, steps, _MAGMA[:, c]) for c in range(3)]
    image = np.stack(channels, axis=-1)[::-1].astype(np.uint8)
    image = image.repeat(pixels_per_band, axis=0).repeat(pixels_per_band, axis=1)
    write_atomically(path, _png(np.ascontiguousarray(image)))


def _png(image: npt.NDArray[np.uint8]) -> bytes:
    """Encode uint8 [height, width, 3]."""
    import av

    encoder = av.CodecContext.create("png", "w")
    encoder.height, encoder.width = image.shape[:2]
    encoder.pix_fmt = "rgb24"
    packets = [*encoder.encode(av.VideoFrame.from_ndarray(image, format="rgb24")), *encoder.encode(None)]
    return b"".join(bytes(packet) for packet in packets)
