"""Work for the file lane: what people drop on the library, sorted by what it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import engine
from app.store.bundle import is_bundle
from app.store.folder import is_voice_file
from app.work import error_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from app.store import Library
    from app.store.library import Imported
    from app.work import JobContext


@dataclass(frozen=True)
class Refused:
    """A file that is neither a voice nor a sound, and why, in one line."""

    path: Path
    reason: str


@dataclass(frozen=True)
class SoundFound:
    """A sound: not a voice yet, but a voice can be made from it."""

    path: Path
    seconds: float


def take_in(library: Library, paths: Sequence[Path], context: JobContext) -> Iterator[object]:
    """Import each voice file, recognise each sound; yields an `Imported`, `SoundFound` or `Refused` for each."""
    for path in paths:
        yield _take_one(library, path, context)


def _take_one(library: Library, path: Path, context: JobContext) -> Imported | SoundFound | Refused:
    try:
        if path.is_dir():
            return Refused(path, f"{path} is a folder. Choose the voice files in it.")
        if is_bundle(path):
            return library.import_bundle(path, context.cancel, context.report)
        if is_voice_file(path):
            return library.import_file(path, context.cancel, context.report)
        return SoundFound(path, engine.probe_clip(path).seconds)
    except engine.Cancelled:
        raise
    except (engine.QVoiceError, OSError) as error:
        return Refused(path, error_text(error))
