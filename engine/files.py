"""Whole or absent: every file we write takes its final name only when it is complete and on the disk."""

from __future__ import annotations

import os
import secrets
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

    Written without a name where the system can do that (Linux: a killed program then leaves nothing at all), else under
    a temporary one beside the target; flushed, synced, then renamed over the target. `size_bytes`, if known, is
    compared with the free space first. Raises `WriteError`; what was at `target` stays until the rename.
    """
    target = Path(target)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        require_space(target.parent, size_bytes)
        handle, part = _open_part(target)
    except OSError as error:
        raise _refused(target, error) from error
    nameless = not part.exists()
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
            if nameless:
                # the folder's descriptor is not looked at for a whole path, but makes the system follow the link
                os.link(f"/proc/self/fd/{file.fileno()}", part, src_dir_fd=file.fileno())
        _take_default_mode(part)
        part.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        raise _refused(target, error) from error
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def keep_recent(folder: Path, pattern: str, kept_bytes: int) -> None:
    """Remove of the files that match `pattern` the least recently changed, until the rest takes `kept_bytes`.

    The latest stays, however large it is. Raises OSError where one cannot be looked at or removed.
    """
    found = sorted(folder.glob(pattern), key=lambda path: path.stat().st_mtime, reverse=True)
    total = 0
    for place, path in enumerate(found):
        total += path.stat().st_size
        if place and total > kept_bytes:
            path.unlink()


def write_atomically(target: str | Path, data: bytes) -> None:
    """Write `data` to `target`, whole or not at all."""
    with atomic_write(target, len(data)) as file:
        file.write(data)


def _open_part(target: Path) -> tuple[int, Path]:
    """A new file to write and read, and the name it has, or is to get once it is complete."""
    if hasattr(os, "O_TMPFILE"):
        with suppress(OSError):  # not every file system can
            handle = os.open(target.parent, os.O_TMPFILE | os.O_RDWR, 0o600)
            return handle, target.with_name(f".{target.name[:80]}.{secrets.token_hex(4)}.part")
    handle, name = tempfile.mkstemp(prefix=f".{target.name[:80]}.", suffix=".part", dir=target.parent)
    return handle, Path(name)


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
