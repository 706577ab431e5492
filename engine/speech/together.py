"""Several groups of a long text at once: the weights are read once for all of them, which is what takes the time.

Each group's frames are those it would have alone, and are handed out group by group, so that what becomes sound first
is the first group. A group that ends makes room for the next.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Generator

from torch import Tensor

from engine.progress import Cancel
from engine.speech.generate import LoopSettings, Run, next_frames
from engine.speech.plan import Plan

MOST_TOGETHER = 8
CACHE_BYTES = 2 << 30  # for the keys and values of all groups at once; a group more waits for room

Begin = Callable[[int], tuple[Plan, LoopSettings, Run]]
Steps = Generator[list[tuple[int, Tensor | None]]]


class Together:
    """Groups 0 .. `count` - 1, each begun by `begin`; to be closed."""

    def __init__(
        self,
        begin: Begin,
        count: int,
        most: int,
        cancel: Cancel,
        beside: Callable[[Steps], Steps] = lambda steps: steps,
    ) -> None:
        """`beside` may let the steps be made ahead of their use, in another thread."""
        self._begin, self._count, self._most, self._cancel = begin, count, most, cancel
        self._begun: dict[int, tuple[Plan, LoopSettings]] = {}
        self._made: dict[int, deque[Tensor]] = defaultdict(deque)
        self._over: set[int] = set()  # ended, or not wanted any more
        self.cache_bytes = 0  # at most so far
        self._steps = beside(self._step())

    def close(self) -> None:
        self._steps.close()

    def plan_of(self, index: int) -> tuple[Plan, LoopSettings]:
        """How group `index` is spoken; waits until it has begun."""
        while index not in self._begun:
            self._take()
        return self._begun[index]

    def frames_of(self, index: int) -> Generator[Tensor]:
        """The frames of group `index`, int64 [codebooks]. Where no more are taken, no more are made."""
        made = self._made[index]
        try:
            while made or index not in self._over:
                if made:
                    yield made.popleft()
                else:
                    self._take()
        finally:
            self._over.add(index)
            self._begun.pop(index, None)
            self._made.pop(index, None)

    def _take(self) -> None:
        for index, frame in next(self._steps):
            if frame is None:
                self._over.add(index)
            else:
                self._made[index].append(frame)

    def _step(self) -> Steps:
        waiting, active = deque(range(self._count)), dict[int, Run]()
        while waiting or active:
            self._cancel.check()
            active = {index: run for index, run in active.items() if index not in self._over}
            while waiting and len(active) < self._most and self._has_room(active):
                index = waiting.popleft()
                plan, settings, active[index] = self._begin(index)
                self._begun[index] = (plan, settings)
            if not active:
                return
            frames = next_frames(list(active.values()))
            self.cache_bytes = max(self.cache_bytes, sum(run.cache.nbytes for run in active.values()))
            made = list(zip(active, frames, strict=True))
            for index, frame in made:
                if frame is None:
                    del active[index]
            yield made

    def _has_room(self, active: dict[int, Run]) -> bool:
        """Whether one more fits, as large as the largest now."""
        sizes = [run.cache.nbytes for run in active.values()]
        return not sizes or sum(sizes) + max(sizes) <= CACHE_BYTES
