"""What a hub says of a model's files, and the note of it that lies beside a fetched model."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Final

import msgspec

from engine.errors import FetchError
from engine.files import write_atomically

NOTE: Final = "qvoice-fetch.json"
_KINDS: Final = (".json", ".txt", ".safetensors")
_READ_BYTES: Final = 1 << 20


class RemoteFile(msgspec.Struct, frozen=True):
    """One file: its place in the model's folder (with "/"), size, and one of two digests.

    `sha256` is of the bytes (large files); `git_sha1` is git's name of the content (small ones at Hugging Face).
    """

    path: str
    size_bytes: int
    sha256: str = ""
    git_sha1: str = ""

    def is_whole(self, place: Path, tick: Callable[[int], None] = lambda _: None) -> bool:
        """Whether the file at `place` has this size and digest. `tick` gets the bytes of each block, and may raise."""
        if not place.is_file() or place.stat().st_size != self.size_bytes:
            return False
        hasher = hashlib.sha256() if self.sha256 else hashlib.sha1(usedforsecurity=False)
        if not self.sha256:
            hasher.update(f"blob {self.size_bytes}\0".encode())
        with place.open("rb") as file:
            while block := file.read(_READ_BYTES):
                hasher.update(block)
                tick(len(block))
        wanted = self.sha256 or self.git_sha1
        return not wanted or hasher.hexdigest() == wanted


class Listing(msgspec.Struct, frozen=True):
    """The files of one revision (a commit) of a model at one source, which was found under the name `asked`."""

    source: str
    repo: str
    revision: str
    files: tuple[RemoteFile, ...]
    asked: str = ""

    @property
    def total_bytes(self) -> int:
        return sum(file.size_bytes for file in self.files)


def wanted(path: str) -> bool:
    """Whether a file of a repository is part of the model. Raises `FetchError` for a path that leads elsewhere."""
    pure = PurePosixPath(path)
    if pure.is_absolute() or ".." in pure.parts or "\\" in path or ":" in path:
        raise FetchError(f"The source lists a file {path!r}, which is no place inside a model. Choose another source.")
    return pure.suffix in _KINDS and not pure.name.startswith(".")


def write_note(folder: Path, listing: Listing) -> None:
    """Keep beside the model what it was fetched from. Raises `WriteError`."""
    write_atomically(folder / NOTE, msgspec.json.format(msgspec.json.encode(listing), indent=2))


def read_note(folder: Path) -> Listing | None:
    """What `write_note` kept; None without one, or with one that cannot be read."""
    try:
        listing = msgspec.json.decode((folder / NOTE).read_bytes(), type=Listing)
        return listing if all(wanted(file.path) for file in listing.files) else None
    except (OSError, msgspec.MsgspecError, FetchError):
        return None
