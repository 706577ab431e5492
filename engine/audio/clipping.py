"""Clipping: samples in a row at full scale, as a converter leaves them. Measured before resampling rounds the runs."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FULL_SCALE = 32766.5 / 32768  # the top step of a 16-bit converter counts as full scale
SHORTEST_RUN = 3  # samples; a single one can be an honest peak
_ONE_PLACE_SECONDS = 0.05  # runs closer than this are one place

Span = tuple[float, float]


def clipped_runs(samples: npt.NDArray[np.floating], shortest: int = SHORTEST_RUN) -> npt.NDArray[np.int64]:
    """First sample and the one after the last of every run, int64 [runs, 2]; `samples` [n] or [n, channels]."""
    columns = samples.reshape(len(samples), -1)
    return np.concatenate([_runs(np.abs(columns[:, side]) >= FULL_SCALE, shortest) for side in range(columns.shape[1])])


def clipped_spans(samples: npt.NDArray[np.floating], sample_rate: int) -> tuple[Span, ...]:
    """Where `samples` clip, in seconds, neighbouring runs together."""
    runs = clipped_runs(samples) / sample_rate
    spans: list[Span] = []
    for start, end in sorted((float(start), float(end)) for start, end in runs):
        if spans and start - spans[-1][1] < _ONE_PLACE_SECONDS:
            spans[-1] = (spans[-1][0], max(end, spans[-1][1]))
        else:
            spans.append((start, end))
    return tuple(spans)


def _runs(flags: npt.NDArray[np.bool_], shortest: int) -> npt.NDArray[np.int64]:
    edges = np.diff(np.concatenate(([0], flags.view(np.int8), [0])))
    runs = np.stack([np.flatnonzero(edges == 1), np.flatnonzero(edges == -1)], axis=1)
    return runs[runs[:, 1] - runs[:, 0] >= shortest]
