"""One open microphone and the thread that empties it: to the meter always, to a file while a take runs.

A plain thread and not a QThread: it emits no signals, and when a driver hangs it can be left behind, whereas a
QThread that does not end takes the program down at exit.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from dataclasses import dataclass
from queue import Empty, SimpleQueue
from typing import TYPE_CHECKING, Any

import numpy as np

from app.sound import levels
from app.sound.portaudio import OpenStream, SoundError, close_in_time, one_line
from app.sound.ring import Ring
from app.sound.take import Ending, RecordedTake, Take

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from app.sound.devices import Device
    from app.sound.streams import Callback

    OpenInput = Callable[[Device | None, Callback], OpenStream]

_log = logging.getLogger(__name__)

TICK_SECONDS = 0.02
RING_SECONDS = 10.0  # how long a disk may think before sound is lost
GAP_SECONDS = 1.0  # without a callback: the device has left
FIRST_GAP_SECONDS = 5.0  # Bluetooth microphones take their time to begin
_HELD_UP_SECONDS = 0.3  # a tick this late was held up itself and must not judge the callback


@dataclass(frozen=True)
class Opened:
    device_name: str
    sample_rate: int
    channels: int


@dataclass(frozen=True)
class Failed:
    text: str


@dataclass(frozen=True)
class TakeEnded:
    take: RecordedTake


@dataclass(frozen=True)
class Closed:
    pass


Event = Opened | Failed | TakeEnded | Closed


@dataclass(frozen=True)
class Levels:
    """Of what came since the last look."""

    peak_dbfs: float
    rms_dbfs: float
    clipped: bool


class _Request:
    """What the window asks of the thread; `done` is set when it has been carried out."""

    def __init__(self, action: Callable[[], None]) -> None:
        self.action = action
        self.done = threading.Event()


class Capture:
    """Opens `device` in its own thread and keeps emptying it until `close`.

    The window's side calls `begin_take`, `end_take`, `discard_take`, `close` and reads `events`, `take_levels`,
    `take_columns` and `seconds`; none of them waits, but for `end_take` for a moment.
    """

    def __init__(self, device: Device | None, open_input: OpenInput, after: Capture | None = None) -> None:
        self.events: deque[Event] = deque()
        self.seconds = 0.0
        self._device = device
        self._open_input = open_input
        self._after = after  # some devices can be open once only
        self._requests: SimpleQueue[_Request] = SimpleQueue()
        self._closing = False
        self._opened: OpenStream | None = None
        self._ring = Ring(1, 1)
        self._last_callback = 0.0
        self._overflows = 0
        self._take: Take | None = None
        self._lost_before_take = 0
        self._unseen: deque[levels.Samples] = deque(maxlen=100)  # blocks the meter has not shown
        self._columns: deque[levels.Samples] = deque()
        self._thread = threading.Thread(target=self._run, name="microphone", daemon=True)
        self._thread.start()

    # The window's side

    @property
    def is_open(self) -> bool:
        return self._opened is not None

    def begin_take(self, path: Path, max_seconds: float) -> None:
        """Begin to write as soon as the device is open; a failure comes as `Failed`."""
        self._ask(lambda: self._begin(path, max_seconds))

    def end_take(self, wait_seconds: float) -> None:
        """End the take, if any, and wait a moment until the file is closed; `TakeEnded` is then in `events`."""
        self._ask(lambda: self._end(Ending.ASKED)).done.wait(wait_seconds)

    def discard_take(self) -> None:
        """End the take, if any, and remove its file."""
        self._ask(self._discard)

    def close(self) -> None:
        """End the take, keep it, close the device; `Closed` is the last event."""
        self._closing = True
        self._ask(lambda: None)

    def wait_closed(self, timeout_seconds: float) -> bool:
        """Whether the thread has ended within the time."""
        self._thread.join(timeout_seconds)
        return not self._thread.is_alive()

    def take_levels(self) -> Levels | None:
        """Levels since the last call; None if nothing came."""
        blocks = [self._unseen.popleft() for _ in range(len(self._unseen))]
        if not blocks:
            return None
        sound = np.concatenate(blocks)
        return Levels(levels.peak_dbfs(sound), levels.rms_dbfs(sound), levels.clipped_runs(sound) > 0)

    def take_columns(self) -> levels.Samples | None:
        """The take's new envelope columns since the last call, float32 [columns, 2]; None if there are none."""
        columns = [self._columns.popleft() for _ in range(len(self._columns))]
        return np.concatenate(columns) if columns else None

    # The thread's side

    def _ask(self, action: Callable[[], None]) -> _Request:
        request = _Request(action)
        self._requests.put(request)
        return request

    def _run(self) -> None:
        try:
            if self._after is not None:
                self._after.wait_closed(GAP_SECONDS * 3)
                self._after = None
            self._open()
            self._pump()
        except SoundError as error:
            self.events.append(Failed(str(error)))
        except Exception as error:  # noqa: BLE001 - a thread of ours must not end without a word
            _log.exception("the microphone's thread failed")
            self.events.append(Failed(f"Recording failed: {one_line(error)}. The log has the details."))
        finally:
            self._end(Ending.ASKED if self._closing else Ending.DEVICE_LEFT)
            if self._opened is not None:
                close_in_time(self._opened.stream)
            self.events.append(Closed())

    def _open(self) -> None:
        opened = self._open_input(self._device, self._on_input)
        self._ring = Ring(round(RING_SECONDS * opened.sample_rate), opened.channels)
        self._opened = opened
        self._last_callback = time.perf_counter() + FIRST_GAP_SECONDS - GAP_SECONDS
        try:
            opened.stream.start()
        except Exception as error:
            text = f"Could not start “{opened.device_name}”: {one_line(error)}. Choose another in the list."
            raise SoundError(text) from error
        self.events.append(Opened(opened.device_name, opened.sample_rate, opened.channels))

    def _on_input(self, buffer: levels.Samples, _frames: int, _times: Any, status: Any) -> None:
        """PortAudio's callback: copies, counts, and nothing else."""
        self._ring.write(buffer)
        self._last_callback = time.perf_counter()
        if status:
            self._overflows += 1

    def _pump(self) -> None:
        judged_at = time.perf_counter()
        while not self._closing:
            request = self._next_request()
            self._drain()
            if request is not None:
                request.action()
                request.done.set()
            now = time.perf_counter()
            if now - judged_at < _HELD_UP_SECONDS and self._has_left(now):
                self._leave()
                return
            judged_at = now

    def _next_request(self) -> _Request | None:
        try:
            return self._requests.get(timeout=TICK_SECONDS)
        except Empty:
            return None

    def _drain(self) -> None:
        frames = self._ring.read()
        if not len(frames):
            return
        self._unseen.append(frames)
        if self._take is None:
            return
        columns = self._take.write(frames)
        if len(columns):
            self._columns.append(columns)
        self.seconds = self._take.seconds
        ending = self._take.ending()
        if ending is not None:
            self._end(ending)

    def _has_left(self, now: float) -> bool:
        assert self._opened is not None
        return now - self._last_callback > GAP_SECONDS or not self._opened.stream.active

    def _leave(self) -> None:
        """The device has left: keep what it sent, and say so once, with the take or without."""
        assert self._opened is not None
        self._drain()
        if self._take is None:
            name = self._opened.device_name
            self.events.append(Failed(f"“{name}” stopped sending sound; was it unplugged? Choose another."))
        self._end(Ending.DEVICE_LEFT)

    def _begin(self, path: Path, max_seconds: float) -> None:
        assert self._opened is not None
        self._end(Ending.ASKED)
        self.seconds = 0.0
        self._columns.clear()
        try:
            self._take = Take(path, self._opened.sample_rate, self._opened.channels, max_seconds)
        except SoundError as error:
            self.events.append(Failed(str(error)))
        self._lost_before_take = self._ring.overruns + self._overflows

    def _end(self, ending: Ending) -> None:
        take, self._take = self._take, None
        if take is None:
            return
        assert self._opened is not None
        last = take.last_column()
        if len(last):
            self._columns.append(last)
        overruns = self._ring.overruns + self._overflows - self._lost_before_take
        self.events.append(TakeEnded(take.finish(ending, self._opened.device_name, overruns)))

    def _discard(self) -> None:
        take, self._take = self._take, None
        if take is not None:
            take.discard()
