"""A voice with its notes and its preview in one file: a zip archive, nothing in it packed.

What a stranger sends is not believed: an archive holds up to three entries under names of ours, each as long as it
says, together no longer than the file itself. So nothing can unpack to more than was sent, or to another place.
"""

from __future__ import annotations

import stat
import struct
import tempfile
import zipfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import engine
from app.store import folder
from app.store.errors import LibraryError
from app.store.names import safe_stem

if TYPE_CHECKING:
    from collections.abc import Iterator

UNPACKED_PREFIX: Final = ".bundle-"  # of the folders that entries are written to, next to the library's own
_VOICES: Final = tuple(f"voice{suffix}" for suffix in folder.SUFFIXES)
_NOTES: Final = "notes.json"
_PREVIEWS: Final = tuple(f"preview{suffix}" for suffix in (".wav", ".flac", ".ogg", ".mp3"))
_MOST_BYTES: Final = dict.fromkeys(_VOICES, 4 << 30) | {_NOTES: 4 << 20} | dict.fromkeys(_PREVIEWS, 64 << 20)
_FIRST, _ZIP64 = b"PK\x03\x04", b"PK\x06\x07"
_END: Final = struct.Struct("<4s4H2LH")  # a zip archive's end: its entries and their list are counted here
_ZIP64_BYTES: Final = 20  # of the locator that may stand before the end
_MOST_LIST_BYTES: Final = 4096
_BAD_ZIP: Final = (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, ValueError, struct.error)


@dataclass(frozen=True)
class Unpacked:
    """The parts of a bundle as files; `preview` is None if there is none."""

    voice: Path
    preview: Path | None


def is_bundle(path: Path) -> bool:
    """Whether `path` is meant to be a bundle, by its name or by its first bytes."""
    if path.suffix.lower() == folder.BUNDLE_SUFFIX:
        return True
    try:
        with path.open("rb") as file:
            return file.read(len(_FIRST)) == _FIRST
    except OSError:
        return False


def write_bundle(
    target: Path,
    voice: Path,
    preview: Path | None,
    cancel: engine.Cancel | None = None,
    report: engine.Report | None = None,
) -> int:
    """Put the voice file `voice`, the notes beside it and its `preview` into `target`; returns its bytes.

    Raises `LibraryError`, `WriteError` or `Cancelled`; then what was at `target` stays.
    """
    parts = {f"voice{voice.suffix.lower()}": voice, _NOTES: engine.sidecar_path(voice)}
    if preview is not None and f"preview{preview.suffix.lower()}" in _PREVIEWS:
        parts[f"preview{preview.suffix.lower()}"] = preview
    parts = {name: path for name, path in parts.items() if path.is_file()}
    copying = folder.Copying(sum(path.stat().st_size for path in parts.values()), cancel, report)
    with engine.atomic_write(target, copying.size_bytes) as file, zipfile.ZipFile(file, "w") as archive:
        for name, path in parts.items():
            with archive.open(zipfile.ZipInfo(name), "w", force_zip64=False) as entry:
                copying.copy(path, entry)
    return target.stat().st_size


@contextmanager
def unpacked(
    path: Path, room: Path, cancel: engine.Cancel | None = None, report: engine.Report | None = None
) -> Iterator[Unpacked]:
    """The parts of the bundle `path`, in a folder inside `room` that goes with the block.

    Raises `LibraryError` if it is no bundle, or one that could do harm.
    """
    with tempfile.TemporaryDirectory(prefix=UNPACKED_PREFIX, dir=room, ignore_cleanup_errors=True) as name:
        try:
            parts = _unpack(path, Path(name), cancel, report)
        except _BAD_ZIP as error:
            raise _refused(path, f"it is damaged ({error})") from error
        except OSError as error:
            raise folder.unreadable(path, error) from error
        yield parts


def _unpack(path: Path, into: Path, cancel: engine.Cancel | None, report: engine.Report | None) -> Unpacked:
    _check_end(path)
    with zipfile.ZipFile(path) as archive:
        entries = _checked(archive.infolist(), path)
        copying = folder.Copying(sum(entry.file_size for entry in entries.values()), cancel, report)
        files: dict[str, Path] = {}
        voice = next(name for name in _VOICES if name in entries)
        files[voice] = into / f"{safe_stem(path.stem)}{Path(voice).suffix}"
        files[_NOTES] = engine.sidecar_path(files[voice])
        for name, entry in entries.items():
            target = files.setdefault(name, into / name)
            with archive.open(entry) as source, engine.atomic_write(target, entry.file_size) as file:
                copying.pour(lambda count, source=source: source.read(count), file)  # type: ignore[misc]
        preview = next((files[name] for name in _PREVIEWS if name in entries), None)
        return Unpacked(files[voice], preview)


def _check_end(path: Path) -> None:
    """Before `zipfile` reads the list of entries, which could be as long as the file."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - _END.size - _ZIP64_BYTES))
        tail = file.read()
    if len(tail) < _END.size or not tail[-_END.size :].startswith(b"PK\x05\x06"):
        raise _refused(path, "it is cut short or no bundle at all")
    entries, list_bytes, comment_bytes = (_END.unpack(tail[-_END.size :])[place] for place in (4, 5, 7))
    if tail.startswith(_ZIP64) or comment_bytes or entries > len(("voice", "notes", "preview")):
        raise _refused(path, "it holds more than a voice, its notes and a preview")
    if list_bytes > _MOST_LIST_BYTES:
        raise _refused(path, "its list of contents is too long")


def _checked(infos: list[zipfile.ZipInfo], path: Path) -> dict[str, zipfile.ZipInfo]:
    entries = {info.filename: info for info in infos}
    if strange := sorted(set(entries) - set(_MOST_BYTES)):
        raise _refused(path, f"it holds something that does not belong there ({strange[0][:60]!r})")
    for name, info in entries.items():
        kind = stat.S_IFMT(info.external_attr >> 16)
        if kind not in (0, stat.S_IFREG):
            raise _refused(path, f"{name} in it is a link or a device")
        if info.compress_type != zipfile.ZIP_STORED or info.flag_bits & 1 or info.compress_size != info.file_size:
            raise _refused(path, f"{name} in it is packed or encrypted, which the studio never does")
        if info.file_size > _MOST_BYTES[name]:
            raise _refused(path, f"{name} in it is too large")
    if sum(info.file_size for info in infos) > path.stat().st_size:
        raise _refused(path, "it promises more than it holds")
    kinds = [[name for name in names if name in entries] for names in (_VOICES, _PREVIEWS)]
    if len(infos) != len(entries) or len(kinds[0]) != 1 or len(kinds[1]) > 1:
        raise _refused(path, "it must hold one voice, and one preview at most")
    return entries


def _refused(path: Path, reason: str) -> LibraryError:
    return LibraryError(f"{path} is not a voice bundle that can be opened: {reason}. Nothing was taken in.")
