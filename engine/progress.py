"""Cancelling and progress, the two things every long call takes."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass

from engine.errors import Cancelled


class Cancel:
    """A token handed into a long call; another thread calls `cancel()`, the call looks at it each frame."""

    def __init__(self) -> None:
        self._event = threading.Event()

    def cancel(self) -> None:
        self._event.set()

    @property
    def cancelled(self) -> bool:
        return self._event.is_set()

    def check(self) -> None:
        """Raise `Cancelled` if someone asked for it."""
        if self._event.is_set():
            raise Cancelled


@dataclass(frozen=True)
class Progress:
    """How far a long call is: `done` of `total` in `unit` ("frames", "bytes", "s"); `total` None = unknown."""

    stage: str
    done: float
    total: float | None
    unit: str

    @property
    def fraction(self) -> float | None:
        return None if not self.total else min(1.0, self.done / self.total)


Report = Callable[[Progress], None]


def no_report(_: Progress) -> None:
    """The report of a caller who does not want one."""
