"""One file from a hub: resumed where it broke off, checked when it is there, and only then given its name."""

from __future__ import annotations

import os
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

from engine.errors import Cancelled, FetchError, WriteError
from engine.hub.files import RemoteFile
from engine.hub.web import Unreached, break_off, get, require_found

_RESUMED, _WHOLE, _BAD_RANGE = 206, 200, 416


@dataclass(frozen=True)
class Patience:
    """How long to wait for a byte, and how often to try again while nothing comes."""

    read_seconds: float = 20.0
    tries: int = 6
    first_pause_seconds: float = 1.0
    longest_pause_seconds: float = 20.0


class Transfer:
    """Fetches `file` to `place`. `received` counts bytes that are on the disk; `stop` may be called from any thread."""

    def __init__(self, file: RemoteFile, url: str, headers: dict[str, str], place: Path, patience: Patience) -> None:
        self.file, self.place = file, place
        self.part = place.with_name(place.name + ".part")
        self.received = self._kept()
        self.last_byte_at = time.monotonic()
        self._url, self._headers, self._patience = url, headers, patience
        self._stopped = threading.Event()
        self._lock = threading.Lock()
        self._answer: Any = None

    def stop(self) -> None:
        """Write nothing more, and return from `run` soon; what came is kept."""
        with self._lock:
            self._stopped.set()
            if self._answer is not None:
                break_off(self._answer)

    def run(self) -> None:
        """Fetch. Raises `FetchError`, `WriteError` or `Cancelled`."""
        for is_last in (False, True):
            self._fill()
            if self.file.is_whole(self.part, self._tick):
                self._finish()
                return
            self.part.unlink(missing_ok=True)  # wrong bytes: nothing of it can be used
            self.received = 0
            if is_last:
                raise FetchError(
                    f"{self.file.path} came twice with other bytes than the source promises. Choose another source, "
                    "or discard what came and begin anew: there may be a newer revision."
                )

    def _fill(self) -> None:
        failures, pause = 0, self._patience.first_pause_seconds
        while self.received < self.file.size_bytes:
            before, reason = self.received, "the connection broke off"
            try:
                self._stream()
            except Unreached as error:
                reason = str(error)
            except OSError as error:
                raise _not_written(self.part, error) from error
            self._check()
            if self.received > before:
                failures, pause = 0, self._patience.first_pause_seconds
            elif (failures := failures + 1) >= self._patience.tries:
                raise FetchError(
                    f"{self.file.path}: nothing came in {failures} tries ({reason}). "
                    f"{self.received / 1e6:.0f} of {self.file.size_bytes / 1e6:.0f} MB are kept; fetch again to go on."
                )
            if self.received < self.file.size_bytes:
                self._stopped.wait(pause)
                self._check()
                pause = min(pause * 2, self._patience.longest_pause_seconds)

    def _stream(self) -> None:
        """One connection, as far as it goes. Raises `Unreached`, `FetchError`, OSError of the disk."""
        headers = dict(self._headers)
        if self.received:
            headers["range"] = f"bytes={self.received}-"
        with get(self._url, headers, self._patience.read_seconds) as answer:
            require_found(answer.status_code, self.file.path)
            if answer.status_code not in (_WHOLE, _RESUMED):
                if answer.status_code == _BAD_RANGE:
                    self._start_anew()
                raise Unreached(f"the server answered {answer.status_code}")
            if not self._goes_on(answer):
                self._start_anew()
            with self._lock:
                self._check()  # stopped while it connected
                self._answer = answer
            try:
                self._write(answer)
            finally:
                with self._lock:
                    self._answer = None

    def _goes_on(self, answer: Any) -> bool:
        """Whether the bytes follow what is kept; a server may ignore or change the range."""
        if answer.status_code == _WHOLE:
            return self.received == 0
        return str(answer.headers.get("content-range", "")).startswith(f"bytes {self.received}-")

    def _write(self, answer: Any) -> None:
        try:
            self.part.parent.mkdir(parents=True, exist_ok=True)
            file = self.part.open("ab")
        except OSError as error:
            raise _not_written(self.part, error) from error
        with file:
            for block in answer.iter_raw(1 << 18):
                self._take(file, block)

    def _take(self, file: IO[bytes], block: bytes) -> None:
        if self.received + len(block) > self.file.size_bytes:
            self._start_anew()
            raise FetchError(
                f"{self.file.path} is longer than the {self.file.size_bytes} bytes that the source promises. "
                "Choose another source."
            )
        with self._lock:
            self._check()
            try:
                file.write(block)
                file.flush()
            except OSError as error:
                raise _not_written(self.part, error) from error
        self.received += len(block)
        self.last_byte_at = time.monotonic()

    def _start_anew(self) -> None:
        with self._lock:
            self._check()  # another fetch may go on with the file by now
            if self.part.exists():
                os.truncate(self.part, 0)
            self.received = 0

    def _finish(self) -> None:
        try:
            with self.part.open("r+b") as file:
                os.fsync(file.fileno())
            self.part.replace(self.place)
        except OSError as error:
            raise _not_written(self.place, error) from error

    def _kept(self) -> int:
        """Bytes that an earlier run left; more than there can be are of no use."""
        with suppress(OSError):
            size = self.part.stat().st_size
            if size <= self.file.size_bytes:
                return size
            self.part.unlink()
        return 0

    def _tick(self, _: int) -> None:
        self._check()
        self.last_byte_at = time.monotonic()  # being checked is no stall

    def _check(self) -> None:
        if self._stopped.is_set():
            raise Cancelled


def _not_written(place: Path, error: OSError) -> WriteError:
    words = error.strerror or str(error)
    return WriteError(f"{place} cannot be written ({words}). What came is kept; make room and fetch again.")
