"""A take while it is written to disk, and what is known of it afterwards."""

from __future__ import annotations

import errno
import logging
import shutil
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

import numpy as np

from app.sound import levels
from app.sound.portaudio import SoundError
from app.sound.wav_file import GrowingWav

if TYPE_CHECKING:
    from pathlib import Path

_log = logging.getLogger(__name__)

SILENCE = 1 / 32768  # a take that never leaves the lowest step of 16 bits holds nothing a microphone heard
_FLOAT_BYTES = 4
_SPARE_BYTES = 1 << 20
_NO_ROOM = (errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC))


class Ending(StrEnum):
    """Why a take ended."""

    ASKED = "stopped"
    TIME_LIMIT = "time limit"
    DEVICE_LEFT = "device left"
    DISK = "disk"


@dataclass(frozen=True)
class RecordedTake:
    """A finished take. The file at `path` is whole, whatever the ending was.

    `overruns` counts the places where sound was lost on the way; `notice` is one line to show when the ending was
    not asked for, else empty; `silent` means digital silence throughout, as from a muted microphone.
    """

    path: Path
    seconds: float
    sample_rate: int
    channels: int
    overruns: int
    ended_because: Ending
    notice: str
    silent: bool
    clipped: bool
    peak_dbfs: float


class Take:
    """Writes frames to a growing WAV up to a limit, and measures them on the way."""

    def __init__(self, path: Path, sample_rate: int, channels: int, max_seconds: float) -> None:
        """Create the file; raises `SoundError` if that fails or the disk has no room for a full take."""
        self.path = path
        self._limit = round(max_seconds * sample_rate)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            needed = self._limit * channels * _FLOAT_BYTES
            free = shutil.disk_usage(path.parent).free
            if free < needed + _SPARE_BYTES:
                raise SoundError(
                    f"Not enough room to record in {path.parent}: {needed / 1e6:.0f} MB needed, "
                    f"{free / 1e6:.0f} MB free. Free some space."
                )
            self._wav = GrowingWav(path, sample_rate, channels)
        except OSError as error:
            raise SoundError(f"Could not record to {path}: {error.strerror or error}.") from error
        self._envelope = levels.Envelope(sample_rate)
        self._peak = 0.0
        self._clipped = False
        self._disk_error: OSError | None = None

    @property
    def seconds(self) -> float:
        return self._wav.seconds

    @property
    def disk_error(self) -> OSError | None:
        """What the disk said, if it refused."""
        return self._disk_error

    def write(self, frames: levels.Samples) -> levels.Samples:
        """Append `frames` [n, channels] as far as the limit and the disk allow; returns new envelope columns."""
        before = self._wav.frames
        try:
            self._wav.write(frames[: self._limit - before])
        except OSError as error:
            self._disk_error = error
        kept = frames[: self._wav.frames - before]
        if not len(kept):
            return np.zeros((0, 2), np.float32)
        self._peak = max(self._peak, float(np.abs(kept).max()))
        self._clipped = self._clipped or levels.clipped_runs(kept) > 0
        return self._envelope.add(kept)

    def ending(self) -> Ending | None:
        """Why the take has to end now, if it has to."""
        if self._disk_error is not None:
            return Ending.DISK
        return Ending.TIME_LIMIT if self._wav.frames >= self._limit else None

    def last_column(self) -> levels.Samples:
        """The envelope's rest: float32 [0 or 1, 2]."""
        return self._envelope.finish()

    def finish(self, ending: Ending, device_name: str, overruns: int) -> RecordedTake:
        """Close the file and say what is in it."""
        self._close()
        return RecordedTake(
            path=self.path,
            seconds=self._wav.seconds,
            sample_rate=self._wav.sample_rate,
            channels=self._wav.channels,
            overruns=overruns,
            ended_because=ending,
            notice=self._notice(ending, device_name),
            silent=self._peak <= SILENCE,
            clipped=self._clipped,
            peak_dbfs=levels.to_dbfs(self._peak),
        )

    def discard(self) -> None:
        """Close the file and remove it."""
        self._close()
        try:
            self.path.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("could not remove the cancelled take %s: %s", self.path, error)

    def _close(self) -> None:
        try:
            self._wav.close()
        except OSError as error:  # the header already names what got in
            self._disk_error = self._disk_error or error

    def _notice(self, ending: Ending, device_name: str) -> str:
        kept = f"The {self._wav.seconds:.1f} s recorded until then are kept"
        if ending is Ending.DEVICE_LEFT:
            return f"“{device_name}” stopped sending sound; was it unplugged? {kept}."
        if ending is Ending.DISK:
            reason = self._disk_error
            full = reason is not None and reason.errno in _NO_ROOM
            what = "The disk is full" if full else f"The disk refused to write ({reason and reason.strerror})"
            return f"{what}. {kept} in {self.path.name}; free some space before the next take."
        if ending is Ending.TIME_LIMIT:
            return f"The limit of {self._wav.seconds:.0f} s is reached."
        return ""
