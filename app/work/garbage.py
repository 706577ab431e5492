"""Python's cyclic garbage, collected in the window's thread only.

Python collects in whichever thread happens to allocate, a lane's worker as well. A Qt object in a cycle is then
destroyed in the wrong thread, and one with a running timer takes the process down with it.
"""

from __future__ import annotations

import gc
import time

from PySide6.QtCore import QObject, QTimer

INTERVAL_MS = 200
_FULL_SECONDS = 10.0  # between two full collections, which look at every object there is
_LONG_SECONDS = 0.02  # a full collection that takes longer has libraries to look at; they are set apart


class GarbageCollector(QObject):
    """Between `start` and `stop`, replaces Python's automatic collection by one on a timer in this thread."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._full_at = time.monotonic()
        self._timer = QTimer(self)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self._collect_what_is_due)

    def start(self) -> None:
        """Take over; call it before the first lane is made."""
        gc.disable()
        self._full_at = time.monotonic()
        self._timer.start()

    def stop(self) -> None:
        """Give collection back to Python; call it when the last lane is closed."""
        self._timer.stop()
        gc.enable()

    def _collect_what_is_due(self) -> None:
        """By Python's own counts and thresholds."""
        due = [count > threshold for count, threshold in zip(gc.get_count(), gc.get_threshold(), strict=True)]
        if not due[0]:
            return
        if not due[1]:
            gc.collect(0)
        elif not due[2] or time.monotonic() - self._full_at < _FULL_SECONDS:
            gc.collect(1)
        else:
            self._collect_all()

    def _collect_all(self) -> None:
        began = time.perf_counter()
        gc.collect()
        if time.perf_counter() - began > _LONG_SECONDS:
            gc.freeze()
        self._full_at = time.monotonic()
