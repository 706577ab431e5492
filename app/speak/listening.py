"""Which take is heard, and how far."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.sound.source import SoundSource
from app.speak.take import SAMPLE_RATE, Samples, Take

if TYPE_CHECKING:
    from app.sound.player import Player
    from app.speak.takes import Takes


class Listening(QObject):
    """Plays takes through the player that all rooms share; what is heard is told by the source, not by a button.

    Signals:
        heard_changed(str): id of the take that is heard or about to be, or empty.
        moved(float): second of that take that is heard now, ~30 Hz.
    """

    heard_changed = Signal(str)
    moved = Signal(float)

    def __init__(self, player: Player, takes: Takes, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._player, self._takes = player, takes
        self._heard_id = ""
        self._source: SoundSource | None = None
        player.state_changed.connect(self._follow)
        player.position_changed.connect(self._move)

    @property
    def heard_id(self) -> str:
        return self._heard_id

    def play(self, take: Take, start_seconds: float = 0.0, gain: float = 1.0) -> None:
        """Play `take`, `gain` times as loud; what is heard now stops. One that is heard already goes on from there."""
        if take.id == self._heard_id and self._is_ours():
            self._player.seek(start_seconds)
            return
        self.stop()
        self._set_heard(take.id)
        self._takes.read(take, lambda samples: self._play(take.id, samples * gain, start_seconds), self.stop)

    def stop(self) -> None:
        if self._is_ours():
            self._player.stop()
        self._set_heard("")

    def adopt(self, take: Take, source: SoundSource) -> None:
        """`source`, which may be playing, has become `take`."""
        if self._player.source is source and self._player.state != "stopped":
            self._source = source
            self._set_heard(take.id)

    def _play(self, take_id: str, samples: Samples, start_seconds: float) -> None:
        if take_id == self._heard_id:  # else another one was asked for while this was read
            source = SoundSource.of(samples, SAMPLE_RATE)
            self._player.play(source, start_seconds)
            self._source = source  # only now: what played before has just told that it stopped

    def _is_ours(self) -> bool:
        return self._source is not None and self._player.source is self._source and self._player.state != "stopped"

    def _follow(self, _state: str) -> None:
        if self._source is not None and not self._is_ours():
            self._set_heard("")

    def _move(self, seconds: float) -> None:
        if self._is_ours():
            self.moved.emit(seconds)

    def _set_heard(self, take_id: str) -> None:
        if not take_id:
            self._source = None
        if take_id != self._heard_id:
            self._heard_id = take_id
            self.heard_changed.emit(take_id)
