"""Plain checks of a selection before it is cloned: length, level, clipping, silence. The same ones everywhere."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

import engine
from app.sound import levels

Samples = NDArray[np.float32]
Verdict = Literal["good", "note", "warn", "bad"]
Key = Literal["length", "level", "clipping", "silence"]
KEYS: Final[tuple[Key, ...]] = ("length", "level", "clipping", "silence")

SHORTEST_SECONDS = 1.0  # below it nothing of a voice is left
USEFUL_SECONDS = 3.0
BEST_SECONDS = (5.0, 15.0)
LONGEST_SECONDS = 30.0  # the encoder hears no more, and the memory of a clone stays bounded
HOP_SECONDS = 0.05
SILENCE = 1 / 32768  # digital silence: nothing leaves the lowest step of 16 bits
_QUIET_DBFS = -45.0
_BELOW_LOUDEST_DB = 30.0  # a hop this far under the loudest ones is a pause
_PAUSE_DBFS = -60.0
_MOSTLY_SILENCE = 0.6


@dataclass(frozen=True)
class Finding:
    """One verdict: `text` in a few words, `why` in a sentence; `blocks` forbids cloning."""

    key: Key
    verdict: Verdict
    text: str
    why: str = ""
    blocks: bool = False


def length_finding(seconds: float) -> Finding:
    """The length against the useful range, in words."""
    figure = f"{seconds:.1f} s"
    if seconds > LONGEST_SECONDS + 0.005:
        return Finding(
            "length", "bad", f"{figure}: select {LONGEST_SECONDS:.0f} s at most",
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


def sound_findings(samples: Samples, clipped: bool = False) -> tuple[Finding, ...]:
    """Level, clipping and silence of `samples`, float32 [n] at 24 kHz; belongs in a lane.

    `clipped` says that clipping was seen before the sound was resampled, which rounds the flat runs.
    """
    if not len(samples) or float(np.abs(samples).max()) <= SILENCE:
        why = "Nothing was heard at all. Choose another part, microphone or file."
        return (Finding("silence", "bad", "Digital silence", why, True),)
    hops = hop_levels(samples)
    active = is_speech(hops)
    return (_level(hops[active]), _clipping(levels.clipped_runs(samples), clipped), _silence(1 - active.mean()))


def hop_levels(samples: Samples) -> Samples:
    """RMS in dBFS of every 50 ms, float32 [hops]; a shorter rest at the end counts as a hop."""
    hop = round(HOP_SECONDS * engine.SAMPLE_RATE)
    starts = np.arange(0, len(samples), hop)
    sums = np.add.reduceat(np.square(samples, dtype=np.float64), starts)
    sizes = np.diff(np.append(starts, len(samples)))
    floor = 10 ** (levels.FLOOR_DBFS / 10)
    return (10 * np.log10(np.maximum(sums / sizes, floor))).astype(np.float32)


def is_speech(hops: Samples) -> NDArray[np.bool_]:
    """Which hops are not pauses, judged by their level against the loudest twentieth."""
    loudest = float(np.percentile(hops, 95))
    return np.asarray(hops > max(loudest - _BELOW_LOUDEST_DB, _PAUSE_DBFS))


def _level(hops: Samples) -> Finding:
    power = np.mean(10 ** (hops.astype(np.float64) / 10)) if len(hops) else 0.0
    level = levels.to_dbfs(float(np.sqrt(power)))
    figure = f"{level:.0f} dB".replace("-", "−")
    if level < _QUIET_DBFS:
        return Finding("level", "warn", f"Very quiet, {figure}", "Go nearer to the microphone, or raise its level.")
    return Finding("level", "good", f"Level {figure}", "The loudness of the speech, without the pauses.")


def _clipping(runs: int, clipped: bool) -> Finding:
    if not runs and not clipped:
        return Finding("clipping", "good", "No clipping", "No run of samples stands at full scale.")
    places = f"Clipped in {runs} place{'s' if runs > 1 else ''}" if runs else "Clipped"
    return Finding("clipping", "warn", places, "Distortion is cloned too. Choose another part, or record more softly.")


def _silence(share: float) -> Finding:
    text = f"{100 * share:.0f} % pauses"
    if share > _MOSTLY_SILENCE:
        return Finding("silence", "warn", text, "Most of the selection is silent. Select the speech.")
    return Finding("silence", "good", text, "How much of the selection is silent.")
