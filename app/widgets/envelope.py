"""Lowest, highest and mean-square value of a sound between any two moments, fast at every zoom."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

_BLOCKS: Final = (16, 256, 4096)
_FULL_SCALE: Final = 0.999
_CLIPPED_RUN: Final = 3  # fewer samples at full scale are an honest peak


@dataclass(frozen=True, slots=True)
class Columns:
    """One value a column: `low` and `high` from -1 to 1, `rms` from 0 to 1, and whether a clipped run lies in it."""

    low: Floats
    high: Floats
    rms: Floats
    clipped: NDArray[np.bool_]

    @property
    def count(self) -> int:
        return len(self.low)


@dataclass(frozen=True, slots=True)
class _Level:
    block: int
    low: Floats
    high: Floats
    square: Floats


class Envelope:
    """Summary of `samples` (float32 mono) in blocks of several sizes."""

    def __init__(self, samples: Floats, clipped_runs: NDArray[np.int64] | None = None) -> None:
        self.samples = np.ascontiguousarray(samples, dtype=np.float32)
        self.clipped_runs = find_clipped_runs(self.samples) if clipped_runs is None else clipped_runs
        self._levels = _levels(self.samples)

    def columns(self, start: float, end: float, count: int) -> Columns:
        """`count` columns over the samples `start` to `end` (may be fractions, may reach outside the sound)."""
        edges = np.linspace(start, end, count + 1)
        per_column = (end - start) / max(count, 1)
        if per_column < 1 and len(self.samples) > 1:
            return self._curve(edges)
        level = self._level_for(per_column)
        length = len(level.low)
        first = np.floor(edges[:-1] / level.block).astype(np.int64)
        last = np.maximum(np.ceil(edges[1:] / level.block).astype(np.int64), first + 1)
        inside = (last > 0) & (first < length)
        if length == 0 or not inside.any():
            return _silence(count)
        pairs = np.stack([np.clip(first, 0, length - 1), np.clip(last, 1, length)], axis=1)
        low = _reduced(np.minimum, level.low, pairs)
        high = _reduced(np.maximum, level.high, pairs)
        square = _reduced(np.add, level.square, pairs) / (pairs[:, 1] - pairs[:, 0])
        rms = np.sqrt(square)
        for values in (low, high, rms):
            values[~inside] = 0.0
        return Columns(low, high, rms, self._clipped(edges))

    def _curve(self, edges: NDArray[np.float64]) -> Columns:
        """Columns finer than samples: straight lines from the middle of one sample to the next."""
        first = min(max(0, int(edges[0]) - 2), len(self.samples) - 1)
        last = min(max(first + 1, int(edges[-1]) + 3), len(self.samples))
        places = np.arange(first, last) + 0.5
        values = np.interp(edges, places, self.samples[first:last]).astype(np.float32)
        low, high = np.minimum(values[:-1], values[1:]), np.maximum(values[:-1], values[1:])
        return Columns(low, high, np.zeros_like(low), self._clipped(edges))

    def _level_for(self, samples_per_column: float) -> _Level:
        for level in reversed(self._levels):
            if level.block * 2 <= samples_per_column:
                return level
        return self._levels[0]

    def _clipped(self, edges: NDArray[np.float64]) -> NDArray[np.bool_]:
        marked = np.zeros(len(edges) - 1, dtype=np.bool_)
        if len(self.clipped_runs):
            starts, ends = self.clipped_runs[:, 0], self.clipped_runs[:, 1]
            begun = np.searchsorted(starts, edges[1:], side="left")
            over = np.searchsorted(ends, edges[:-1], side="right")
            marked = begun > over
        return marked


def find_clipped_runs(samples: Floats) -> NDArray[np.int64]:
    """Start and end (exclusive) of every run of three or more samples at full scale, int64 [runs, 2]."""
    full = np.zeros(len(samples) + 2, dtype=np.int8)
    full[1:-1] = np.abs(samples) >= _FULL_SCALE
    change = np.diff(full)
    runs = np.stack([np.flatnonzero(change == 1), np.flatnonzero(change == -1)], axis=1)
    return runs[runs[:, 1] - runs[:, 0] >= _CLIPPED_RUN]


def _levels(samples: Floats) -> list[_Level]:
    levels = [_Level(1, samples, samples, samples * samples)]
    for block in _BLOCKS:
        below = levels[-1]
        factor = block // below.block
        if len(below.low) < factor:
            break
        starts = np.arange(0, len(below.low), factor)
        sizes = np.diff(np.append(starts, len(below.low)))
        square = np.add.reduceat(below.square, starts) / sizes
        levels.append(
            _Level(
                block,
                np.minimum.reduceat(below.low, starts),
                np.maximum.reduceat(below.high, starts),
                square.astype(np.float32),
            )
        )
    return levels


def _reduced(operation: np.ufunc, values: Floats, pairs: NDArray[np.int64]) -> Floats:
    """`operation` over values[a:b] for every pair; one reduceat, the odd pieces between pairs thrown away."""
    lowest, highest = int(pairs.min()), int(pairs.max())
    part = values[lowest : highest + 1]
    if highest == len(values):
        part = np.append(part, part[-1])  # reduceat takes no index past the end
    return np.asarray(operation.reduceat(part, (pairs - lowest).reshape(-1))[::2], dtype=np.float32)


def _silence(count: int) -> Columns:
    zeros = np.zeros(count, dtype=np.float32)
    return Columns(zeros, zeros.copy(), zeros.copy(), np.zeros(count, dtype=np.bool_))
