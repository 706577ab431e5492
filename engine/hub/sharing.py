"""What several models have in common is fetched and stored once: the codec is the same in all five."""

from __future__ import annotations

import os
from pathlib import Path

from engine.hub.files import RemoteFile, read_note
from engine.progress import Cancel

_BLOCK_BYTES = 1 << 20


def take_twins(missing: list[RemoteFile], root: Path, staging: Path, cancel: Cancel) -> list[RemoteFile]:
    """Link (or copy, where the disk cannot link) what a model in `root` has already; the files still missing."""
    known: dict[str, Path] = {}
    for folder in sorted(root.glob("[!.]*/")):
        note = read_note(folder)
        if note is not None:
            known |= {file.sha256: folder / file.path for file in note.files if file.sha256}
    return [file for file in missing if not _take(file, known.get(file.sha256), staging / file.path, cancel)]


def _take(file: RemoteFile, twin: Path | None, place: Path, cancel: Cancel) -> bool:
    if twin is None or not file.is_whole(twin, lambda _: cancel.check()):
        return False
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_name(place.name + ".part")
    try:
        part.unlink(missing_ok=True)
        os.link(twin, place)
    except OSError:
        try:
            _copy(twin, part, cancel)
            part.replace(place)
        except OSError:
            part.unlink(missing_ok=True)
            return False
    return True


def _copy(source: Path, target: Path, cancel: Cancel) -> None:
    """What was copied before a cancel stays: a fetch goes on from there."""
    with source.open("rb") as reading, target.open("wb") as writing:
        while block := reading.read(_BLOCK_BYTES):
            cancel.check()
            writing.write(block)
