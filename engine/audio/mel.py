"""The constants of the speaker encoder's front end, and its log-mel. The mel on the screen is this one."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE
from engine.errors import ClipError

if TYPE_CHECKING:
    from torch import Tensor

FFT_SAMPLES = 1024
HOP_SAMPLES = 256
MEL_BANDS = 128
LOWEST_HZ = 0.0
HIGHEST_HZ = 12_000.0
MAGNITUDE_FLOOR = 1e-9  # added to the power under the root
MEL_FLOOR = 1e-5  # before the logarithm
MEL_FRAME_SECONDS = HOP_SAMPLES / SAMPLE_RATE
_EDGE_SAMPLES = (FFT_SAMPLES - HOP_SAMPLES) // 2  # reflected at either end, so that frames = samples // hop
SHORTEST_SAMPLES = _EDGE_SAMPLES + 1

# Slaney's scale: linear up to 1 kHz at 200/3 Hz a mel, then 27 mels to each factor of 6.4.
_HZ_PER_MEL = 200.0 / 3
_LOG_FROM_HZ = 1000.0
_LOG_FROM_MEL = _LOG_FROM_HZ / _HZ_PER_MEL
_LOG_STEP = np.log(6.4) / 27.0

FloatArray = npt.NDArray[np.float32]


def _hz_to_mel(hz: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    above = _LOG_FROM_MEL + np.log(np.maximum(hz, 1e-10) / _LOG_FROM_HZ) / _LOG_STEP
    return np.where(hz >= _LOG_FROM_HZ, above, hz / _HZ_PER_MEL)


def _mel_to_hz(mel: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    above = _LOG_FROM_HZ * np.exp(_LOG_STEP * (mel - _LOG_FROM_MEL))
    return np.where(mel >= _LOG_FROM_MEL, above, mel * _HZ_PER_MEL)


@cache
def _corners_hz() -> npt.NDArray[np.float64]:
    """The corners of the triangles: band b rises from corner b, peaks at b + 1, falls to b + 2."""
    low, high = _hz_to_mel(np.array([LOWEST_HZ, HIGHEST_HZ]))
    return _mel_to_hz(np.linspace(low, high, MEL_BANDS + 2))


def mel_centres_hz() -> FloatArray:
    """The peak of each band, float32 [128], in Hz."""
    return _corners_hz()[1:-1].astype(np.float32)


@cache
def mel_filters() -> FloatArray:
    """Slaney-normalised triangles, float32 [128, 513]: each has unit area in Hz.

    Rounded to float32 before they are normalised, as librosa does: the official x-vectors then come out bit for bit.
    """
    bins_hz = np.linspace(0, SAMPLE_RATE / 2, FFT_SAMPLES // 2 + 1)
    corners = _corners_hz()
    widths = np.diff(corners)
    slopes = corners[:, None] - bins_hz[None]
    rising = -slopes[:-2] / widths[:-1, None]
    falling = slopes[2:] / widths[1:, None]
    triangles = np.maximum(0, np.minimum(rising, falling)).astype(np.float32)
    return (triangles * (2.0 / (corners[2:] - corners[:-2]))[:, None]).astype(np.float32)


def mel_tensor(samples: Tensor) -> Tensor:
    """ln-mel float32 [batch, 128, samples // 256] of `samples` float32 [batch, n] at 24 kHz, not normalised."""
    import torch

    if samples.shape[-1] < SHORTEST_SAMPLES:
        raise ClipError(f"The clip has {samples.shape[-1] / SAMPLE_RATE:.3f} s of sound, too little for a spectrogram.")
    padded = torch.nn.functional.pad(samples[:, None], (_EDGE_SAMPLES, _EDGE_SAMPLES), mode="reflect")[:, 0]
    window = torch.hann_window(FFT_SAMPLES)
    spectrum = torch.stft(padded, FFT_SAMPLES, HOP_SAMPLES, window=window, center=False, return_complex=True)
    magnitude = torch.sqrt(spectrum.real.square() + spectrum.imag.square() + MAGNITUDE_FLOOR)
    mel = torch.from_numpy(mel_filters()) @ magnitude
    return torch.log(mel.clamp(min=MEL_FLOOR))


def log_mel(samples: FloatArray) -> FloatArray:
    """ln-mel float32 [128, samples // 256] of float32 [n] at 24 kHz. Raises `ClipError` under 385 samples."""
    import torch

    with torch.inference_mode():
        mel: FloatArray = mel_tensor(torch.from_numpy(np.ascontiguousarray(samples, np.float32))[None])[0].numpy()
    return mel
