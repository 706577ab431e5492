"""What several checks need to know of a sound, measured once: levels, pitch, where speech is, spectra.

Speech is told by its level against the loudest part and by voiced sounds close by. A trained detector (silero-vad)
would be an 11 MB package and a second network for one figure.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
from numpy.lib.stride_tricks import sliding_window_view

from engine.audio.clip import SAMPLE_RATE, Clip

LEVEL_HOP_SECONDS = 0.05
FINE_SECONDS = 0.01
FFT_SAMPLES = 2048
STEP_SAMPLES = 512
FLOOR_DBFS = -120.0
_BELOW_LOUDEST_DB = 30.0  # a hop this far under the loudest ones is a pause
_PAUSE_DBFS = -60.0
_PITCH_HZ = (65.0, 400.0)
_PITCH_SAMPLES = 1024  # at a third of the rate: 128 ms, three periods of the lowest pitch and its longest lag
_PITCH_STEP_SAMPLES = 400  # 50 ms
_VOICED = 0.5  # of the normalised autocorrelation

FloatArray = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]


class Hearing:
    """Figures of one clip, each computed when first asked for."""

    def __init__(self, clip: Clip) -> None:
        self.clip = clip
        self.samples = clip.samples - np.float32(clip.samples.mean(dtype=np.float64))  # an offset is no loudness

    @cached_property
    def hops(self) -> FloatArray:
        """RMS in dBFS of every 50 ms."""
        return hop_levels(self.samples)

    @cached_property
    def speech(self) -> Flags:
        """Which 50 ms hold speech."""
        return is_speech(self.hops)

    @cached_property
    def fine(self) -> FloatArray:
        """RMS in dBFS of every 10 ms."""
        return hop_levels(self.samples, FINE_SECONDS)

    @cached_property
    def speech_dbfs(self) -> float:
        """Level of the speech, pauses left out."""
        loud = self.hops[self.speech].astype(np.float64)
        return float(10 * np.log10(np.mean(10 ** (loud / 10)))) if len(loud) else FLOOR_DBFS

    @cached_property
    def spectra(self) -> FloatArray:
        """Power, float32 [frames, 1025], of 85 ms every 21 ms; none of a shorter clip."""
        if len(self.samples) < FFT_SAMPLES:
            return np.zeros((0, FFT_SAMPLES // 2 + 1), np.float32)
        frames = sliding_window_view(self.samples, FFT_SAMPLES)[::STEP_SAMPLES]
        window = np.hanning(FFT_SAMPLES).astype(np.float32)
        pieces = [np.abs(np.fft.rfft(frames[at : at + 256] * window)) ** 2 for at in range(0, len(frames), 256)]
        return np.concatenate(pieces).astype(np.float32)

    @cached_property
    def pitch_hz(self) -> FloatArray:
        """Pitch of every 50 ms, 0 where nothing is voiced; it begins 64 ms into the sound."""
        low = self.samples[: len(self.samples) // 3 * 3].reshape(-1, 3).mean(axis=1)
        if len(low) < _PITCH_SAMPLES:
            return np.zeros(0, np.float32)
        frames = sliding_window_view(low, _PITCH_SAMPLES)[::_PITCH_STEP_SAMPLES].astype(np.float64)
        return _pitch(frames - frames.mean(axis=1, keepdims=True))

    @cached_property
    def voiced_share(self) -> float:
        """How much of what is loud has a pitch, 0 to 1."""
        count = min(len(self.pitch_hz), len(self.speech))
        loud = self.speech[:count]
        return float((self.pitch_hz[:count][loud] > 0).mean()) if loud.any() else 0.0


def hop_levels(samples: FloatArray, hop_seconds: float = LEVEL_HOP_SECONDS) -> FloatArray:
    """RMS in dBFS of every hop, float32 [hops]; a shorter rest at the end counts as a hop."""
    hop = round(hop_seconds * SAMPLE_RATE)
    starts = np.arange(0, len(samples), hop)
    sums = np.add.reduceat(np.square(samples, dtype=np.float64), starts)
    sizes = np.diff(np.append(starts, len(samples)))
    return (10 * np.log10(np.maximum(sums / sizes, 10 ** (FLOOR_DBFS / 10)))).astype(np.float32)


def is_speech(hops: FloatArray) -> Flags:
    """Which hops are not pauses, judged by their level against the loudest twentieth."""
    loudest = float(np.percentile(hops, 95))
    return np.asarray(hops > max(loudest - _BELOW_LOUDEST_DB, _PAUSE_DBFS))


def spans_of(flags: Flags, hop_seconds: float, shortest_seconds: float = 0.0) -> tuple[tuple[float, float], ...]:
    """Stretches of set flags in seconds."""
    edges = np.diff(np.concatenate(([0], flags.astype(np.int8), [0])))
    pairs = zip(np.flatnonzero(edges == 1), np.flatnonzero(edges == -1), strict=True)
    spans = ((float(start) * hop_seconds, float(end) * hop_seconds) for start, end in pairs)
    return tuple(span for span in spans if span[1] - span[0] >= shortest_seconds)


def _pitch(frames: Doubles) -> FloatArray:
    rate = SAMPLE_RATE / 3
    size = 2 * _PITCH_SAMPLES
    products = np.fft.irfft(np.abs(np.fft.rfft(frames, size)) ** 2)
    first, last = round(rate / _PITCH_HZ[1]), round(rate / _PITCH_HZ[0])
    lags = np.arange(first, last)
    energy = np.maximum(products[:, :1], 1e-9)
    alike = products[:, first:last] / energy * (_PITCH_SAMPLES / (_PITCH_SAMPLES - lags))
    best = alike.max(axis=1)
    # the shortest lag that is nearly as good: a multiple of the period is as alike as the period
    chosen = np.argmax(_peaks(alike) & (alike > 0.85 * best[:, None]), axis=1)
    return np.where(best > _VOICED, rate / lags[chosen], 0).astype(np.float32)


def _peaks(rows: Doubles) -> Flags:
    padded = np.pad(rows, ((0, 0), (1, 1)), constant_values=-np.inf)
    return np.asarray((rows >= padded[:, :-2]) & (rows >= padded[:, 2:]))
