"""What comes before the first byte: nobody else fetches the same model, and a listing of its files."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

from engine.errors import FetchError, WriteError
from engine.hub.catalogue import ReleasedModel
from engine.hub.files import Listing, read_note
from engine.hub.sources import Source
from engine.progress import Cancel

T = TypeVar("T")
_LOOK_SECONDS = 0.05


@contextmanager
def alone(staging: Path) -> Iterator[None]:
    """Two windows, or a window and the command line, would write into the same files. Raises `FetchError`."""
    import filelock

    place = staging.with_suffix(".lock")
    lock = filelock.FileLock(place, timeout=0)
    try:
        staging.parent.mkdir(parents=True, exist_ok=True)
        lock.acquire()
    except filelock.Timeout as error:
        raise FetchError(
            f"{staging.stem[1:]} is being fetched by another program. Wait for it, or stop it there."
        ) from error
    except OSError as error:
        raise WriteError(
            f"{staging.parent} cannot be written ({error.strerror}). Choose another folder for models."
        ) from error
    try:
        yield
    finally:
        if os.name == "posix":  # while it is ours; elsewhere an open file cannot be removed
            _remove(place)
        lock.release()
        if os.name != "posix":
            _remove(place)


def _remove(place: Path) -> None:
    with suppress(OSError):
        place.unlink(missing_ok=True)


def listing_for(
    model: ReleasedModel, source: Source, revision: str, staging: Path, target: Path, cancel: Cancel
) -> Listing:
    """The files to have: of `revision`, or of the one an interrupted fetch or the model at `target` is of, or of the
    newest. All files are of one revision. Raises `FetchError`, `Cancelled`."""
    if not revision:
        for folder in (staging, target):
            note = read_note(folder)
            if note is not None and (note.source, note.repo) == (source.name, model.repo):
                return note
    return _patiently(lambda: source.listing(model.repo, revision), cancel)


def _patiently(work: Callable[[], T], cancel: Cancel) -> T:
    """`work()`, left alone at once when `cancel` is set: a server may take its time to answer."""
    results: list[T] = []
    errors: list[Exception] = []

    def run() -> None:
        try:
            results.append(work())
        except Exception as error:  # noqa: BLE001 - raised again below, in the thread that asked
            errors.append(error)

    worker = threading.Thread(target=run, name="listing", daemon=True)
    worker.start()
    while worker.is_alive():
        cancel.check()
        worker.join(_LOOK_SECONDS)
    if errors:
        raise errors[0]
    return results[0]
