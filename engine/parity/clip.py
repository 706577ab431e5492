"""The recording that reference results are made with: computed, so that none has to be shipped."""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE

CLIP_SECONDS = 3.1
TRANSCRIPT = "This is what the reference recording says."
_FULL_SCALE = np.float32(32768.0)


def reference_samples(seconds: float, rate: int = SAMPLE_RATE) -> npt.NDArray[np.int16]:
    """int16 [n]: harmonics of a gliding pitch under moving formants and a syllable-like envelope, a little noise."""
    t = np.arange(round(seconds * rate), dtype=np.float64) / rate
    pitch_hz = 140 + 35 * np.sin(2 * np.pi * 0.7 * t) + 10 * np.sin(2 * np.pi * 5.1 * t)
    phase = 2 * np.pi * np.cumsum(pitch_hz) / rate
    formants_hz = (500 + 250 * np.sin(2 * np.pi * 1.3 * t), 1500 + 500 * np.sin(2 * np.pi * 0.9 * t + 1), 2600)
    voice = np.zeros_like(t)
    for k in range(1, 25):
        weight = sum(np.exp(-(((k * pitch_hz - hz) / 180.0) ** 2)) for hz in formants_hz)
        voice += (0.05 + weight) / k**0.5 * np.sin(k * phase)
    envelope = np.clip(np.sin(2 * np.pi * 2.3 * t) + 0.6, 0.02, 1.0)
    wave = 0.12 * voice * envelope + 0.01 * _noise(len(t))
    return np.round(np.clip(wave, -1, 1) * 32767).astype("<i2")


def as_float(samples: npt.NDArray[np.int16]) -> npt.NDArray[np.float32]:
    """float32 within -1 .. 1 of int16 samples."""
    return samples.astype(np.float32) / _FULL_SCALE


def digest(samples: npt.NDArray[np.int16]) -> str:
    """SHA-256 of the little-endian int16 bytes."""
    return hashlib.sha256(samples.tobytes()).hexdigest()


def _noise(count: int) -> npt.NDArray[np.float64]:
    """A linear congruential generator's values in -1 .. 1: no library's random stream."""
    state, out = 12345, np.empty(count)
    for i in range(count):
        state = (1103515245 * state + 12345) % 2147483648
        out[i] = state / 1073741824 - 1
    return out
