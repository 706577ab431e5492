"""A whole model: listed, found room for, fetched several files at a time, checked, and moved to its name at once.

Until then it lies in a folder beside it whose name begins with a dot; what came is kept there from try to try.
"""

from __future__ import annotations

import shutil
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine.errors import Cancelled, QVoiceError, WriteError
from engine.files import require_space
from engine.hub.begin import alone, listing_for
from engine.hub.catalogue import ReleasedModel
from engine.hub.files import NOTE, Listing, RemoteFile, write_note
from engine.hub.sharing import take_twins
from engine.hub.sources import Source
from engine.hub.transfer import Patience, Transfer
from engine.progress import Cancel, Progress, Report, no_report

AT_ONCE: Final = 3
STALL_SECONDS: Final = 5.0
FETCHING, CHECKING, WAITING = "fetching", "checking", "waiting for the server"
_LOOK_SECONDS = 0.05
_LEAVE_SECONDS = 0.1


def staging_folder(root: Path, model: ReleasedModel) -> Path:
    """Where a model lies while it is not whole."""
    return root / f".{model.folder}.part"


def kept_bytes(root: Path, model: ReleasedModel) -> int:
    """What an interrupted fetch has left there."""
    with suppress(OSError):
        return sum(path.stat().st_size for path in staging_folder(root, model).rglob("*") if path.is_file())
    return 0


def forget_kept(root: Path, model: ReleasedModel) -> None:
    """Remove what an interrupted fetch has left."""
    shutil.rmtree(staging_folder(root, model), ignore_errors=True)


def fetch_model(
    model: ReleasedModel,
    root: Path,
    source: Source,
    cancel: Cancel | None = None,
    report: Report = no_report,
    patience: Patience = Patience(),  # noqa: B008 - frozen
    revision: str = "",
) -> Path:
    """Fetch `model` into `root`; its folder. Files there that are whole stay, so that this repairs, too.

    Cancelling keeps what came, for the next call (a pause); `forget_kept` throws it away. Progress is in bytes, its
    stage `WAITING` while nothing comes. `revision` is a branch, a tag or a commit of the source; empty goes on with
    the one that is here, or takes the newest. Raises `FetchError`, `WriteError`, `Cancelled`.
    """
    cancel = cancel or Cancel()
    staging = staging_folder(root, model)
    with alone(staging):
        listing = listing_for(model, source, revision, staging, root / model.folder, cancel)
        _fetch(listing, root / model.folder, staging, source, cancel, report, patience)
    return root / model.folder


def _fetch(
    listing: Listing, target: Path, staging: Path, source: Source, cancel: Cancel, report: Report, patience: Patience
) -> None:
    write_note(staging, listing)
    meter = _Meter(listing, cancel, report)
    missing = [file for file in listing.files if not meter.passes(file, target) and not meter.passes(file, staging)]
    missing = take_twins(missing, target.parent, staging, cancel)
    meter.start(missing)
    transfers = [
        Transfer(file, source.url(listing, file.path), source.headers(), staging / file.path, patience)
        for file in missing
    ]
    require_space(staging, sum(t.file.size_bytes - t.received for t in transfers))
    _run(transfers, meter, cancel)
    _put_in_place(listing, staging, target)


class _Meter:
    """Bytes of the whole model, those that are there already counted in."""

    def __init__(self, listing: Listing, cancel: Cancel, report: Report) -> None:
        self._total, self._cancel, self._report = listing.total_bytes, cancel, report
        self._checked = 0
        self._there = 0

    def passes(self, file: RemoteFile, folder: Path) -> bool:
        """Whether `file` is whole in `folder`; reading it is progress too."""
        place, before = folder / file.path, self._checked
        if place.is_file() and file.is_whole(place, self._tick):
            return True
        self._checked = before
        return False

    def start(self, missing: list[RemoteFile]) -> None:
        self._there = self._total - sum(file.size_bytes for file in missing)

    def show(self, transfers: list[Transfer]) -> None:
        done = self._there + sum(transfer.received for transfer in transfers)
        active = [transfer.last_byte_at for transfer in transfers if transfer.received < transfer.file.size_bytes]
        stalled = bool(active) and time.monotonic() - max(active) > STALL_SECONDS
        stage = WAITING if stalled else FETCHING if active else CHECKING
        self._report(Progress(stage, done, self._total, "bytes"))

    def _tick(self, count: int) -> None:
        self._cancel.check()
        self._checked += count
        self._report(Progress(CHECKING, self._checked, self._total, "bytes"))


def _run(transfers: list[Transfer], meter: _Meter, cancel: Cancel) -> None:
    """All transfers, `AT_ONCE` at a time; the first that fails stops the others and is raised."""
    waiting, failed = list(transfers), list[BaseException]()
    lock = threading.Lock()

    def work() -> None:
        while True:
            with lock:
                if failed or not waiting:
                    return
                transfer = waiting.pop(0)
            try:
                transfer.run()
            except (QVoiceError, OSError) as error:
                with lock:
                    failed.append(error)

    workers = [threading.Thread(target=work, name="fetch", daemon=True) for _ in range(min(AT_ONCE, len(waiting)))]
    for worker in workers:
        worker.start()
    try:
        while any(worker.is_alive() for worker in workers):
            cancel.check()
            if failed:
                break
            meter.show(transfers)
            for worker in workers:
                worker.join(_LOOK_SECONDS / len(workers))
    finally:
        with lock:
            waiting.clear()
        for transfer in transfers:
            transfer.stop()
        last = time.monotonic() + _LEAVE_SECONDS
        for worker in workers:  # one that is still connecting ends by itself, and writes nothing any more
            worker.join(max(0.0, last - time.monotonic()))
    for error in failed:
        if not isinstance(error, Cancelled):
            raise error
    cancel.check()
    meter.show(transfers)


def _put_in_place(listing: Listing, staging: Path, target: Path) -> None:
    """Give the whole model its name; into a folder that is there already, file by file."""
    try:
        if not target.exists():
            staging.replace(target)
            return
        for file in listing.files:
            if (staging / file.path).is_file():
                (target / file.path).parent.mkdir(parents=True, exist_ok=True)
                (staging / file.path).replace(target / file.path)
        (staging / NOTE).replace(target / NOTE)
        shutil.rmtree(staging, ignore_errors=True)
    except OSError as error:
        raise WriteError(
            f"{target} cannot be written ({error.strerror}). The fetched files are in {staging}."
        ) from error
