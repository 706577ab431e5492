"""Voice files on disk: listing, copying and moving them."""

from __future__ import annotations

import logging
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING

import engine
from app.store.errors import LibraryError

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)

SUFFIXES = (".bin", ".qvoice")
BUNDLE_SUFFIX = ".qvbundle"  # see `app.store.bundle`
_BLOCK_BYTES = 4 << 20
_HALF_AFTER_SECONDS = 3600  # without a change; a younger one may be another program's, being written now


def suffix_of_tier(tier: str) -> str:
    """A light voice is a bare vector; the other tiers need the format with sections."""
    return ".bin" if tier == "light" else ".qvoice"


def is_voice_file(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES


def belongs_in_library(path: Path) -> bool:
    """Whether `path` is a voice or a bundle by its name, and thus no sound to make a voice from."""
    return is_voice_file(path) or path.suffix.lower() == BUNDLE_SUFFIX


def voice_files(folder: Path) -> set[str]:
    """Names of the voice files in `folder`; empty if there is no such folder."""
    try:
        with os.scandir(folder) as entries:
            return {
                entry.name
                for entry in entries
                if entry.is_file() and not entry.name.startswith(".") and is_voice_file(Path(entry.name))
            }
    except FileNotFoundError:
        return set()


def sweep_halves(folder: Path, pattern: str = ".*.part") -> None:
    """Remove what a killed write left under a temporary name (`engine.atomic_write` names files by `pattern`)."""
    oldest = time.time() - _HALF_AFTER_SECONDS
    for half in folder.glob(pattern):
        with suppress(OSError):
            if half.stat().st_mtime < oldest:
                shutil.rmtree(half) if half.is_dir() else half.unlink()


class Copying:
    """Bytes on their way from files to others, `size_bytes` in all: cancelled and reported as one piece of work."""

    def __init__(self, size_bytes: int, cancel: engine.Cancel | None, report: engine.Report | None) -> None:
        self.size_bytes = size_bytes
        self.done_bytes = 0
        self._cancel, self._report = cancel, report

    def copy(self, source: Path, sink: IO[bytes]) -> None:
        """Append all of `source` to `sink`. Raises `LibraryError` if it cannot be read, `Cancelled`."""
        try:
            file = source.open("rb")
        except OSError as error:
            raise unreadable(source, error) from error
        with file:
            self.pour(lambda count: _read(file.fileno(), count, source), sink)

    def pour(self, read: Callable[[int], bytes], sink: IO[bytes]) -> None:
        """Append to `sink` what `read` gives, a block at a time."""
        while block := read(_BLOCK_BYTES):
            sink.write(block)
            self.done_bytes += len(block)
            if self._cancel is not None:
                self._cancel.check()
            if self._report is not None:
                self._report(engine.Progress("Copying", self.done_bytes, self.size_bytes, "bytes"))


def copy_file(
    source: Path,
    target: Path,
    cancel: engine.Cancel | None = None,
    report: engine.Report | None = None,
) -> int:
    """Copy byte for byte, whole or not at all; returns the bytes.

    `target` is replaced if it exists. Raises `WriteError`, `LibraryError`, `Cancelled`.
    """
    try:
        copying = Copying(source.stat().st_size, cancel, report)
    except OSError as error:
        raise unreadable(source, error) from error
    with engine.atomic_write(target, copying.size_bytes) as copy:
        copying.copy(source, copy)
    return copying.done_bytes


def move_voice(source: Path, target: Path) -> None:
    """Move a voice file and the notes beside it. Raises `LibraryError`; then the voice is where it was."""
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        source.rename(target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise LibraryError(f"{source} could not be moved: {reason}. Close what is using it and try again.") from error
    try:
        _beside(source).rename(_beside(target))
    except OSError as error:
        _log.info("No notes moved with %s: %s", source.name, error)


def remove_voice(file: Path) -> None:
    """Remove a voice file and the notes beside it, if they are there. Raises OSError."""
    file.unlink(missing_ok=True)
    _beside(file).unlink(missing_ok=True)


def _beside(file: Path) -> Path:
    return file.with_name(f"{file.name}.json")


def unreadable(path: Path, error: OSError) -> LibraryError:
    return LibraryError(f"Could not read {path}: {error.strerror or error}. Check that it is still there.")


def _read(handle: int, count: int, source: Path) -> bytes:
    try:
        return os.read(handle, count)
    except OSError as error:  # here, since `atomic_write` would take it for a fault of the target
        raise unreadable(source, error) from error
