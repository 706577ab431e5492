"""The columns of a waveform that is still being recorded."""

from __future__ import annotations

import numpy as np

from app.widgets.envelope import Columns, Floats


class LiveColumns:
    """Grows by columns of equal length; read like an `Envelope` whose unit is one such column."""

    def __init__(self) -> None:
        self._data = np.zeros((3, 1024), dtype=np.float32)
        self._clipped = np.zeros(1024, dtype=np.bool_)
        self.count = 0

    def append(self, low: Floats, high: Floats, rms: Floats, clipped: np.ndarray) -> None:
        """Add columns; all four arrays have one entry a column."""
        end = self.count + len(low)
        while end > self._data.shape[1]:
            self._data = np.concatenate([self._data, np.zeros_like(self._data)], axis=1)
            self._clipped = np.concatenate([self._clipped, np.zeros_like(self._clipped)])
        self._data[:, self.count : end] = low, high, rms
        self._clipped[self.count : end] = clipped
        self.count = end

    def columns(self, start: float, end: float, count: int) -> Columns:
        """`count` columns over the recorded columns `start` to `end`; silence where nothing is recorded yet."""
        edges = np.linspace(start, end, count + 1)
        first = np.floor(edges[:-1] + 1e-6).astype(np.int64)
        last = np.maximum(np.ceil(edges[1:] - 1e-6).astype(np.int64), first + 1)
        inside = (last > 0) & (first < self.count)
        out = np.zeros((3, count), dtype=np.float32)
        clipped = np.zeros(count, dtype=np.bool_)
        if inside.any():
            a, b = np.clip(first[inside], 0, self.count - 1), np.clip(last[inside], 1, self.count)
            pairs = np.stack([a, b], axis=1).reshape(-1)
            data = np.append(self._data[:, : self.count], self._data[:, self.count - 1 : self.count], axis=1)
            out[0, inside] = np.minimum.reduceat(data[0], pairs)[::2]
            out[1, inside] = np.maximum.reduceat(data[1], pairs)[::2]
            out[2, inside] = np.maximum.reduceat(data[2], pairs)[::2]
            marks = np.append(self._clipped[: self.count], False)
            clipped[inside] = np.logical_or.reduceat(marks, pairs)[::2]
        return Columns(out[0], out[1], out[2], clipped)
