"""One open loudspeaker and the thread that fills it from one source, the one it was given.

A plain thread for the same reason as in `capture`: it emits nothing, and can be left behind if a driver hangs.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from app.sound.feed import Feed
from app.sound.portaudio import OpenStream, SoundError, close_in_time, one_line
from app.sound.ring import Ring

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.sound.devices import Device
    from app.sound.source import Samples, SoundSource
    from app.sound.streams import Callback

    OpenOutput = Callable[[Device | None, int, int, Callback], OpenStream]

_log = logging.getLogger(__name__)

TICK_SECONDS = 0.01
AHEAD_SECONDS = 0.6  # in the ring; the thread may be held up that long before anyone hears it
GAP_SECONDS = 1.5  # without a callback: the device has left
_FIRST_GAP_SECONDS = 5.0
_HELD_UP_SECONDS = 0.3
_LONGEST_LATENCY_SECONDS = 2.0  # some drivers name absurd times


@dataclass(frozen=True)
class _Anchor:
    """Frame `at` of the device's count plays second `seconds` of the source; set by each jump."""

    at: int
    seconds: float


@dataclass(frozen=True)
class _Block:
    """The last block given to the device: its place in the device's count and when its first frame is heard."""

    start: int
    frames: int
    heard_at: float


class Playback:
    """Plays `source` from `start_seconds` to `end_seconds` in its own thread, until its end or `stop`.

    The window's side calls `stop`, `pause`, `resume`, `seek` and reads `state` ("opening", "playing", "buffering",
    "paused", "stopped"), `position_seconds`, `failure` and `ended`. None of them waits.
    """

    def __init__(
        self,
        source: SoundSource,
        start_seconds: float,
        end_seconds: float | None,
        device: Device | None,
        open_output: OpenOutput,
        after: Playback | None = None,
    ) -> None:
        self.failure = ""
        self.ended = False  # the last sample has been heard
        self._source = source
        self._end_seconds = end_seconds
        self._device = device
        self._open_output = open_output
        self._after = after
        self._opened: OpenStream | None = None
        self._ring = Ring(1, 1)
        self._block = _Block(0, 0, 0.0)
        self._anchor = _Anchor(0, start_seconds)
        self._seeks: deque[float] = deque([start_seconds])  # asked for and not yet carried out
        self._last_callback = 0.0
        self._paused = False
        self._stopping = False
        self._waiting = True  # for the source
        self._wake = threading.Event()
        self._thread = threading.Thread(target=self._run, name="loudspeaker", daemon=True)
        self._thread.start()

    # The window's side

    @property
    def state(self) -> str:
        if self._stopping or not self._thread.is_alive():
            return "stopped"
        if self._opened is None:
            return "opening"
        if self._paused:
            return "paused"
        return "buffering" if self._starved() else "playing"

    @property
    def position_seconds(self) -> float:
        """The place in the source that is heard now."""
        for target in reversed(list(self._seeks)):
            return target
        anchor = self._anchor
        if self._opened is None:
            return anchor.seconds
        return anchor.seconds + max(0, self._heard_frame(self._opened) - anchor.at) / self._opened.sample_rate

    def stop(self) -> None:
        """Be silent from the next block on, and close; returns at once."""
        self._stopping = True
        self._wake.set()

    def pause(self) -> None:
        self._paused = True

    def resume(self) -> None:
        self._paused = False

    def seek(self, seconds: float) -> None:
        """Go on from `seconds`; what is buffered from elsewhere is dropped."""
        self._seeks.append(max(0.0, seconds))
        self._wake.set()

    def wait_closed(self, timeout_seconds: float) -> bool:
        """Whether the thread has ended within the time."""
        self._thread.join(timeout_seconds)
        return not self._thread.is_alive()

    # The thread's side

    def _run(self) -> None:
        try:
            if self._after is not None:
                self._after.wait_closed(GAP_SECONDS * 2)
                self._after = None
            if not self._stopping:
                self._play()
        except SoundError as error:
            self.failure = str(error)
        except Exception as error:  # noqa: BLE001 - a thread of ours must not end without a word
            _log.exception("the loudspeaker's thread failed")
            self.failure = f"Playing failed: {one_line(error)}. The log has the details."
        finally:
            if self._opened is not None:
                close_in_time(self._opened.stream, finish=self.ended)

    def _play(self) -> None:
        source = self._source
        opened = self._open_output(self._device, source.sample_rate, source.channels, self._on_output)
        self._ring = Ring(round(AHEAD_SECONDS * opened.sample_rate), opened.channels)
        feed = Feed(source, opened.sample_rate, opened.channels, self._end_seconds)
        pending = self._jump(feed)
        self._opened = opened
        self._last_callback = time.perf_counter() + _FIRST_GAP_SECONDS - GAP_SECONDS
        try:
            opened.stream.start()
        except Exception as error:
            text = f"Could not start “{opened.device_name}”: {one_line(error)}. Choose another in the list."
            raise SoundError(text) from error
        self._pump(feed, pending, opened)

    def _pump(self, feed: Feed, pending: Samples, opened: OpenStream) -> None:
        looked_at = time.perf_counter()
        while not self._stopping:
            if self._seeks:
                pending = self._jump(feed)
            pending = self._fill(feed, pending)
            if feed.over and not len(pending) and self._all_heard(opened):
                self.ended = True
                return
            self._wake.wait(TICK_SECONDS)
            self._wake.clear()
            now = time.perf_counter()
            if now - looked_at < _HELD_UP_SECONDS and self._has_left(now, opened):
                raise SoundError(f"“{opened.device_name}” stopped taking sound; was it unplugged?")
            looked_at = now

    def _jump(self, feed: Feed) -> Samples:
        """Carry out the last seek that was asked for; drops what is buffered."""
        asked = len(self._seeks)
        seconds = feed.go_to(self._seeks[asked - 1])
        self._waiting = True
        self._anchor = _Anchor(self._ring.discard(), seconds)
        for _ in range(asked):
            self._seeks.popleft()
        return feed.nothing

    def _fill(self, feed: Feed, pending: Samples) -> Samples:
        """Bring the ring up to its level as far as the source can; returns what did not fit."""
        if self._waiting:
            if not (feed.complete or feed.over) and feed.ready_seconds < self._source.refill_seconds:
                return pending
            self._waiting = False
        while True:
            pending = pending[self._ring.write(pending[: self._ring.free]) :]
            if len(pending) or feed.over:
                return pending
            pending = feed.next()
            if not len(pending):
                if not feed.over and not self._ring.filled:
                    self._waiting = True
                return pending

    def _on_output(self, buffer: Samples, frames: int, times: Any, _status: Any) -> None:
        """PortAudio's callback: copies, and silence for what is missing."""
        now = time.perf_counter()
        self._ring.catch_up()
        count = 0 if self._paused or self._stopping else min(frames, self._ring.filled)
        if count:
            delay = times.outputBufferDacTime - times.currentTime
            heard_at = now + min(max(delay, 0.0), _LONGEST_LATENCY_SECONDS)
            self._block = _Block(self._ring.next_read, count, heard_at)  # before the ring can look empty
            count = self._ring.read_into(buffer[:count])
        buffer[count:] = 0.0
        self._last_callback = now

    def _heard_frame(self, opened: OpenStream) -> int:
        """The frame of the device's count that leaves the loudspeaker now."""
        block = self._block
        frame = block.start + int((time.perf_counter() - block.heard_at) * opened.sample_rate)
        return max(0, min(frame, block.start + block.frames))

    def _starved(self) -> bool:
        return self._waiting and not self._ring.filled

    def _all_heard(self, opened: OpenStream) -> bool:
        block = self._block
        heard_until = block.heard_at + block.frames / opened.sample_rate
        return not self._ring.filled and time.perf_counter() >= heard_until

    def _has_left(self, now: float, opened: OpenStream) -> bool:
        return now - self._last_callback > GAP_SECONDS or not opened.stream.active
