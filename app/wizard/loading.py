"""Work for the file lane: a sound file read and made ready to be seen, heard and cloned."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

import engine
from app.sound.source import SoundSource
from app.widgets.envelope import Envelope
from app.wizard.best_part import best_part
from app.wizard.prepared_mel import PreparedMel, log_mel_in_pieces

if TYPE_CHECKING:
    from app.wizard.sessions import Session
    from app.work import JobContext

WHOLE_SECONDS = 600.0  # a longer file asks for a range


@dataclass(frozen=True)
class Origin:
    """Where a sound comes from. `session` is set for a recording of ours."""

    path: Path
    label: str
    session: Session | None = None


@dataclass(frozen=True, eq=False)
class LoadedSound:
    """A clip with everything its views and the player need, all made in the lane. Times are in seconds."""

    origin: Origin
    clip: engine.Clip
    envelope: Envelope
    mel: PreparedMel
    source: SoundSource
    best: tuple[float, float]
    notes: tuple[str, ...]

    @property
    def seconds(self) -> float:
        return self.clip.seconds


@dataclass(frozen=True)
class RangeWanted:
    """The file is too long to be read whole."""

    origin: Origin
    seconds: float


def load_sound(
    origin: Origin, context: JobContext, start_seconds: float = 0.0, end_seconds: float | None = None
) -> LoadedSound | RangeWanted:
    """Read the file (or the range) and prepare it. Raises `ClipError` in one line, or `Cancelled`."""
    context.report(engine.Progress("Reading", 0, None, "s"))
    info = engine.probe_clip(origin.path)
    if end_seconds is None and info.seconds > WHOLE_SECONDS:
        return RangeWanted(origin, info.seconds)
    clip = engine.read_clip(origin.path, start_seconds, end_seconds, cancel=context.cancel)
    if float(np.abs(clip.samples).max()) <= engine.DIGITAL_SILENCE:
        raise engine.ClipError(f"{origin.path.name} holds nothing but digital silence. Choose another file.")
    return prepared(origin, clip, _notes(clip, info), context)


def prepared(
    origin: Origin,
    clip: engine.Clip,
    notes: tuple[str, ...],
    context: JobContext,
    best: tuple[float, float] | None = None,
) -> LoadedSound:
    """A clip made ready for views and player; `best` where it is known. Raises `ClipError` or `Cancelled`."""
    context.report(engine.Progress("Drawing", clip.seconds, None, "s"))
    mel = PreparedMel(_mel(clip, origin, context))
    return LoadedSound(
        origin=origin,
        clip=clip,
        envelope=Envelope(clip.samples),
        mel=mel,
        source=SoundSource.of(clip.samples, engine.SAMPLE_RATE),
        best=best or best_part(clip.samples),
        notes=notes,
    )


def _mel(clip: engine.Clip, origin: Origin, context: JobContext) -> np.ndarray:
    try:
        return log_mel_in_pieces(clip.samples, context.cancel)
    except engine.ClipError as error:
        raise engine.ClipError(f"{origin.path.name}: {error}") from error


def _notes(clip: engine.Clip, info: engine.ClipInfo) -> tuple[str, ...]:
    cut = info.seconds == 0 and clip.seconds > WHOLE_SECONDS - 1
    return (*clip.notes, *(["Only its first 10 minutes were read; it does not say how long it is."] if cut else []))
