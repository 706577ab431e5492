"""How something is said, in figures: pitch, pace, energy; and how far two readings of one text differ."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE
from engine.audio.measure import sounding, speech_level_dbfs

FloatArray = npt.NDArray[np.float32]

_LOWEST_HZ, _HIGHEST_HZ = 60.0, 500.0
_FRAME, _HOP = SAMPLE_RATE // 25, SAMPLE_RATE // 100  # 40 ms: two periods of the lowest pitch and more
_VOICED = 0.5  # of the frame's own power comes back one period later
_ROOM_DB = 30.0  # frames further below the speech than that are no voice


@dataclass(frozen=True)
class Delivery:
    """`pitch_hz` is the median of the voiced frames, None where there are none; `seconds` from the first sound to
    the last; `level_dbfs` the level while there is sound."""

    pitch_hz: float | None
    seconds: float
    level_dbfs: float


@dataclass(frozen=True)
class DeliveryChange:
    """From one reading of a text to another: `pitch_semitones` up (None where either has no pitch), `pace` as times
    the speed, `level_db` louder."""

    pitch_semitones: float | None
    pace: float
    level_db: float


def measure_delivery(samples: FloatArray) -> Delivery:
    """Of `samples` float32 [n] at 24 kHz."""
    first, last = sounding(samples)
    return Delivery(_median_pitch(samples[first:last]), (last - first) / SAMPLE_RATE, speech_level_dbfs(samples))


def delivery_change(before: FloatArray, after: FloatArray) -> DeliveryChange:
    """How `after` is said differently from `before`, both float32 [n] at 24 kHz and of the same words."""
    one, other = measure_delivery(before), measure_delivery(after)
    semitones = None
    if one.pitch_hz is not None and other.pitch_hz is not None:
        semitones = 12 * math.log2(other.pitch_hz / one.pitch_hz)
    pace = one.seconds / other.seconds if one.seconds and other.seconds else 1.0
    return DeliveryChange(semitones, pace, other.level_dbfs - one.level_dbfs)


def _median_pitch(samples: FloatArray) -> float | None:
    """The median of the frames' pitches, by the highest peak of the autocorrelation, refined by a parabola."""
    if len(samples) < _FRAME:
        return None
    frames = np.lib.stride_tricks.sliding_window_view(samples, _FRAME)[::_HOP].astype(np.float64)
    power = np.mean(np.square(frames), axis=1)
    loud = frames[power > power.max() * 10 ** (-_ROOM_DB / 10)]
    pitches = [pitch for frame in loud if (pitch := _pitch(frame)) is not None]
    return float(np.median(pitches)) if pitches else None


def _pitch(frame: npt.NDArray[np.float64]) -> float | None:
    frame = frame - frame.mean()
    spectrum = np.fft.rfft(frame, 2 * _FRAME)
    raw = np.fft.irfft(np.square(np.abs(spectrum)))[:_FRAME]
    if raw[0] <= 0:
        return None
    likeness = raw / raw[0] / (1 - np.arange(_FRAME) / _FRAME)  # as if the frame went on for ever
    low, high = int(SAMPLE_RATE / _HIGHEST_HZ), int(SAMPLE_RATE / _LOWEST_HZ)
    high = min(high, _FRAME * 3 // 4)
    best = float(likeness[low:high].max())
    if best < _VOICED:
        return None
    peaks = np.flatnonzero(
        (likeness[low:high] >= likeness[low - 1 : high - 1])
        & (likeness[low:high] >= likeness[low + 1 : high + 1])
        & (likeness[low:high] > 0.9 * best)  # the first such peak: a multiple of the period is as high
    )
    if not len(peaks):
        return None
    at = int(peaks[0]) + low
    left, middle, right = (float(likeness[at + step]) for step in (-1, 0, 1))
    bend = left - 2 * middle + right
    return SAMPLE_RATE / (at + (0.5 * (left - right) / bend if bend else 0.0))
