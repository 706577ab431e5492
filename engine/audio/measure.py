"""Figures about sound: level, and how alike two sounds are."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE
from engine.audio.mel import log_mel

_SILENCE_DBFS = -120.0
_SOUND_DBFS = -50.0  # what is below it is a pause
_LOOK_SAMPLES = SAMPLE_RATE // 100

FloatArray = npt.NDArray[np.float32]


def level_dbfs(samples: FloatArray) -> float:
    """RMS level in dB below full scale; -120 for silence."""
    power = float(np.mean(np.square(samples, dtype=np.float64))) if len(samples) else 0.0
    return max(_SILENCE_DBFS, 10 * float(np.log10(power))) if power > 0 else _SILENCE_DBFS


def speech_level_dbfs(samples: FloatArray) -> float:
    """RMS level in dB below full scale of what sounds, pauses left out; -120 if nothing does."""
    looks = _looks(samples)
    loud = looks[looks > 10 ** (_SOUND_DBFS / 20)]
    return level_dbfs(loud) if len(loud) else _SILENCE_DBFS


def sounding(samples: FloatArray) -> tuple[int, int]:
    """From the first sample that sounds to the one after the last, to a hundredth of a second; (0, 0) for none."""
    loud = np.flatnonzero(_looks(samples) > 10 ** (_SOUND_DBFS / 20))
    return (int(loud[0]) * _LOOK_SAMPLES, (int(loud[-1]) + 1) * _LOOK_SAMPLES) if len(loud) else (0, 0)


def mel_correlation(one: FloatArray, other: FloatArray) -> float:
    """Pearson correlation of two sounds' log-mels over the time they share; 1.0 for equal ones."""
    a, b = log_mel(one), log_mel(other)
    frames = min(a.shape[1], b.shape[1])
    return float(np.corrcoef(a[:, :frames].ravel(), b[:, :frames].ravel())[0, 1])


def cosine(one: FloatArray, other: FloatArray) -> float:
    """Cosine of the angle between two vectors, as speaker vectors are compared."""
    return float(np.dot(one, other) / (np.linalg.norm(one) * np.linalg.norm(other)))


def _looks(samples: FloatArray) -> FloatArray:
    """RMS of each hundredth of a second."""
    whole = len(samples) // _LOOK_SAMPLES * _LOOK_SAMPLES
    looks: FloatArray = np.sqrt(np.mean(np.square(samples[:whole].reshape(-1, _LOOK_SAMPLES)), axis=1))
    return looks
