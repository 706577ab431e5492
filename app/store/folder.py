"""Voice files on disk: listing, copying and moving them."""

from __future__ import annotations

import logging
import os
from contextlib import suppress
from pathlib import Path

import engine
from app.store.errors import LibraryError

_log = logging.getLogger(__name__)

SUFFIXES = (".bin", ".qvoice")
_BLOCK_BYTES = 4 << 20


def suffix_of_tier(tier: str) -> str:
    """A light voice is a bare vector; the other tiers need the format with sections."""
    return ".bin" if tier == "light" else ".qvoice"


def is_voice_file(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES


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


def sweep_halves(folder: Path) -> None:
    """Remove what a killed write left under its temporary name (`engine.atomic_write` names them so)."""
    for half in folder.glob(".*.part"):
        with suppress(OSError):
            half.unlink()


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
        with source.open("rb") as file:
            size = os.fstat(file.fileno()).st_size
            done = 0
            with engine.atomic_write(target, size) as copy:
                while block := _read(file.fileno(), source):
                    copy.write(block)
                    done += len(block)
                    if cancel is not None:
                        cancel.check()
                    if report is not None:
                        report(engine.Progress("Copying", done, size, "bytes"))
            return done
    except OSError as error:
        raise unreadable(source, error) from error


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


def _read(handle: int, source: Path) -> bytes:
    try:
        return os.read(handle, _BLOCK_BYTES)
    except OSError as error:  # here, since `atomic_write` would take it for a fault of the target
        raise unreadable(source, error) from error
