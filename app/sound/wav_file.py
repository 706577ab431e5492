"""A WAV file that is whole at every moment: what is on the disk when the program dies can be read."""

from __future__ import annotations

import os
import struct
import time
from typing import TYPE_CHECKING, BinaryIO

import numpy as np

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

_IEEE_FLOAT = 3
_SAMPLE_BYTES = 4
_SYNC_SECONDS = 2.0  # as much may be lost when the power goes; nothing is when only the program dies


class GrowingWav:
    """32-bit float WAV, so that nothing a converter of up to 24 bits says is lost.

    Each `write` brings samples and then the header to the file, so the sizes in the header are always true.
    The file is its own and not libsndfile's since a full disk has to arrive here as an `OSError` with its reason.
    """

    def __init__(self, path: Path, sample_rate: int, channels: int) -> None:
        """Create `path` anew; raises OSError."""
        self.path = path
        self.sample_rate = sample_rate
        self.channels = channels
        self._bytes = 0  # whole frames in the file
        self._file: BinaryIO = path.open("wb", buffering=0)
        self._synced_at = time.monotonic()
        try:
            self._write_header()
        except OSError:
            self.close()
            raise

    @property
    def frames(self) -> int:
        """Frames that are in the file."""
        return self._bytes // (self.channels * _SAMPLE_BYTES)

    @property
    def seconds(self) -> float:
        return self.frames / self.sample_rate

    def write(self, frames: NDArray[np.float32]) -> None:
        """Append `frames` [n, channels]. On OSError the header names what did get in, in whole frames."""
        data = memoryview(np.ascontiguousarray(frames, "<f4").tobytes())
        end = self._file.seek(self._header_bytes + self._bytes)
        try:
            while data:
                written = self._file.write(data) or 0
                data, end = data[written:], end + written
        finally:
            whole = self.channels * _SAMPLE_BYTES
            self._bytes = (end - self._header_bytes) // whole * whole
            self._write_header()
        if time.monotonic() - self._synced_at > _SYNC_SECONDS:
            os.fsync(self._file.fileno())
            self._synced_at = time.monotonic()

    def close(self) -> None:
        """Cut off half a frame that a full disk may have left, and close. Twice is once."""
        if self._file.closed:
            return
        try:
            self._file.truncate(self._header_bytes + self._bytes)
        finally:
            self._file.close()

    def _write_header(self) -> None:
        self._file.seek(0)
        self._file.write(self._header())

    @property
    def _header_bytes(self) -> int:
        return len(self._header())

    def _header(self) -> bytes:
        frame_bytes = self.channels * _SAMPLE_BYTES
        layout = struct.pack(
            "<HHIIHHH",
            *(_IEEE_FLOAT, self.channels, self.sample_rate, self.sample_rate * frame_bytes),
            *(frame_bytes, 8 * _SAMPLE_BYTES, 0),
        )
        body = b"WAVE" + _chunk(b"fmt ", layout) + _chunk(b"fact", struct.pack("<I", self.frames))
        size = len(body) + 8 + self._bytes
        return b"RIFF" + struct.pack("<I", size) + body + b"data" + struct.pack("<I", self._bytes)


def _chunk(name: bytes, content: bytes) -> bytes:
    return name + struct.pack("<I", len(content)) + content
