"""Any sound file in, 24 kHz mono float32 out, with a word about everything that was done to it.

A file is judged by its content: libsndfile is tried first, then FFmpeg (PyAV) for every other container.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np
import numpy.typing as npt

from engine.audio import decode
from engine.audio.clipping import Span, clipped_spans
from engine.errors import ClipError
from engine.progress import Cancel

SAMPLE_RATE = 24_000  # of the speaker encoder and the codec
LONGEST_SECONDS = 600.0  # of one clip held in memory; a longer file needs a range
_SILENT_SIDE = 1e-4  # a channel 80 dB below its neighbour is a dead side
_OPPOSED = -0.9  # correlation under which two sides would cancel

FloatArray = npt.NDArray[np.float32]
Sides = Literal["", "dead", "opposed"]


@dataclass(frozen=True, eq=False)
class Clip:
    """Speech to clone from: `samples` float32 [n], mono, 24 kHz. `notes` says what reading did, a line each.

    `clipped` are the places in seconds where the source clips, seen before resampling; `sides` tells of channels that
    were left out.
    """

    samples: FloatArray
    source: str
    source_rate: int
    source_channels: int
    notes: tuple[str, ...] = ()
    clipped: tuple[Span, ...] = ()
    sides: Sides = ""

    @property
    def seconds(self) -> float:
        return len(self.samples) / SAMPLE_RATE

    def cut(self, start_seconds: float, end_seconds: float) -> Clip:
        """The part from `start_seconds` to `end_seconds`, to the sample."""
        first = max(0, round(start_seconds * SAMPLE_RATE))
        last = min(len(self.samples), round(end_seconds * SAMPLE_RATE))
        if last <= first:
            raise ClipError("The selection is empty. Drag over the part to clone from.")
        start, end = first / SAMPLE_RATE, last / SAMPLE_RATE
        clipped = tuple((max(a, start) - start, min(b, end) - start) for a, b in self.clipped if b > start and a < end)
        return replace(self, samples=self.samples[first:last], clipped=clipped)


@dataclass(frozen=True)
class ClipInfo:
    """A sound file's own facts, from its headers. `seconds` 0 where the container does not say."""

    path: Path
    seconds: float
    sample_rate: int
    channels: int
    format: str


def probe_clip(path: str | Path) -> ClipInfo:
    """What `path` is, without decoding it. Raises `ClipError`."""
    path = _existing(path)
    facts = decode.probe(path)
    return ClipInfo(path, facts.seconds, facts.sample_rate, facts.channels, facts.format)


def read_clip(
    path: str | Path,
    start_seconds: float = 0.0,
    end_seconds: float | None = None,
    cancel: Cancel | None = None,
) -> Clip:
    """Read `path` (or the range asked for) as a `Clip`. Raises `ClipError` in one line, or `Cancelled`."""
    path = _existing(path)
    facts = decode.probe(path)
    until = facts.seconds if end_seconds is None else end_seconds
    if until - start_seconds > LONGEST_SECONDS:
        raise ClipError(
            f"{path.name} is {facts.seconds / 60:.0f} min long. Choose a range of at most "
            f"{LONGEST_SECONDS / 60:.0f} min; half a minute is enough for a voice."
        )
    samples = decode.decode(path, start_seconds, end_seconds, LONGEST_SECONDS, cancel or Cancel())
    clip = clip_from_samples(samples, facts.sample_rate, source=str(path))
    return replace(clip, notes=(f"Read {facts.format}.", *clip.notes))


def clip_from_samples(samples: npt.NDArray[np.floating], sample_rate: int, source: str = "recording") -> Clip:
    """A `Clip` from float samples [n] or [n, channels] at `sample_rate`. Raises `ClipError` if there is nothing."""
    data = np.asarray(samples, np.float32)
    data = data[:, None] if data.ndim == 1 else data
    if not data.size:
        raise ClipError(f"{_name(source)} holds no sound. Choose another file.")
    notes: list[str] = []
    if not np.isfinite(data).all():
        data = np.nan_to_num(data, nan=0.0, posinf=1.0, neginf=-1.0)
        notes.append("Replaced samples that were not numbers.")
    mono, sides = _mix(data, notes)
    clipped = clipped_spans(data, sample_rate)
    if sample_rate != SAMPLE_RATE:
        mono = _resample(mono, sample_rate)
        notes.append(f"Resampled from {sample_rate} Hz to {SAMPLE_RATE} Hz.")
    return Clip(mono, source, sample_rate, data.shape[1], tuple(notes), clipped, sides)


def _mix(data: FloatArray, notes: list[str]) -> tuple[FloatArray, Sides]:
    """One channel from any number: dead sides are left out, opposed ones not added, the rest averaged."""
    if data.shape[1] == 1:
        return np.ascontiguousarray(data[:, 0]), ""
    levels = np.sqrt(np.mean(np.square(data, dtype=np.float64), axis=0))
    alive = np.flatnonzero(levels > max(levels.max() * _SILENT_SIDE, 1e-9))
    if len(alive) == 0:
        alive = np.array([0])
    kept = data[:, alive]
    if len(alive) == 2 and _correlation(kept[:, 0], kept[:, 1]) < _OPPOSED:
        notes.append("The two sides are in opposite phase; only the first was used.")
        return np.ascontiguousarray(kept[:, 0]), "opposed"
    dead = len(alive) < data.shape[1]
    if dead:
        notes.append(f"Used {len(alive)} of {data.shape[1]} channels; the others are silent.")
    else:
        notes.append(f"Averaged {data.shape[1]} channels.")
    mean: FloatArray = kept.mean(axis=1, dtype=np.float32)
    return mean, "dead" if dead else ""


def _correlation(a: FloatArray, b: FloatArray) -> float:
    norm = float(np.linalg.norm(a.astype(np.float64)) * np.linalg.norm(b.astype(np.float64)))
    return float(np.dot(a.astype(np.float64), b.astype(np.float64))) / norm if norm else 0.0


def _resample(mono: FloatArray, sample_rate: int) -> FloatArray:
    """soxr HQ, the converter of the official front end; ceil(n * (24000 / rate)) samples."""
    import soxr

    length = int(np.ceil(len(mono) * (SAMPLE_RATE / sample_rate)))  # in float, as librosa rounds it
    out = soxr.resample(mono, sample_rate, SAMPLE_RATE, quality="HQ")[:length]
    return np.ascontiguousarray(np.pad(out, (0, length - len(out))), np.float32)


def _existing(path: str | Path) -> Path:
    path = Path(path)
    if not path.is_file():
        raise ClipError(f"{path} is not there. Choose another file.")
    if not path.stat().st_size:
        raise ClipError(f"{path.name} is empty (0 bytes). Choose another file.")
    return path


def _name(source: str) -> str:
    return Path(source).name if "/" in source or "\\" in source else f"The {source}"
