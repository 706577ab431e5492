"""From a source to the frames a device wants: at its rate, in its channels, from any point on."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from app.sound.source import Samples, SoundSource

PIECE_SECONDS = 0.05


class Feed:
    """Reads a source from `start_seconds` up to `end_seconds` (None: its end) and converts it as it goes.

    At the device's own rate and channels the samples pass unchanged. Otherwise soxr resamples the stream as one
    piece, however it is cut, and a mono source fills all channels.
    """

    def __init__(self, source: SoundSource, sample_rate: int, channels: int, end_seconds: float | None) -> None:
        self._source = source
        self._rate = sample_rate
        self._channels = channels
        self._end = None if end_seconds is None else round(end_seconds * source.sample_rate)
        self._at = 0
        self._over = False
        self._resampler: Any = self._new_resampler()

    @property
    def over(self) -> bool:
        """Whether everything has been read."""
        return self._over

    @property
    def nothing(self) -> Samples:
        """No frames at all, for the device."""
        return np.zeros((0, self._channels), np.float32)

    @property
    def ready_seconds(self) -> float:
        """Sound in the source that has not been read yet."""
        return max(0, self._last_frame() - self._at) / self._source.sample_rate

    @property
    def complete(self) -> bool:
        """Whether the source has everything that will be asked of it."""
        return self._source.finished or (self._end is not None and self._source.frames >= self._end)

    def go_to(self, seconds: float) -> float:
        """Read on from `seconds`, no further than what is there; returns the place taken."""
        self._at = max(0, min(round(seconds * self._source.sample_rate), self._last_frame()))
        self._over = False
        self._resampler = self._new_resampler()
        return self._at / self._source.sample_rate

    def next(self) -> Samples:
        """The next frames for the device: float32 [n, channels]; none if the source has none at the moment."""
        complete = self.complete  # asked before reading, so that no late frame is missed
        count = min(round(PIECE_SECONDS * self._source.sample_rate), self._last_frame() - self._at)
        frames = self._source.read(self._at, max(0, count))
        self._at += len(frames)
        last = complete and self._at >= self._last_frame()
        if last:
            self._over = True
        elif not len(frames):
            return self.nothing
        return self._spread(self._resample(frames, last))

    def _last_frame(self) -> int:
        return self._source.frames if self._end is None else min(self._end, self._source.frames)

    def _new_resampler(self) -> Any:
        if self._rate == self._source.sample_rate:
            return None
        import soxr

        return soxr.ResampleStream(self._source.sample_rate, self._rate, self._source.channels, "float32", "VHQ")

    def _resample(self, frames: Samples, last: bool) -> Samples:
        if self._resampler is None:
            return frames
        out: Samples = self._resampler.resample_chunk(np.ascontiguousarray(frames), last)
        return out.reshape(-1, self._source.channels)

    def _spread(self, frames: Samples) -> Samples:
        """From the source's channels to the device's."""
        if frames.shape[1] == self._channels:
            return frames
        if frames.shape[1] > 1:
            frames = frames.mean(axis=1, keepdims=True, dtype=np.float32)
        return np.repeat(frames, self._channels, axis=1)
