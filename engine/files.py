"""Whole or absent: every file we write takes its final name only when it is complete and on the disk."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from engine.errors import WriteError

_SPARE_BYTES = 1 << 20  # left free beside the file, so that a full disk is said before it is full


def require_space(folder: Path, size_bytes: int) -> None:
    """Raise `WriteError` unless `folder`'s disk has room for `size_bytes` and a little more."""
    free = shutil.disk_usage(folder).free
    if free < size_bytes + _SPARE_BYTES:
        raise WriteError(
            f"Not enough room in {folder}: {size_bytes / 1e6:.1f} MB needed, {free / 1e6:.1f} MB free. "
            "Free some space or choose another folder."
        )


@contextmanager
def atomic_write(target: str | Path, size_bytes: int = 0) -> Iterator[IO[bytes]]:
    """A binary file that becomes `target` when the block ends well, and never existed otherwise.

    Written under a temporary name beside the target, flushed, synced, then renamed over it. `size_bytes`, if
    known, is compared with the free space first. Raises `WriteError`; what was at `target` stays until the rename.
    """
    target = Path(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        require_space(target.parent, size_bytes)
        handle, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=".part", dir=target.parent)
    except OSError as error:
        raise _refused(target, error) from error
    part = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _take_default_mode(part)
        part.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise _refused(target, error) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def write_atomically(target: str | Path, data: bytes) -> None:
    """Write `data` to `target`, whole or not at all."""
    with atomic_write(target, len(data)) as file:
        file.write(data)


def _refused(target: Path, error: OSError) -> WriteError:
    reason = error.strerror or str(error)
    return WriteError(f"Could not write {target}: {reason}. Nothing was changed; choose another place.")


def _take_default_mode(part: Path) -> None:
    if os.name == "posix":  # mkstemp makes files private; voice files are meant to be shared
        mask = os.umask(0)
        os.umask(mask)
        part.chmod(0o666 & ~mask)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself durable; only POSIX can open a folder for that."""
    if os.name == "posix":
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
