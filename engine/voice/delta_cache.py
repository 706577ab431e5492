"""The WDLT section of a pair, kept once it was proven: it is the same in every voice file, so later saves copy it.

A cached file is the section and its SHA-256. Its name holds a fingerprint of both models; one that is broken is
written anew, and one that cannot be kept is done without. What was not used for long goes, and the oldest where
together they are too large; `keep_delta` sees to it.
"""

from __future__ import annotations

import hashlib
import os
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

from engine.errors import WriteError
from engine.files import atomic_write, keep_recent
from engine.progress import Cancel, Progress, Report, no_report
from engine.voice.delta import digest, tensors_by_name
from engine.voice.delta_writer import estimate_delta_bytes, write_delta

if TYPE_CHECKING:
    from engine.voice.pair import ModelPair
    from engine.voice.voice import DeltaLocation

_HEAD_BYTES = 12  # tag, width, count: what stands before the first record
_DIGEST_BYTES = hashlib.sha256().digest_size
_COPY_BYTES = 1 << 20
_SUFFIX = ".section"

KEPT_BYTES = 8 << 30  # a pair of each released size and a few more
KEPT_DAYS = 90  # since it was last used
_PART_DAYS = 1  # what a killed program left half-written
_DAY_SECONDS = 24 * 60 * 60


def write_cached_delta(
    file: IO[bytes], pair: ModelPair, cancel: Cancel | None = None, report: Report = no_report
) -> None:
    """What `write_delta` does, as a copy where `pair` has a cache that holds it whole."""
    start = file.tell()
    if not _copy(file, pair, cancel, report):
        file.seek(start)
        file.truncate()
        write_delta(file, pair, cancel, report)


def keep_delta(file: IO[bytes], location: DeltaLocation, pair: ModelPair, cancel: Cancel | None = None) -> None:
    """Keep the proven section at the end of `file`, which is open for reading too, unless it is kept already.

    Leaves the file at its end. A cache that cannot be written is no reason to fail.
    """
    place = cached_delta_path(pair)
    if place is None or place.is_file():
        return
    end = file.seek(0, os.SEEK_END)
    file.flush()
    start = location.offset - _HEAD_BYTES
    with os.fdopen(os.dup(file.fileno()), "rb") as reading, suppress(WriteError):
        reading.seek(start)
        with atomic_write(place, end - start + _DIGEST_BYTES) as kept:
            kept.write(_copied(reading, kept, end - start, cancel, no_report))
    file.seek(end)
    prune_deltas(place.parent)


def prune_deltas(folder: Path, kept_bytes: int = KEPT_BYTES, kept_days: float = KEPT_DAYS) -> None:
    """Remove what nobody used for `kept_days`, then the least recently used until `kept_bytes` hold the rest.

    The one used last stays, however large it is. What cannot be removed is left.
    """
    with suppress(OSError):
        _remove_older(folder.glob(f".*{_SUFFIX}.*.part"), _PART_DAYS)
        _remove_older(folder.glob(f"*{_SUFFIX}"), kept_days)
        keep_recent(folder, f"*{_SUFFIX}", kept_bytes)


def _remove_older(paths: Iterable[Path], days: float) -> None:
    oldest = time.time() - days * _DAY_SECONDS
    for path in paths:
        if path.stat().st_mtime < oldest:
            path.unlink()


def forget_delta(pair: ModelPair) -> None:
    """Remove what is kept of `pair`."""
    place = cached_delta_path(pair)
    if place is not None:
        with suppress(OSError):
            place.unlink(missing_ok=True)


def expected_delta_bytes(pair: ModelPair) -> int:
    """Bytes of the section: exact if it is kept, else an estimate."""
    place = cached_delta_path(pair)
    if place is not None and place.is_file():
        return max(0, place.stat().st_size - _DIGEST_BYTES)
    return estimate_delta_bytes(pair)


def cached_delta_path(pair: ModelPair) -> Path | None:
    """Where the section of `pair` is kept; None if it has no cache folder."""
    if pair.cache is None or pair.custom_voice is None:
        return None
    names = "\n".join((str(pair.width), *pair.shape.record_names()))
    marks = [
        _mark(folder, digest(tensors_by_name(tensors)), names)
        for folder, tensors in ((pair.base, pair.base_tensors), (pair.custom_voice, pair.custom_voice_tensors))
    ]
    return pair.cache / f"wdelta-{'-'.join(marks)}{_SUFFIX}"


def _mark(folder: Path, weights_digest: str, names: str) -> str:
    """A model's fingerprint: some of its bits, and the size and time of every file of them."""
    hasher = hashlib.sha256(f"{weights_digest}\n{names}\n".encode())
    for path in sorted(folder.glob("*.safetensors")):
        found = path.stat()
        hasher.update(f"{path.name} {found.st_size} {found.st_mtime_ns}\n".encode())
    return hasher.hexdigest()[:20]


def _copy(file: IO[bytes], pair: ModelPair, cancel: Cancel | None, report: Report) -> bool:
    """Copy the kept section; False, and nothing kept any more, if it is broken."""
    place = cached_delta_path(pair)
    if place is None or not place.is_file():
        return False
    try:
        with place.open("rb") as kept:
            size = place.stat().st_size - _DIGEST_BYTES
            if size > 0 and _copied(kept, file, size, cancel, report) == kept.read():
                with suppress(OSError):
                    os.utime(place)  # its time says when it was last used
                return True
    except OSError:  # also a full disk: writing afresh then says so
        pass
    forget_delta(pair)
    return False


def _copied(source: IO[bytes], target: IO[bytes], size: int, cancel: Cancel | None, report: Report) -> bytes:
    """Copy `size` bytes, or what there is of them; their SHA-256."""
    hasher, done = hashlib.sha256(), 0
    while done < size:
        if cancel:
            cancel.check()
        data = source.read(min(_COPY_BYTES, size - done))
        if not data:
            break
        hasher.update(data)
        target.write(data)
        done += len(data)
        report(Progress("weights", done, size, "bytes"))
    return hasher.digest()
