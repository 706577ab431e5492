"""Length, level, clipping, silence and channels."""

from __future__ import annotations

from typing import Final

import numpy as np

from engine.audio.clip import Clip
from engine.audio.doctor.finding import Amplify, Finding, Keep, Mend
from engine.audio.doctor.hearing import LEVEL_HOP_SECONDS, Hearing

SHORTEST_SECONDS: Final = 1.0  # below it nothing of a voice is left
USEFUL_SECONDS: Final = 3.0
BEST_SECONDS: Final = (5.0, 15.0)
LONGEST_REFERENCE_SECONDS: Final = 30.0  # the encoder hears no more, and the memory of a clone stays bounded
DIGITAL_SILENCE: Final = 1 / 32768  # digital silence: nothing leaves the lowest step of 16 bits
_QUIET_DBFS = -45.0
_WANTED_DBFS = -20.0
_HIGHEST_PEAK_DBFS = -1.0
_MOSTLY_SILENCE = 0.6
_AIR_SECONDS = 0.25  # left around the speech when silence is cut off


def length_finding(seconds: float) -> Finding:
    """The length against the useful range, in words."""
    figure = f"{seconds:.1f} s"
    if seconds > LONGEST_REFERENCE_SECONDS + 0.005:
        return Finding(
            "length", "bad", f"{figure}: select {LONGEST_REFERENCE_SECONDS:.0f} s at most",
            "More than half a minute is not used. Drag the edges of the selection, or take the best part.", True,
        )  # fmt: skip
    if seconds < SHORTEST_SECONDS:
        return Finding(
            "length", "bad", f"{figure}: too short", "Select a second at least; 5 to 15 seconds are best.", True
        )
    if seconds < USEFUL_SECONDS:
        return Finding("length", "warn", f"{figure}: short", "The likeness suffers below 3 seconds; 5 to 15 are best.")
    if seconds < BEST_SECONDS[0]:
        return Finding("length", "note", f"{figure}: enough", "It will do; 5 to 15 seconds are better.")
    if seconds <= BEST_SECONDS[1]:
        return Finding("length", "good", f"{figure}: good length", "5 to 15 seconds are best.")
    return Finding("length", "good", f"{figure}: long enough", "More than 15 seconds rarely bring more likeness.")


def digital_silence(clip: Clip) -> Finding | None:
    """Nothing at all, as from a muted microphone; then there is nothing else to say."""
    if len(clip.samples) and float(np.abs(clip.samples).max()) > DIGITAL_SILENCE:
        return None
    why = "Nothing was heard at all. Choose another part, microphone or file."
    return Finding("silence", "bad", "Digital silence", why, True, spans=((0.0, clip.seconds),))


def level(hearing: Hearing) -> Finding:
    """Loudness of the speech, without the pauses."""
    found = hearing.speech_dbfs
    figure = f"{found:.0f} dB".replace("-", "−")
    if found >= _QUIET_DBFS:
        return Finding("level", "good", f"Level {figure}", "The loudness of the speech, without the pauses.")
    peak = 20 * np.log10(float(np.abs(hearing.samples).max()))
    gain = round(min(_WANTED_DBFS - found, _HIGHEST_PEAK_DBFS - peak), 1)
    why = "A quiet clip makes a quiet voice. Go nearer to the microphone, or amplify it here."
    return Finding("level", "warn", f"Very quiet, {figure}", why, mend=Mend(f"Amplify by {gain:.0f} dB", Amplify(gain)))


def clipping(clip: Clip) -> Finding:
    """Runs at full scale, as they were before the sound was resampled."""
    places = len(clip.clipped)
    if not places:
        return Finding("clipping", "good", "No clipping", "No run of samples stands at full scale.")
    text = f"Clipped in {places} place{'s' if places > 1 else ''}"
    why = "Distortion is cloned too. Choose another part, or record more softly."
    return Finding("clipping", "warn", text, why, spans=clip.clipped)


def silence(hearing: Hearing) -> Finding:
    """How much of the clip is pauses."""
    share = 1 - float(hearing.speech.mean())
    text = f"{100 * share:.0f} % pauses"
    if share <= _MOSTLY_SILENCE:
        return Finding("silence", "good", text, "How much of the selection is silent.")
    return Finding("silence", "warn", text, "Most of the selection is silent. Select the speech.", mend=_trim(hearing))


def _trim(hearing: Hearing) -> Mend | None:
    """Cut the silence off both ends, if there is any to speak of."""
    loud = np.flatnonzero(hearing.speech) * LEVEL_HOP_SECONDS
    if not len(loud):
        return None
    start = max(0.0, float(loud[0]) - _AIR_SECONDS)
    end = min(hearing.clip.seconds, float(loud[-1]) + LEVEL_HOP_SECONDS + _AIR_SECONDS)
    shorter = end - start < hearing.clip.seconds - 0.5 and end - start >= SHORTEST_SECONDS
    return Mend("Cut silence off", Keep(start, end)) if shorter else None


def channels(clip: Clip) -> Finding | None:
    """A side that is dead or turned around, which reading has taken care of."""
    if clip.sides == "dead":
        return Finding("channels", "note", "A silent channel", "Only the channels with sound in them are used.")
    if clip.sides == "opposed":
        return Finding("channels", "note", "Opposite phase", "Its two sides would cancel, so only the first is used.")
    return None
