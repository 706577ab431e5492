"""Figures about sound: level, and how alike two sounds are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.audio.mel import log_mel

_SILENCE_DBFS = -120.0

FloatArray = npt.NDArray[np.float32]


def level_dbfs(samples: FloatArray) -> float:
    """RMS level in dB below full scale; -120 for silence."""
    power = float(np.mean(np.square(samples, dtype=np.float64))) if len(samples) else 0.0
    return max(_SILENCE_DBFS, 10 * float(np.log10(power))) if power > 0 else _SILENCE_DBFS


def mel_correlation(one: FloatArray, other: FloatArray) -> float:
    """Pearson correlation of two sounds' log-mels over the time they share; 1.0 for equal ones."""
    a, b = log_mel(one), log_mel(other)
    frames = min(a.shape[1], b.shape[1])
    return float(np.corrcoef(a[:, :frames].ravel(), b[:, :frames].ravel())[0, 1])


def cosine(one: FloatArray, other: FloatArray) -> float:
    """Cosine of the angle between two vectors, as speaker vectors are compared."""
    return float(np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))
