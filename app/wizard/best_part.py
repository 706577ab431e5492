"""Which part of a long sound to clone from, if the person does not say."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import engine
from app.wizard import checks

_SNAP_SECONDS = 0.75  # an edge may move inwards this far to fall into a pause
_CLIPPED = 0.999


def best_part(samples: NDArray[np.float32], longest_seconds: float = checks.LONGEST_SECONDS) -> tuple[float, float]:
    """Start and end in seconds: the whole sound, or the `longest_seconds` with the most unclipped speech.

    `samples` float32 [n] at 24 kHz. Edges inside the sound are moved into the nearest pause.
    """
    seconds = len(samples) / engine.SAMPLE_RATE
    if seconds <= longest_seconds:
        return 0.0, seconds
    hops = engine.hop_levels(samples)
    worth = engine.is_speech(hops).astype(np.int64) - 4 * _clipped_hops(samples, len(hops))
    width = round(longest_seconds / engine.LEVEL_HOP_SECONDS)
    sums = np.concatenate(([0], np.cumsum(worth)))
    scores = sums[width:] - sums[:-width]
    equal = np.flatnonzero(scores == scores.max())
    first = int(equal[len(equal) // 2])  # in the middle, so that the speech has air at both ends
    return _into_pauses(hops, first, first + width, seconds)


def _clipped_hops(samples: NDArray[np.float32], count: int) -> NDArray[np.int64]:
    hop = round(engine.LEVEL_HOP_SECONDS * engine.SAMPLE_RATE)
    places = np.flatnonzero(np.abs(samples) >= _CLIPPED) // hop
    return (np.bincount(places, minlength=count)[:count] >= 3).astype(np.int64)


def _into_pauses(hops: NDArray[np.float32], first: int, last: int, seconds: float) -> tuple[float, float]:
    """Move each edge inwards to the quietest hop near it, but for edges at the ends of the sound."""
    reach = round(_SNAP_SECONDS / engine.LEVEL_HOP_SECONDS)
    if first > 0:
        first += int(np.argmin(hops[first : first + reach]))
    if last < len(hops):
        last = last - reach + 1 + int(np.argmin(hops[last - reach : last]))
    return first * engine.LEVEL_HOP_SECONDS, min(last * engine.LEVEL_HOP_SECONDS, seconds)
