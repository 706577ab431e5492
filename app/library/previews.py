"""Previews: one short stored sound a voice, played through the studio's player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

import engine
from app.work import error_text

if TYPE_CHECKING:
    from pathlib import Path

    from app.sound.player import Player
    from app.work import Lane


class Previews(QObject):
    """Plays one voice's preview at a time; the player may be shared with other rooms.

    Signals:
        playing_changed(str): id of the voice that is heard (or about to be), or empty.
        failed(str): one line; the file cannot be read. What the player cannot do, it says itself.
    """

    playing_changed = Signal(str)
    failed = Signal(str)

    def __init__(self, lane: Lane, player: Player | None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._player = player
        self._playing_id = ""
        self._source: object = None  # what the player was given, to know our sound from another room's
        if player is not None:
            player.state_changed.connect(self._follow)

    @property
    def playing_id(self) -> str:
        return self._playing_id

    @property
    def can_play(self) -> bool:
        return self._player is not None

    @property
    def is_busy(self) -> bool:
        """Whether something is heard or about to be, here or in another room, or nothing can be heard at all."""
        return self._player is None or bool(self._playing_id) or self._player.state != "stopped"

    def play(self, voice_id: str, path: Path) -> None:
        """Play the sound file `path` as the preview of `voice_id`; what played before stops."""
        self.stop()
        self._set_playing(voice_id)
        job = self._lane.submit(lambda context: engine.read_clip(path, cancel=context.cancel), "Reading the preview")
        job.finished.connect(lambda clip: self._play_clip(voice_id, clip))
        job.failed.connect(lambda error: self._give_up(voice_id, error_text(error)))
        job.cancelled.connect(lambda: self._give_up(voice_id, ""))

    def stop(self) -> None:
        if self._player is not None and self._is_ours():
            self._player.stop()
        self._set_playing("")

    def _play_clip(self, voice_id: str, clip: engine.Clip) -> None:
        if self._player is None or self._playing_id != voice_id:
            return  # stopped, or another one was asked for, while this one was read
        self._player.play(clip.samples, sample_rate=engine.SAMPLE_RATE)
        self._source = self._player.source

    def _give_up(self, voice_id: str, reason: str) -> None:
        if self._playing_id == voice_id:
            self._set_playing("")
        if reason:
            self.failed.emit(reason)

    def _is_ours(self) -> bool:
        return self._player is not None and self._source is not None and self._player.source is self._source

    def _follow(self, state: str) -> None:
        if self._source is not None and (state == "stopped" or not self._is_ours()):
            self._set_playing("")

    def _set_playing(self, voice_id: str) -> None:
        if not voice_id:
            self._source = None
        if voice_id != self._playing_id:
            self._playing_id = voice_id
            self.playing_changed.emit(voice_id)
