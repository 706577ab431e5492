"""A word cut at either end."""

from __future__ import annotations

import numpy as np

from engine.audio.clip import SAMPLE_RATE
from engine.audio.doctor.finding import Finding, Keep, Mend
from engine.audio.doctor.hearing import FloatArray, Hearing
from engine.audio.reference import ends_loud, quiet_end

_MARK_SECONDS = 0.15
_SHORTEST_LEFT_SECONDS = 1.0
_REACH_SECONDS = 3.0


def end(hearing: Hearing) -> Finding | None:
    """The last moment is as loud as speech."""
    if not ends_loud(hearing.samples):
        return None
    seconds = hearing.clip.seconds
    cut = _pause(hearing.samples) / SAMPLE_RATE
    why = "The voice may finish the word before your text. Cut where it pauses."
    mend = _keep(0.0, cut, seconds)
    return Finding(
        "end", "warn", "Ends in mid-word", why, spans=((max(0.0, seconds - _MARK_SECONDS), seconds),), mend=mend
    )


def start(hearing: Hearing) -> Finding | None:
    """The first moment is as loud as speech."""
    backwards = np.ascontiguousarray(hearing.samples[::-1])
    if not ends_loud(backwards):
        return None
    seconds = hearing.clip.seconds
    cut = seconds - _pause(backwards) / SAMPLE_RATE
    why = "Half a word is learned as one. Begin where it pauses."
    mend = _keep(cut, seconds, seconds)
    return Finding("start", "note", "Begins in mid-word", why, spans=((0.0, min(seconds, _MARK_SECONDS)),), mend=mend)


def _pause(samples: FloatArray) -> int:
    """The nearest place where it could end, or the next one in reach; where it ends, if there is none."""
    near = quiet_end(samples)
    return near if near < len(samples) else quiet_end(samples, _REACH_SECONDS)


def _keep(first: float, last: float, seconds: float) -> Mend | None:
    if last - first > seconds - 0.005 or last - first < _SHORTEST_LEFT_SECONDS:
        return None
    return Mend("Trim", Keep(first, last))
