"""The player as the window sees it: one sound at a time, finished or still growing, with a cursor that is true."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from app.sound.playback import Playback
from app.sound.source import SoundSource
from app.sound.streams import open_output

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from app.sound.devices import Device
    from app.sound.playback import OpenOutput

REFRESH_MS = 33

STOPPED, OPENING, PLAYING, BUFFERING, PAUSED = "stopped", "opening", "playing", "buffering", "paused"


class Player(QObject):
    """Plays a source to its end. Nothing here waits for a device.

    What `play` was given is what is played, whatever happens to the caller's data or the window afterwards.

    Signals:
        state_changed(str): "stopped", "opening", "playing", "buffering" (a growing source ran dry; goes on by
            itself) or "paused".
        position_changed(float): second of the source that is heard at this moment, ~30 Hz.
        finished(): the last sample has been heard; not after `stop`.
        failed(str): one line; the player is stopped.
    """

    state_changed = Signal(str)
    position_changed = Signal(float)
    finished = Signal()
    failed = Signal(str)

    def __init__(self, parent: QObject | None = None, open_output: OpenOutput = open_output) -> None:
        super().__init__(parent)
        self._open_output = open_output
        self._playback: Playback | None = None
        self._source: SoundSource | None = None
        self._position = 0.0
        self._state = STOPPED
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.setInterval(REFRESH_MS)
        self._timer.timeout.connect(self._refresh)
        self._owned: list[Playback] = []  # running or closing; shared with the hook, which must not hold `self`
        self.destroyed.connect(partial(_let_go, self._owned))

    @property
    def state(self) -> str:
        return self._state

    @property
    def position_seconds(self) -> float:
        """As last told."""
        return self._position

    @property
    def source(self) -> SoundSource | None:
        """What is played, or was played last."""
        return self._source

    def play(
        self,
        source: SoundSource | NDArray[np.floating],
        start_seconds: float = 0.0,
        device: Device | None = None,
        *,
        sample_rate: int = 24_000,
        end_seconds: float | None = None,
    ) -> None:
        """Play `source` on `device` (None: the default) from `start_seconds` to `end_seconds` (None: its end).

        An array ([n] or [n, channels], floating point, of `sample_rate`) is copied. What played before stops.
        """
        self.stop()
        self._source = source if isinstance(source, SoundSource) else SoundSource.of(source, sample_rate)
        self._owned[:] = [playback for playback in self._owned if not playback.wait_closed(0.0)]
        previous = self._owned[-1] if self._owned else None
        start_seconds = max(0.0, start_seconds)
        self._playback = Playback(self._source, start_seconds, end_seconds, device, self._open_output, after=previous)
        self._owned.append(self._playback)
        self._timer.start()
        self._set_state(OPENING)
        self._set_position(start_seconds)

    def stop(self) -> None:
        """Silence; the device is closed behind the scenes."""
        playback, self._playback = self._playback, None
        self._timer.stop()
        if playback is not None:
            playback.stop()
            self._set_state(STOPPED)

    def pause(self) -> None:
        """Hold at the place that is heard."""
        if self._playback is not None:
            self._playback.pause()
            self._refresh()

    def resume(self) -> None:
        """Go on after `pause`."""
        if self._playback is not None:
            self._playback.resume()
            self._refresh()

    def seek(self, seconds: float) -> None:
        """Go on from `seconds` of the source, or stay paused there."""
        if self._playback is not None:
            self._playback.seek(seconds)
            self._refresh()

    def wait_closed(self, timeout_seconds: float = 5.0) -> bool:
        """Stop, then wait until every device is closed. At exit, and in tests."""
        self.stop()
        closed = [playback.wait_closed(timeout_seconds) for playback in self._owned]
        return all(closed)

    def _refresh(self) -> None:
        playback = self._playback
        if playback is None:
            return
        over = playback.ended or bool(playback.failure)
        self._set_position(playback.position_seconds)
        if playback is not self._playback:  # a listener stopped it or played something else
            return
        if not over:
            self._set_state(playback.state)
            return
        self.stop()
        if playback.failure:
            self.failed.emit(playback.failure)
        else:
            self.finished.emit()

    def _set_position(self, seconds: float) -> None:
        if seconds != self._position:
            self._position = seconds
            self.position_changed.emit(seconds)

    def _set_state(self, state: str) -> None:
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)


def _let_go(owned: list[Playback], _: object = None) -> None:
    for playback in owned:
        playback.stop()
