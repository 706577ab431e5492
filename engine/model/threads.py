"""How many threads compute what, chosen by a short measurement, again when it has become old.

Weights come from memory, which a few cores may exhaust; and where a core is busy elsewhere, a thread on it only holds
up the others. So more threads are taken only where they are seen to help.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import torch
from torch import nn

from engine import kernels
from engine.model.native_linear import NativeLinear
from engine.model.runtime import thread_limit, usable_cores

_OLD_SECONDS = 20.0
_WORTH = 0.9  # of the time that fewer threads need
_LAYERS = 8  # measured: the largest, more than a cache holds
_ROUNDS = 4
_WARM_SECONDS = 0.012  # a thread wakes on the core of the one that woke it; so long until they are parted


@dataclass(frozen=True)
class Threads:
    """How many share a product of the kernels; `beside`: the codec computes at the same time as the talker.

    Not torch's threads: with another number of them its sums, and so a sound's last bits, come out differently.
    """

    count: int
    beside: bool

    def use(self) -> None:
        """Compute so from now on."""
        kernels.set_threads(self.count)


def share_out(cores: int, seconds: Mapping[int, float]) -> Threads:
    """Of `seconds` by number of threads: the fewest that do well. With several, talker and codec take turns, which is
    faster than to part the cores unless both take about as long; with one, the codec gets another core."""
    best = min(seconds)
    for count in sorted(seconds):
        if seconds[count] < _WORTH * seconds[best]:
            best = count
    return Threads(best, beside=best == 1 and cores > 1)


class ThreadChooser:
    """Chooses for the layers of `modules`. Where the person, or `OMP_NUM_THREADS`, set a limit, that is taken."""

    def __init__(self, modules: Iterable[nn.Module]) -> None:
        layers = [part for whole in modules for part in whole.modules() if isinstance(part, NativeLinear)]
        layers.sort(key=lambda layer: layer.packed_bytes, reverse=True)
        self._layers = layers[:_LAYERS]
        self._chosen: tuple[float, Threads] | None = None

    def choose(self) -> Threads:
        """Measured now, or not long ago."""
        now, limit = time.monotonic(), thread_limit()
        if limit is not None:
            return Threads(limit, beside=True)
        if self._chosen is None or now - self._chosen[0] > _OLD_SECONDS:
            self._chosen = (now, self._measured())
        return self._chosen[1]

    def _measured(self) -> Threads:
        cores = usable_cores()
        if not self._layers:  # torch's kernels: every step waits for all threads, so one core is left to the codec
            return Threads(1, beside=True)
        counts = [1 << power for power in range(cores.bit_length()) if 1 << power < cores]
        return share_out(cores, {count: self._seconds(count) for count in (*counts, cores)})

    @torch.inference_mode()
    def _seconds(self, threads: int) -> float:
        kernels.set_threads(threads)
        rows = [torch.zeros(1, layer.in_features) for layer in self._layers]

        def run() -> float:
            began = time.perf_counter()
            for layer, row in zip(self._layers, rows, strict=True):
                layer(row)
            return time.perf_counter() - began

        warm = 0.0
        while threads > 1 and warm < _WARM_SECONDS:
            warm += run()
        return min(run() for _ in range(_ROUNDS))
