"""Two takes against each other: one key goes from A to B at the same place and at equal loudness."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np
from PySide6.QtCore import QObject, Signal

from app.speak.take import SAMPLE_RATE, Samples

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from app.speak.listening import Listening
    from app.speak.takes import Takes

Side = Literal["A", "B"]

_BLOCK = SAMPLE_RATE // 50
_PAUSE_DECIBELS = 40.0  # below the loudest block: not speech, and not counted


class Comparing(QObject):
    """Signals: `changed()`: other takes are A and B."""

    changed = Signal()

    def __init__(self, takes: Takes, listening: Listening, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._takes, self._listening = takes, listening
        self._ids: dict[Side, str] = {}
        self._levels: dict[str, float] = {}
        self._seconds = 0.0
        listening.moved.connect(self._follow)
        takes.changed.connect(self._forget_deleted)

    @property
    def sides(self) -> dict[str, Side]:
        """A or B by the id of a take."""
        return {take_id: side for side, take_id in self._ids.items()}

    @property
    def chosen(self) -> tuple[str, str]:
        """The ids of A and B, to be kept; empty for a side that is not chosen."""
        return self._ids.get("A", ""), self._ids.get("B", "")

    def restore(self, chosen: Sequence[str]) -> None:
        """Make those A and B that `chosen` names and that are still here."""
        sides: tuple[Side, Side] = ("A", "B")
        self._ids = {side: one for side, one in zip(sides, chosen, strict=False) if self._takes.find(one) is not None}
        self.changed.emit()

    def mark(self, side: Side, take_id: str) -> None:
        """Make a take A or B; one that is the other side changes places."""
        other: Side = "B" if side == "A" else "A"
        if self._ids.get(other) == take_id:
            before = self._ids.pop(side, "")
            if before:
                self._ids[other] = before
            else:
                del self._ids[other]
        self._ids[side] = take_id
        self.changed.emit()

    def switch(self) -> None:
        """Hear the other one from the same place on; A first. Nothing happens while there are not two."""
        if len(self._ids) < 2:
            return
        heard = self._listening.heard_id
        side: Side = "B" if heard == self._ids["A"] else "A"
        start = self._seconds if heard in self._ids.values() else 0.0
        take = self._takes.find(self._ids[side])
        if take is None:
            return
        if start >= take.seconds - 0.1:
            start = 0.0
        self._measure_both(lambda gain: self._listening.play(take, start, gain), side)

    def _measure_both(self, then: Callable[[float], object], side: Side) -> None:
        """Call `then` with the gain of `side` once both takes have been measured."""
        missing = [take_id for take_id in self._ids.values() if take_id not in self._levels]
        if not missing:
            softest = min(self._levels[take_id] for take_id in self._ids.values())
            then(equal_gain(self._levels[self._ids[side]], softest))
            return
        take = self._takes.find(missing[0])
        if take is None:
            return

        def keep(samples: Samples) -> None:
            self._levels[missing[0]] = speech_level(samples)
            self._measure_both(then, side)

        self._takes.read(take, keep, lambda: None)

    def _follow(self, seconds: float) -> None:
        self._seconds = seconds

    def _forget_deleted(self) -> None:
        gone = [side for side, take_id in self._ids.items() if self._takes.find(take_id) is None]
        for side in gone:
            del self._ids[side]
        if gone:
            self.changed.emit()


def speech_level(samples: Samples) -> float:
    """Root mean square of the blocks of 20 ms that are speech; 0 for silence."""
    whole = len(samples) // _BLOCK * _BLOCK
    if not whole:
        return float(np.sqrt(np.mean(np.square(samples)))) if len(samples) else 0.0
    power = np.mean(np.square(samples[:whole].reshape(-1, _BLOCK)), axis=1)
    loud = power[power >= power.max() * 10 ** (-_PAUSE_DECIBELS / 10)]
    return float(np.sqrt(loud.mean()))


def equal_gain(level: float, softest: float) -> float:
    """What brings `level` down to `softest`: the louder is made softer, so that nothing clips."""
    return 1.0 if level <= 0 or softest <= 0 else min(1.0, softest / level)
