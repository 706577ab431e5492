"""Reading a file from a stranger: every length is compared with what is left before anything is read."""

from __future__ import annotations

import struct
import threading
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engine.errors import VoiceError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


def refusal(path: Path, reason: str) -> VoiceError:
    """The one-line error about `path`."""
    return VoiceError(" ".join(f"{path}: {reason}".split()))


class Source:
    """A seekable binary file with a known end. Every method that reads raises `VoiceError` at the end."""

    def __init__(self, file: IO[bytes], path: Path) -> None:
        self.path = path
        self._file = file
        self._reading = threading.Lock()
        self.size = file.seek(0, 2)
        file.seek(0)

    @property
    def position(self) -> int:
        return self._file.tell()

    @property
    def left(self) -> int:
        return max(0, self.size - self._file.tell())

    def seek(self, offset: int) -> None:
        self._file.seek(offset)

    def refuse(self, reason: str) -> VoiceError:
        return refusal(self.path, reason)

    def need(self, count: int, what: str) -> None:
        """Raise `VoiceError` unless `count` bytes are left for `what`."""
        if count > self.left:
            raise self.refuse(
                f"the file is cut short or damaged: {what} needs {count} bytes, {self.left} are left. "
                "Get the file again."
            )

    def take(self, count: int, what: str) -> bytearray:
        self.need(count, what)
        data = bytearray(count)
        if self._file.readinto(data) != count:  # type: ignore[attr-defined]
            raise self.refuse(f"the file changed while {what} was read. Try again.")
        return data

    def take_at(self, offset: int, count: int, what: str) -> bytearray:
        """What stands at `offset`, for several threads at once."""
        with self._reading:
            self.seek(offset)
            return self.take(count, what)

    def skip(self, count: int, what: str) -> int:
        """Step over `count` bytes; return where they began."""
        self.need(count, what)
        start = self._file.tell()
        self._file.seek(start + count)
        return start

    def peek(self, count: int) -> bytes:
        """Up to `count` next bytes, without moving."""
        start = self._file.tell()
        data = self._file.read(min(count, self.left))
        self._file.seek(start)
        return data

    def unpack(self, layout: str, what: str) -> tuple[Any, ...]:
        """The little-endian values of a `struct` layout without its sign."""
        return struct.unpack("<" + layout, self.take(struct.calcsize("<" + layout), what))

    def u32(self, what: str) -> int:
        return int(self.unpack("I", what)[0])

    def array(self, kind: str, shape: tuple[int, ...], what: str) -> npt.NDArray[Any]:
        """An array of `shape` of little-endian `kind` ("f4", "i4", "u2"), in native order."""
        stored = np.dtype("<" + kind)
        count = 1
        for length in shape:
            count *= length
        data = np.frombuffer(self.take(count * stored.itemsize, what), stored)
        return data.reshape(shape).astype(stored.newbyteorder("="), copy=False)


@contextmanager
def open_source(path: Path) -> Iterator[Source]:
    """Open a voice file. Raises `VoiceError` if it is not a file or the system cannot read it."""
    if not path.is_file():
        reason = "this is not a file" if path.exists() else "there is no such file"
        raise refusal(path, f"{reason}. Choose a voice file.")
    try:
        with path.open("rb") as file:
            yield Source(file, path)
    except OSError as error:
        raise refusal(path, f"could not be read: {error.strerror or error}.") from error
