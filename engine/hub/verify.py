"""Whether a model on the disk is whole: against the note of its fetching where there is one, else as far as it can be
told without."""

from __future__ import annotations

from pathlib import Path

from engine.errors import ModelError
from engine.hub.cached import blob_listing
from engine.hub.files import Listing, read_note
from engine.model.checkpoint import summarize_model
from engine.progress import Cancel, Progress, Report, no_report


def knows_bytes(folder: Path) -> bool:
    """Whether every byte of the model in `folder` can be told right from wrong."""
    return _listing(folder) is not None


def verify_model(folder: Path, cancel: Cancel | None = None, report: Report = no_report) -> tuple[str, ...]:
    """What is wrong with the model in `folder`, a line each; empty for one that is whole.

    With a note, or in Hugging Face's cache, every byte is compared; else every header is, and every file's length
    with what it says. Raises `Cancelled`.
    """
    cancel = cancel or Cancel()
    faults: list[str] = []
    note = _listing(folder)
    if note is not None:
        done = 0

        def tick(count: int) -> None:
            nonlocal done
            cancel.check()
            done += count
            report(Progress("checking", done, note.total_bytes, "bytes"))

        for file in note.files:
            place = folder / file.path
            if not place.is_file():
                faults.append(f"{place} is missing.")
            elif not file.is_whole(place, tick):
                faults.append(f"{place} has other bytes than {note.repo} at {note.source}.")
    if not faults:
        try:
            summarize_model(folder)
        except ModelError as error:
            faults.append(str(error))
    return tuple(faults)


def _listing(folder: Path) -> Listing | None:
    return read_note(folder) or blob_listing(folder)
