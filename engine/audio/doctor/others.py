"""What else is heard: a second voice, music, or no speech at all."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE
from engine.audio.doctor.finding import Finding, Keep, Mend
from engine.audio.doctor.hearing import STEP_SAMPLES, Hearing, spans_of

_BLOCK = 20  # hops of pitch: one second
_FEWEST_VOICED = 5  # of a block
_APART_OCTAVES = 0.5
_SPREAD_OCTAVES = 0.2
_SMALLEST_SHARE = 0.2
_FEWEST_BLOCKS = 4
_LOWEST_VOICED_SHARE = 0.15
_LINE_FRAMES = 12  # 0.26 s
_LINE_BINS = slice(17, 345)  # 200 to 4000 Hz
_LINE_DB = 12.0  # over the valleys beside it
_LINE_SPREAD_DB = 1.0  # standard deviation of its level
_MUSIC_SHARE = 0.08
_SHORTEST_LEFT_SECONDS = 3.0


def voices(hearing: Hearing) -> Finding | None:
    """Two pitches well apart, each steady in itself: probably two people."""
    blocks = _block_pitches(hearing)
    known = blocks[~np.isnan(blocks)]
    if len(known) < _FEWEST_BLOCKS:
        return None
    middle = (known.min() + known.max()) / 2
    low, high = known[known <= middle], known[known > middle]
    if not len(high) or min(len(low), len(high)) < max(2, _SMALLEST_SHARE * len(known)):
        return None
    if np.median(high) - np.median(low) < _APART_OCTAVES or max(low.std(), high.std()) > _SPREAD_OCTAVES:
        return None
    fewer_is_high = len(high) <= len(low)
    with np.errstate(invalid="ignore"):
        other = (blocks > middle) if fewer_is_high else (blocks <= middle)
    why = "Two people become one that is neither. Select the part where only one speaks."
    spans = spans_of(other, 1.0)
    return Finding("voices", "warn", "Perhaps a second voice", why, spans=spans, mend=_longest_without(spans, hearing))


def music(hearing: Hearing) -> Finding | None:
    """Tones that stand still, as no voice does."""
    standing = _standing_lines(hearing)
    if not len(standing) or standing.mean() < _MUSIC_SHARE:
        return None
    why = "Music becomes part of the voice. Choose a part without it."
    spans = spans_of(standing, STEP_SAMPLES / SAMPLE_RATE, 0.3)
    return Finding("music", "warn", "Music or tones under it", why, spans=spans)


def speech(hearing: Hearing) -> Finding | None:
    """Something is loud, but next to nothing of it has the pitch of a voice."""
    if len(hearing.pitch_hz) < _BLOCK // 2 or hearing.voiced_share >= _LOWEST_VOICED_SHARE:
        return None
    why = "What is loud here has no pitch as a voice has. Choose a part where somebody speaks."
    return Finding("silence", "warn", "No speech found", why)


def _block_pitches(hearing: Hearing) -> npt.NDArray[np.float64]:
    """The median pitch of every second in octaves over 1 Hz; nan where too little is voiced."""
    pitch = hearing.pitch_hz[: len(hearing.pitch_hz) // _BLOCK * _BLOCK].reshape(-1, _BLOCK)
    medians = [np.median(np.log2(row[row > 0])) if (row > 0).sum() >= _FEWEST_VOICED else np.nan for row in pitch]
    return np.array(medians, np.float64)


def _longest_without(spans: tuple[tuple[float, float], ...], hearing: Hearing) -> Mend | None:
    edges = [0.0, *(edge for span in spans for edge in span), hearing.clip.seconds]
    start, end = max(zip(edges[::2], edges[1::2], strict=True), key=lambda gap: gap[1] - gap[0])
    return Mend("Select one voice", Keep(start, end)) if end - start >= _SHORTEST_LEFT_SECONDS else None


def _standing_lines(hearing: Hearing) -> npt.NDArray[np.bool_]:
    """For every spectrum, whether a line lies in it that keeps its place and its level for a quarter of a second.

    A voice glides, and an echo fades.
    """
    levels = 10 * np.log10(hearing.spectra[:, _LINE_BINS] + 1e-9)
    if len(levels) < _LINE_FRAMES:
        return np.zeros(0, bool)
    width = levels.shape[1]
    padded = np.pad(levels, ((0, 0), (6, 6)), mode="edge")
    around = np.maximum(padded[:, :width], padded[:, 12:])
    peak = (levels > around + _LINE_DB) & (levels >= padded[:, 5 : 5 + width]) & (levels >= padded[:, 7 : 7 + width])
    count = _moving_sum(peak.astype(np.float64))
    mean = _moving_sum(levels) / _LINE_FRAMES
    variance = _moving_sum(np.square(levels, dtype=np.float64)) / _LINE_FRAMES - mean**2
    steady = (count >= _LINE_FRAMES - 1) & (variance < _LINE_SPREAD_DB**2)
    standing = np.zeros(len(levels), bool)
    for at in np.flatnonzero(steady.any(axis=1)):
        standing[at : at + _LINE_FRAMES] = True
    return standing


def _moving_sum(rows: npt.NDArray[np.floating]) -> npt.NDArray[np.float64]:
    """Sums of every `_LINE_FRAMES` rows that follow each other."""
    sums = np.concatenate((np.zeros((1, rows.shape[1])), np.cumsum(rows, axis=0, dtype=np.float64)))
    return np.asarray(sums[_LINE_FRAMES:] - sums[:-_LINE_FRAMES])
