"""Takes on the disk: a WAV each, whole at every moment while it grows, and a JSON file beside it."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, fields, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import engine
from app.sound.wav_file import GrowingWav
from app.speak.take import REASONS, SAMPLE_RATE, Part, Samples, Take, peaks_of
from app.speak.tuning import read_tuning

if TYPE_CHECKING:
    from collections.abc import Iterator

_log = logging.getLogger(__name__)

_NOTES: Final = ".json"
_HIDDEN: Final = ".deleted"  # after the notes' name: a deleted take that can still be brought back
_FIELDS: Final = tuple(field.name for field in fields(Take) if field.name != "samples")
_LATER: Final = ("as_written", "tuning", "parts", "likeness", "agreement")  # notes of earlier versions lack them


class TakeWriter:
    """Writes a take while it is made, in the thread that makes it, so that a kill costs at most a moment of it.

    A disk that refuses does not end the speech: `fault` then says why, and `Takes` tries again at the end.
    """

    def __init__(self, folder: Path, take: Take) -> None:
        self._folder, self._take = folder, take
        self._wav: GrowingWav | None = None
        self.fault = ""

    def append(self, samples: Samples) -> None:
        """Add `samples` float32 [n]; the first ones create the files."""
        if self.fault or not len(samples):
            return
        try:
            if self._wav is None:
                write_notes(self._folder, self._take)
                self._wav = GrowingWav(wav_of(self._folder, self._take.id), SAMPLE_RATE, 1)
            self._wav.write(samples[:, None])
        except (OSError, engine.WriteError) as error:
            self.fault = str(error)
            _log.warning("take %s could not be written while it was made: %s", self._take.id, error)

    def close(self) -> None:
        """Close the file. Twice is once."""
        if self._wav is not None:
            try:
                self._wav.close()
            except OSError as error:
                self.fault = self.fault or str(error)


def wav_of(folder: Path, take_id: str) -> Path:
    return folder / f"{take_id}.wav"


def write_notes(folder: Path, take: Take) -> None:
    """Write what is known of `take` beside its sound. Raises `WriteError`."""
    known: dict[str, Any] = {name: getattr(take, name) for name in _FIELDS}
    known["made_at"] = take.made_at.isoformat()
    known["tuning"] = asdict(take.tuning)
    known["parts"] = [asdict(part) for part in take.parts]
    text = json.dumps(known, ensure_ascii=False, indent=1)
    engine.write_atomically(folder / f"{take.id}{_NOTES}", text.encode())


def write_take(folder: Path, take: Take) -> None:
    """Write `take` with its samples. Raises `WriteError`."""
    assert take.samples is not None
    engine.write_sound(wav_of(folder, take.id), take.samples, SAMPLE_RATE)
    write_notes(folder, take)


def read_samples(folder: Path, take: Take) -> Samples:
    """The sound of `take`, sample for sample as it was made. Raises `ClipError`."""
    if take.samples is not None:
        return take.samples
    return _read_wav(wav_of(folder, take.id))


def read_takes(folder: Path, limit: int) -> tuple[list[Take], int]:
    """The latest `limit` takes and every starred one, newest first; and how many were rescued.

    Takes that were deleted before are removed for good, ones that were being spoken when the studio ended are mended.
    """
    _purge(folder)
    takes = sorted(_all_notes(folder), key=lambda take: take.number, reverse=True)
    listed = [take for place, take in enumerate(takes) if place < limit or take.star]
    mended = [_mended(folder, take) for take in listed]
    rescued = sum(new is not None and new is not old for new, old in zip(mended, listed, strict=True))
    return [take for take in mended if take is not None], rescued


def make_room(folder: Path, room_bytes: int) -> int:
    """Remove the oldest takes without a star until all fit into `room_bytes`; returns how many went."""
    takes = sorted(_all_notes(folder), key=lambda take: take.number, reverse=True)
    sizes = {take.id: _size(wav_of(folder, take.id)) for take in takes}
    too_much, gone = sum(sizes.values()) - room_bytes, 0
    for take in reversed(takes):
        if too_much <= 0:
            break
        if not take.star:
            _remove(folder, take.id, _NOTES)
            too_much -= sizes[take.id]
            gone += 1
    return gone


def hide(folder: Path, take_id: str) -> None:
    """Delete a take so that `unhide` can bring it back until the next start. Raises OSError."""
    _rename(folder / f"{take_id}{_NOTES}", folder / f"{take_id}{_NOTES}{_HIDDEN}")


def unhide(folder: Path, take_id: str) -> None:
    """Undo `hide`. Raises OSError."""
    _rename(folder / f"{take_id}{_NOTES}{_HIDDEN}", folder / f"{take_id}{_NOTES}")


def _rename(source: Path, target: Path) -> None:
    if source.exists():  # a take that the disk refused has no files, and is deleted all the same
        source.replace(target)


def _all_notes(folder: Path) -> Iterator[Take]:
    for file in folder.glob(f"*{_NOTES}") if folder.is_dir() else ():
        try:
            yield _parse(file)
        except (OSError, ValueError, TypeError, KeyError) as error:
            _log.warning("%s is not the note of a take and is left alone: %s", file, error)


def _parse(file: Path) -> Take:
    known = json.loads(file.read_bytes())
    values = {name: known[name] for name in _FIELDS if name in known or name not in _LATER}
    values["made_at"] = datetime.fromisoformat(values["made_at"])
    values["peaks"] = tuple(float(value) for value in values["peaks"])
    values["number"], values["seed"] = int(values["number"]), int(values["seed"])
    values["tuning"] = read_tuning(known.get("tuning"))
    values["parts"] = tuple(Part(**part) for part in known.get("parts", ()))
    if values["reason"] not in REASONS or values["id"] != file.stem:
        raise ValueError("it names another take, or an unknown ending")
    return Take(**values)


def _mended(folder: Path, take: Take) -> Take | None:
    """`take`, or what a sudden end left of it; None (and gone) if that is nothing."""
    if take.reason != "interrupted" or take.peaks:
        return take
    try:
        samples = _read_wav(wav_of(folder, take.id))
        if not len(samples):
            raise engine.ClipError(f"{take.id} holds no sound.")
        mended = replace(take, seconds=len(samples) / SAMPLE_RATE, peaks=peaks_of(samples))
        write_notes(folder, mended)
        return mended
    except engine.WriteError as error:
        _log.warning("the rescued take %s could not be noted: %s", take.id, error)
        return mended
    except engine.ClipError:
        _remove(folder, take.id, _NOTES)
        return None


def _purge(folder: Path) -> None:
    ending = f"{_NOTES}{_HIDDEN}"
    for file in folder.glob(f"*{ending}") if folder.is_dir() else ():
        _remove(folder, file.name.removesuffix(ending), ending)


def _remove(folder: Path, take_id: str, notes: str) -> None:
    for file in (wav_of(folder, take_id), folder / f"{take_id}{notes}"):
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("could not remove %s: %s", file, error)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _read_wav(path: Path) -> Samples:
    import soundfile

    try:
        samples, _ = soundfile.read(path, dtype="float32")
    except (OSError, soundfile.SoundFileError) as error:
        raise engine.ClipError(f"The sound of this take cannot be read: {path} ({error}).") from error
    sound: Samples = samples
    return sound
