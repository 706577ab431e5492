"""Levels and envelopes of sound: pure functions over float32 samples, full scale = 1.0."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import engine

Samples = NDArray[np.float32]

FLOOR_DBFS = -120.0  # what silence is called, so that no meter has to show minus infinity


def to_dbfs(amplitude: float) -> float:
    """Decibels relative to full scale, no less than -120."""
    return FLOOR_DBFS if amplitude <= 1e-6 else float(20.0 * np.log10(amplitude))


def peak_dbfs(samples: Samples) -> float:
    """The largest sample, any channel."""
    return to_dbfs(float(np.abs(samples).max())) if samples.size else FLOOR_DBFS


def rms_dbfs(samples: Samples) -> float:
    """RMS of the loudest channel, `samples` [n] or [n, channels]; a sine at full scale has -3.01."""
    if not samples.size:
        return FLOOR_DBFS
    squares = np.square(samples, dtype=np.float64).mean(axis=0)
    return to_dbfs(float(np.sqrt(squares.max())))


def clipped_runs(samples: Samples) -> int:
    """How often samples in a row stand at full scale, over all channels; [n] or [n, channels]."""
    return len(engine.clipped_runs(samples))


def _as_columns(samples: Samples) -> Samples:
    return samples.reshape(-1, 1) if samples.ndim == 1 else samples


class Envelope:
    """Builds waveform columns, lowest and highest sample each, from sound that arrives in pieces.

    Column `i` covers the frames from `i * sample_rate / columns_per_second` on, however the pieces fall; a
    stereo frame counts with both its samples.
    """

    def __init__(self, sample_rate: int, columns_per_second: int = 100) -> None:
        self._rate = sample_rate
        self._per_second = columns_per_second
        self._rest = np.zeros(0, np.float32)
        self._frames_before = 0  # frames in all finished columns
        self._columns = 0

    def add(self, samples: Samples) -> Samples:
        """The columns that `samples` ([n] or [n, channels]) complete: float32 [columns, 2], min and max."""
        both = _as_columns(samples)
        pairs = np.stack([both.min(axis=1, initial=np.inf), both.max(axis=1, initial=-np.inf)], axis=1)
        pending = np.concatenate([self._rest.reshape(-1, 2), pairs]).astype(np.float32, copy=False)
        end = (self._frames_before + len(pending)) * self._per_second // self._rate
        starts = self._starts(self._columns, end + 1) - self._frames_before
        self._rest = pending[starts[-1] :]
        self._frames_before += int(starts[-1])
        self._columns = end
        return _columns(pending, starts)

    def finish(self) -> Samples:
        """The last, shorter column, if there is one: float32 [0 or 1, 2]."""
        rest, self._rest = self._rest.reshape(-1, 2), np.zeros(0, np.float32)
        return _columns(rest, np.array([0, len(rest)])) if len(rest) else np.zeros((0, 2), np.float32)

    def _starts(self, first: int, stop: int) -> NDArray[np.int64]:
        """First frame of the columns `first` to `stop` - 1, rounded up."""
        return -(-np.arange(first, stop, dtype=np.int64) * self._rate // self._per_second)


def _columns(pairs: Samples, starts: NDArray[np.int64]) -> Samples:
    """Reduce `pairs` [n, 2] between consecutive `starts` to one pair each."""
    if len(starts) < 2:
        return np.zeros((0, 2), np.float32)
    pairs = pairs[: starts[-1]]
    lows = np.minimum.reduceat(pairs[:, 0], starts[:-1])
    highs = np.maximum.reduceat(pairs[:, 1], starts[:-1])
    return np.stack([lows, highs], axis=1)


def envelope(samples: Samples, sample_rate: int, columns_per_second: int = 100) -> Samples:
    """All columns of a finished sound at once: float32 [columns, 2], minimum and maximum."""
    builder = Envelope(sample_rate, columns_per_second)
    return np.concatenate([builder.add(samples), builder.finish()])
