"""How long the window stood still: the longest gap in the GUI event loop."""

from __future__ import annotations

import time
from dataclasses import dataclass

from PySide6.QtCore import QObject, Qt, QTimer

TICK_MS = 5
LONG_STALL_MS = 50.0  # three missed frames at 60 Hz; a person sees it


@dataclass(frozen=True)
class Stall:
    """One long gap: when it ended, in seconds since `start()`, and how late the tick was."""

    at_seconds: float
    milliseconds: float


class StallMeter(QObject):
    """Measures the longest stall of the event loop of the thread it lives in.

    A precise 5 ms timer notes how much later than expected each of its ticks comes. `stop()` gives the
    longest delay in milliseconds; `stalls` keeps every delay over 50 ms, `percentile_ms` knows all of them.
    """

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(TICK_MS)
        self._timer.timeout.connect(self._tick)
        self._began = self._last = 0.0
        self._longest_ms = 0.0
        self._stalls: list[Stall] = []
        self._delays_ms: list[float] = []

    @property
    def running(self) -> bool:
        return self._timer.isActive()

    @property
    def longest_ms(self) -> float:
        """The longest stall so far, in milliseconds."""
        return self._longest_ms

    @property
    def stalls(self) -> tuple[Stall, ...]:
        """Every stall over 50 ms since `start()`, in order."""
        return tuple(self._stalls)

    @property
    def ticks(self) -> int:
        """How many delays were measured."""
        return len(self._delays_ms)

    def percentile_ms(self, percent: float) -> float:
        """The delay in milliseconds that `percent` of all ticks stayed within; 0 before the first."""
        ordered = sorted(self._delays_ms)
        return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0

    def start(self) -> None:
        """Begin afresh."""
        self._longest_ms = 0.0
        self._delays_ms.clear()
        self._stalls.clear()
        self._began = self._last = time.perf_counter()
        self._timer.start()

    def stop(self) -> float:
        """End the measurement and return the longest stall in milliseconds; a stall still going on counts."""
        if self._timer.isActive():
            self._tick()
            self._timer.stop()
        return self._longest_ms

    def _tick(self) -> None:
        now = time.perf_counter()
        late_ms = max(0.0, (now - self._last) * 1000.0 - TICK_MS)
        self._last = now
        self._longest_ms = max(self._longest_ms, late_ms)
        self._delays_ms.append(late_ms)
        if late_ms > LONG_STALL_MS:
            self._stalls.append(Stall(now - self._began, late_ms))
