"""A ring buffer between one writer and one reader, of which either may be PortAudio's callback: no locks."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]


class Ring:
    """Fixed room for `capacity` frames of float32 [frames, channels].

    One thread writes, one reads. Each moves only its own counter, after the samples are in place, so no lock
    is needed and a callback never waits. Counters run from 0 and never wrap; they count frames.
    """

    def __init__(self, capacity: int, channels: int) -> None:
        self._room = np.zeros((capacity, channels), np.float32)
        self._written = 0
        self._read = 0
        self._discard_to = 0
        self._overruns = 0
        self._lost = 0

    @property
    def capacity(self) -> int:
        return len(self._room)

    @property
    def channels(self) -> int:
        return int(self._room.shape[1])

    @property
    def written(self) -> int:
        """Frames written since the beginning."""
        return self._written

    @property
    def next_read(self) -> int:
        """The counter of the frame that is read next: all before it are read or discarded."""
        return max(self._read, self._discard_to)

    @property
    def filled(self) -> int:
        """Frames ready to be read."""
        return self._written - self.next_read

    @property
    def free(self) -> int:
        """Frames that can be written now."""
        return self.capacity - (self._written - self._read)

    @property
    def overruns(self) -> int:
        """How many writes did not fit."""
        return self._overruns

    @property
    def lost(self) -> int:
        """How many frames did not fit, over all writes."""
        return self._lost

    def write(self, frames: Samples) -> int:
        """Copy in what fits of `frames` [n, channels] (writer's side); returns how many, the rest is lost."""
        count = min(len(frames), self.free)
        at = self._written % self.capacity
        first = min(count, self.capacity - at)
        self._room[at : at + first] = frames[:first]
        self._room[: count - first] = frames[first:count]
        self._written += count
        if count < len(frames):
            self._overruns += 1
            self._lost += len(frames) - count
        return count

    def catch_up(self) -> None:
        """Free the room of what was discarded (reader's side; also when nothing is to be read just now)."""
        self._read = max(self._read, self._discard_to)

    def read_into(self, out: Samples) -> int:
        """Fill the head of `out` [n, channels] with what is there (reader's side); returns how many frames."""
        self.catch_up()
        count = min(len(out), self._written - self._read)
        at = self._read % self.capacity
        first = min(count, self.capacity - at)
        out[:first] = self._room[at : at + first]
        out[first:count] = self._room[: count - first]
        self._read += count
        return count

    def read(self) -> Samples:
        """A copy of everything that is there (the reader's side): float32 [frames, channels]."""
        out = np.empty((self.filled, self.channels), np.float32)
        return out[: self.read_into(out)]

    def discard(self) -> int:
        """Drop what is written and not yet read (writer's side); returns the counter where reading goes on.

        The room is free again once the reader has caught up: it may be copying from there at this moment.
        """
        self._discard_to = self._written
        return self._written
