"""Takes out of the studio: as files with names by a pattern, one or all, and dragged into another program."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import TYPE_CHECKING, Final

import engine
from app.speak import take_files
from app.speak.words import first_words
from app.store.names import safe_stem

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.speak.take import Take
    from app.work import JobContext

_log = logging.getLogger(__name__)

FORMATS: Final = {
    "WAV, every sample as it was made": ".wav",
    "FLAC, lossless and smaller": ".flac",
    "MP3": ".mp3",
    "OGG Vorbis": ".ogg",
}
PATTERN: Final = "{voice} - {words}"
FIELDS: Final = ("voice", "words", "number", "seed", "style", "date", "time")
_FIELD: Final = re.compile(r"\{(\w+)\}")


def name_by(pattern: str, take: Take) -> str:
    """A file name without ending: `pattern` with its fields filled in; unknown ones stay as they are written."""
    made = take.made_at.astimezone()
    known = {
        "voice": take.voice_name,
        "words": first_words(take),
        "number": f"{take.number:03d}",
        "seed": str(take.seed),
        "style": take.style or "plain",
        "date": f"{made:%Y-%m-%d}",
        "time": f"{made:%H.%M}",
    }
    return safe_stem(_FIELD.sub(lambda found: known.get(found[1], found[0]), pattern))


def free_path(folder: Path, stem: str, ending: str) -> Path:
    """A path that no file has yet."""
    path, number = folder / f"{stem}{ending}", 2
    while path.exists():
        path, number = folder / f"{stem} ({number}){ending}", number + 1
    return path


def export_take(path: Path, folder: Path, take: Take) -> Path:
    """Write the take kept in `folder` to `path`, marked as synthetic. Raises `WriteError`, `ClipError`."""
    about = engine.SoundAbout(" ".join(take.text.split()), take.voice_name, take.model_label, take.seed)
    engine.write_sound(path, take_files.read_samples(folder, take), about=about)
    return path


def export_all(
    takes: Sequence[Take], folder: Path, target: Path, pattern: str, ending: str, context: JobContext
) -> Iterator[Path]:
    """Write every take into `target`, over no file that is there. Raises as `export_take`, or `Cancelled`."""
    for done, take in enumerate(takes):
        context.cancel.check()
        context.report(engine.Progress("exporting", done, len(takes), "takes"))
        yield export_take(free_path(target, name_by(pattern, take), ending), folder, take)


def drag_file(take: Take, folder: Path, scratch: Path) -> Path | None:
    """The take as a WAV under a name a person can read, marked as synthetic; None if it cannot be read or written.

    One that was made before, as when the take was pressed, is not made again.
    """
    target = scratch / take.id / f"{name_by(PATTERN, take)}.wav"
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        return target if target.is_file() else export_take(target, folder, take)
    except (OSError, engine.QVoiceError) as error:
        _log.warning("take %s cannot be dragged: %s", take.id, error)
        return None
