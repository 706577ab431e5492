"""How fast this computer should speak, from two things measured in a fraction of a second: memory and arithmetic.

A frame reads every weight of the talker once and of the code predictor fifteen times, and costs the codec a fixed
number of operations; on a CPU the first is bound by memory, the second by arithmetic (docs/speed.md).
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np

from engine.model.precisions import BYTES_PER_WEIGHT

_READ_BYTES: Final = 192 << 20  # well beyond any cache
_MATRIX: Final = 768
_TURNS: Final = 3
_FRAME_SECONDS: Final = 0.08
_WEIGHTS_PER_FRAME: Final = {"0.6B": 1.65e9, "1.7B": 2.65e9}  # talker, and fifteen times the code predictor
_CODEC_OPERATIONS: Final = 4.96e9  # a frame, counted by torch
_SHARE_REACHED: Final = 0.7  # of either limit, by what has been measured


@dataclass(frozen=True)
class MachineSpeed:
    """Bytes a second that one core reads from memory, operations a second that it computes in float32."""

    bytes_per_second: float
    operations_per_second: float


def measure_machine() -> MachineSpeed:
    """Measure, in about half a second. The best of several turns: other programs only ever slow it down."""
    block = np.ones(_READ_BYTES // 8, np.float64)
    reading = min(_seconds(block.sum) for _ in range(_TURNS))
    one, other = np.ones((2, _MATRIX, _MATRIX), np.float32)
    computing = min(_seconds(lambda: one @ other) for _ in range(_TURNS))
    return MachineSpeed(_READ_BYTES / reading, 2 * _MATRIX**3 / computing)


def expected_realtime_factor(size_label: str, precision: str, machine: MachineSpeed) -> float | None:
    """Seconds of work per second of speech of a released size, estimated; None for a size that is not released."""
    weights = _WEIGHTS_PER_FRAME.get(size_label)
    if weights is None:
        return None
    reading = weights * BYTES_PER_WEIGHT[precision] / machine.bytes_per_second
    computing = _CODEC_OPERATIONS / machine.operations_per_second
    return (reading + computing) / _SHARE_REACHED / _FRAME_SECONDS


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
