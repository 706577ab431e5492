"""How fast speech is made, and how much of it has to be in hand before it is played."""

from __future__ import annotations

from typing import Final

_LEAST_SECONDS: Final = 0.3
_MOST_SECONDS: Final = 10.0  # of sound: on a computer far too slow, a break every ten seconds rather than a long wait
_MARGIN: Final = 1.1  # the pace is an estimate


class Pace:
    """Sound made a second, since the first of it came: what came before that was the reading of the text."""

    def __init__(self) -> None:
        self._first: tuple[float, float] | None = None
        self._last = (0.0, 0.0)

    def note(self, seconds: float, made_in_seconds: float) -> None:
        """`seconds` of sound are made, after `made_in_seconds`."""
        self._last = (seconds, made_in_seconds)
        if self._first is None and seconds > 0:
            self._first = self._last

    @property
    def speed(self) -> float | None:
        """As times the speed of speech; None before the second piece of sound."""
        if self._first is None or self._last[1] <= self._first[1]:
            return None
        return (self._last[0] - self._first[0]) / (self._last[1] - self._first[1])


def seconds_in_hand(still_to_come: float, speed: float | None) -> float:
    """How many seconds of sound must be ready so that playing does not overtake the making before the end.

    While it plays, `still_to_come` seconds of sound are made at `speed`; what is made slower than it is heard must be
    there before. Between 0.3 s and 10 s.
    """
    if speed is None:
        return _MOST_SECONDS
    lacking = still_to_come * (_MARGIN / max(speed, 1e-3) - 1)
    return min(_MOST_SECONDS, max(_LEAST_SECONDS, lacking))
