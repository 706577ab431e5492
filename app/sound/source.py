"""Sound that can be played while it is still being made."""

from __future__ import annotations

import threading

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float32]

_FIRST_ROOM = 1 << 16


class SoundSource:
    """A sound that grows at its end: one side appends and finishes, any side reads. Thread-safe.

    Whoever makes it slowly raises `refill_seconds`: few long waits are easier on the ear than many short ones.
    Samples are float32, [n] for mono or [n, channels], and stay exactly as they were given.
    """

    def __init__(self, sample_rate: int = 24_000, channels: int = 1) -> None:
        self.sample_rate = sample_rate
        self.channels = channels
        self.refill_seconds = 0.25  # wanted in hand before playing begins, or goes on after running dry
        self._room = np.zeros((_FIRST_ROOM, channels), np.float32)
        self._frames = 0
        self._finished = False
        self._lock = threading.Lock()

    @classmethod
    def of(cls, samples: NDArray[np.floating], sample_rate: int = 24_000) -> SoundSource:
        """A finished source with a copy of `samples` [n] or [n, channels]."""
        source = cls(sample_rate, 1 if samples.ndim == 1 else samples.shape[1])
        source.append(samples)
        source.finish()
        return source

    @property
    def frames(self) -> int:
        """Frames so far."""
        return self._frames

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return self._frames / self.sample_rate

    @property
    def finished(self) -> bool:
        """Whether nothing will be appended any more."""
        return self._finished

    def append(self, samples: NDArray[np.floating]) -> None:
        """Add `samples` ([n] or [n, channels], floating point, full scale 1.0) at the end."""
        if not np.issubdtype(samples.dtype, np.floating):
            raise TypeError(f"sound is floating point with full scale 1.0, not {samples.dtype}")
        new = samples.reshape(-1, 1) if samples.ndim == 1 else samples
        if new.shape[1] != self.channels:
            raise ValueError(f"{new.shape[1]} channels appended to a sound of {self.channels}")
        with self._lock:
            if self._finished:
                raise ValueError("the sound is finished; nothing can be appended")
            end = self._frames + len(new)
            if end > len(self._room):
                self._grow(end)
            self._room[self._frames : end] = new
            self._frames = end

    def finish(self) -> None:
        """Nothing more will come; what is there is the whole. Any number of times."""
        self._finished = True

    def samples(self) -> Samples:
        """A copy of all so far: float32 [n] for mono, else [n, channels]."""
        with self._lock:
            whole = self._room[: self._frames].copy()
        return whole[:, 0] if self.channels == 1 else whole

    def read(self, start: int, count: int) -> Samples:
        """A copy of up to `count` frames from frame `start` on: float32 [0..count, channels]."""
        with self._lock:
            return self._room[start : min(start + count, self._frames)].copy()

    def _grow(self, frames: int) -> None:
        room = np.zeros((max(frames, 2 * len(self._room)), self.channels), np.float32)
        room[: self._frames] = self._room[: self._frames]
        self._room = room
