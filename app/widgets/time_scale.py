"""Round steps and short words for a time axis."""

from __future__ import annotations

import math
from typing import Final

_ROUND_STEPS: Final = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600)


def tick_step(span: float, room: float) -> float:
    """The smallest round step in seconds that puts at most `room` marks on `span` seconds."""
    for step in _ROUND_STEPS:
        if span / step <= room:
            return step
    return math.ceil(span / room / 600) * 600


def ticks(start: float, end: float, step: float) -> list[float]:
    """The multiples of `step` from `start` to `end`, both included."""
    first = math.ceil(start / step - 1e-9)
    last = math.floor(end / step + 1e-9)
    return [index * step for index in range(first, last + 1)]


def axis_text(seconds: float, step: float) -> str:
    """`seconds` as a mark of an axis with that step: `3.25 s`, or `1:05` from a minute up."""
    decimals = max(0, math.ceil(-math.log10(step) - 1e-9))
    if seconds >= 60 and step >= 1:
        return f"{int(seconds // 60)}:{int(seconds % 60):02d}"
    return f"{seconds:.{decimals}f} s"


def clock_text(seconds: float) -> str:
    """`seconds` as minutes, seconds and tenths: `00:18.4`. Cut, not rounded, so that it never runs ahead."""
    tenths = math.floor(max(0.0, seconds) * 10 + 1e-6)
    return f"{tenths // 600:02d}:{tenths // 10 % 60:02d}.{tenths % 10}"
