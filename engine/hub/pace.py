"""Speed and time left of a transfer, from the last few seconds of it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable

_SECONDS = 8.0


class Pace:
    """Tell it how far the work is, as often as you like; in a stage of another name it begins anew."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, float]] = deque()
        self._stage = ""

    def add(self, done_bytes: float, stage: str = "") -> None:
        now = self._clock()
        if stage != self._stage:
            self._seen.clear()
            self._stage = stage
        self._seen.append((now, done_bytes))
        while len(self._seen) > 2 and now - self._seen[1][0] > _SECONDS:
            self._seen.popleft()

    @property
    def bytes_per_second(self) -> float:
        """0 while nothing is known."""
        if len(self._seen) < 2:
            return 0.0
        (then, before), (now, done) = self._seen[0], self._seen[-1]
        return max(0.0, done - before) / (now - then) if now > then else 0.0

    def seconds_left(self, done_bytes: float, total_bytes: float) -> float | None:
        """None while it cannot be told."""
        speed = self.bytes_per_second
        return (total_bytes - done_bytes) / speed if speed > 0 else None
