"""The recorder as the window sees it: a level before the take, a waveform during it, a file on disk all along."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.sound.capture import Capture, Closed, Event, Failed, Opened, TakeEnded
from app.sound.streams import open_input

if TYPE_CHECKING:
    from pathlib import Path

    from app.sound.capture import OpenInput
    from app.sound.devices import Device
    from app.sound.take import RecordedTake

REFRESH_MS = 33
COLUMNS_PER_SECOND = 100
_STOP_SECONDS = 2.0

CLOSED, OPENING, LISTENING, RECORDING = "closed", "opening", "listening", "recording"


class Recorder(QObject):
    """One microphone at a time. Nothing here waits for a device; `stop` waits for the file, some milliseconds.

    Signals:
        state_changed(str): "closed", "opening", "listening" (open, no take) or "recording".
        opened(str, int, int): the device's name, the sample rate and channels it was opened with.
        level_changed(float, float, bool): peak and RMS in dBFS since the last one, and whether it clipped; ~30 Hz.
        waveform_grew(ndarray): new columns of the take, 100 a second, float32 [columns, 2]: minimum, maximum.
        seconds_changed(float): length of the take so far.
        stopped(RecordedTake): once for every take that is kept, whatever ended it.
        failed(str): one line: the device did not open, or left while no take ran, or the file could not be made.
    """

    state_changed = Signal(str)
    opened = Signal(str, int, int)
    level_changed = Signal(float, float, bool)
    waveform_grew = Signal(object)
    seconds_changed = Signal(float)
    stopped = Signal(object)
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None, open_input: OpenInput = open_input) -> None:
        super().__init__(parent)
        self._open_input = open_input
        self._capture: Capture | None = None
        self._retired: list[Capture] = []  # still closing; their last words are still wanted
        self._state = CLOSED
        self._max_seconds = 30.0
        self._seconds = 0.0
        self._path: Path | None = None  # of the take that runs
        self._last_take: RecordedTake | None = None
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        self._owned: list[Capture] = []  # shared with the hook below, which must not hold `self`
        self.destroyed.connect(partial(_let_go, self._owned))

    @property
    def state(self) -> str:
        return self._state

    @property
    def seconds(self) -> float:
        """Length of the running take, or of the last one."""
        return self._seconds

    @property
    def seconds_left(self) -> float:
        return max(0.0, self._max_seconds - self._seconds)

    def open(self, device: Device | None = None) -> None:
        """Listen to `device` (None: the default): the level lives from here on. A take that runs is kept."""
        previous = self._retire()
        self._capture = Capture(device, self._open_input, after=previous)
        self._owned.append(self._capture)
        self._set_state(OPENING)
        self._timer.start()

    def start(self, path: Path, max_seconds: float = 30.0) -> None:
        """Record to `path` (replaced if it exists) for at most `max_seconds`; opens the default if none is open."""
        self.stop()
        if self._capture is None:
            self.open()
        assert self._capture is not None
        self._path = path
        self._max_seconds = max_seconds
        self._set_seconds(0.0)
        self._capture.begin_take(path, max_seconds)
        self._set_state(RECORDING)

    def stop(self) -> RecordedTake | None:
        """End the take; its file is closed on return, and `stopped` is emitted before it.

        None if no take ran, if the device was not even open, or if the disk is so slow that the take comes later
        and by `stopped` only.
        """
        if self._capture is None or self._state != RECORDING:
            return None
        if not self._capture.is_open:
            self.cancel()
            return None
        self._last_take = None
        self._capture.end_take(_STOP_SECONDS)
        self._refresh()
        if self._capture is not None and self._state == RECORDING:
            self._set_state(LISTENING)
        return self._last_take

    def cancel(self) -> None:
        """End the take and remove its file; the microphone stays open."""
        if self._capture is not None and self._state == RECORDING:
            self._capture.discard_take()
            self._set_state(LISTENING if self._capture.is_open else OPENING)

    def close(self) -> None:
        """Close the microphone; returns at once. A take that runs is kept and comes by `stopped`."""
        self._retire()
        self._set_state(CLOSED)

    def wait_closed(self, timeout_seconds: float = 5.0) -> bool:
        """`close`, then wait until files and devices are closed and every signal is out. At exit, and in tests."""
        self.close()
        closed = [capture.wait_closed(timeout_seconds) for capture in self._retired]
        self._refresh()
        return all(closed)

    def _retire(self) -> Capture | None:
        capture, self._capture = self._capture, None
        if capture is not None:
            capture.close()
            self._retired.append(capture)
        return self._retired[-1] if self._retired else None

    def _refresh(self) -> None:
        for capture in list(self._retired):
            self._read_events(capture)
        if self._capture is not None:
            self._show(self._capture)
            self._read_events(self._capture)
        if self._capture is None and not self._retired:
            self._timer.stop()

    def _show(self, capture: Capture) -> None:
        level = capture.take_levels()
        if level is not None:
            self.level_changed.emit(level.peak_dbfs, level.rms_dbfs, level.clipped)
        columns = capture.take_columns()
        if columns is not None and self._state == RECORDING:
            self.waveform_grew.emit(columns)
        if self._state == RECORDING:
            self._set_seconds(capture.seconds)

    def _set_seconds(self, seconds: float) -> None:
        if seconds != self._seconds:
            self._seconds = seconds
            self.seconds_changed.emit(seconds)

    def _read_events(self, capture: Capture) -> None:
        while capture.events:
            self._tell(capture, capture.events.popleft())

    def _tell(self, capture: Capture, event: Event) -> None:
        current = capture is self._capture
        match event:
            case Opened():
                if current:
                    self.opened.emit(event.device_name, event.sample_rate, event.channels)
                    self._set_state(RECORDING if self._state == RECORDING else LISTENING)
            case Failed():
                if current:
                    if self._state == RECORDING:
                        self._set_state(LISTENING)
                    self.failed.emit(event.text)
            case TakeEnded():
                if current and event.take.path == self._path and self._state == RECORDING:
                    self._set_state(LISTENING)
                self._last_take = event.take
                self.stopped.emit(event.take)
            case Closed():
                self._forget(capture)

    def _forget(self, capture: Capture) -> None:
        self._owned.remove(capture)
        if capture in self._retired:
            self._retired.remove(capture)
        if capture is self._capture:  # it closed of itself
            self._capture = None
            self._set_state(CLOSED)

    def _set_state(self, state: str) -> None:
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)


def _let_go(owned: list[Capture], _: object = None) -> None:
    for capture in owned:
        capture.close()
