"""Playing the sound that is looked at: bound to that sound, whatever is loaded or played later."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.settings.table import OUTPUT_DEVICE

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.sound.devices import Device
    from app.sound.source import SoundSource
    from app.studio import Studio
    from app.widgets.timeline import Timeline

_SOUNDING = ("opening", "playing", "buffering")
_AT_END_SECONDS = 0.02


class TakePlayer(QObject):
    """Drives the studio's player, which other rooms use too; what they play is not ours.

    `outputs` gives the loudspeakers last seen, to find the chosen one among.

    Signals:
        playing_changed(bool): whether our sound goes out.
    """

    playing_changed = Signal(bool)

    def __init__(
        self,
        studio: Studio,
        timeline: Timeline,
        outputs: Callable[[], tuple[Device, ...]],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._studio, self._timeline, self._outputs = studio, timeline, outputs
        self._player = studio.player
        self._source: SoundSource | None = None
        self._started_at = 0.0
        self._playing = False
        self.selection_only = False
        self._player.state_changed.connect(self._follow)
        self._player.position_changed.connect(self._move)
        self._player.finished.connect(self._finish)
        timeline.seeked.connect(self._seek)

    @property
    def playing(self) -> bool:
        return self._playing

    def set_selection_only(self, on: bool) -> None:
        """Play only what is selected; what plays goes on under the new rule."""
        self.selection_only = on
        if self._playing:
            self.play()

    def set_source(self, source: SoundSource | None) -> None:
        """Another sound is looked at; the one before stops."""
        if source is not self._source:
            self.stop()
            self._source = source

    def toggle(self) -> None:
        """Play from the cursor, or pause."""
        if self._playing:
            self.pause()
        else:
            self.play()

    def play(self) -> None:
        """Play from the cursor to the end, or to the end of the selection if that alone is wanted."""
        if self._source is None:
            return
        if self._is_ours() and self._player.state == "paused" and not self.selection_only:
            self._player.resume()
            return
        start, end = self._range()
        self._started_at = start
        self._player.play(self._source, start, self._device(), end_seconds=end)

    def pause(self) -> None:
        """Be silent and stay at this place."""
        if self._is_ours():
            self._player.pause()

    def stop(self) -> None:
        """Be silent and go back to where playing began."""
        if self._is_ours() and self._player.state != "stopped":
            self._player.stop()
            self._timeline.set_cursor(self._started_at)

    def rewind(self) -> None:
        """Go to the start of the selection, or of the sound."""
        selection = self._timeline.selection
        self._timeline.seek(selection[0] if self.selection_only and selection else 0.0)

    def _range(self) -> tuple[float, float | None]:
        cursor, selection = self._timeline.cursor, self._timeline.selection
        if self.selection_only and selection is not None:
            start, end = selection
            return (cursor if start <= cursor < end - _AT_END_SECONDS else start), end
        return (0.0 if cursor >= self._timeline.duration - _AT_END_SECONDS else cursor), None

    def _device(self) -> Device | None:
        wanted = self._studio.settings.get(OUTPUT_DEVICE)
        return next((device for device in self._outputs() if device.name == wanted), None)

    def _is_ours(self) -> bool:
        return self._source is not None and self._player.source is self._source

    def _seek(self, seconds: float) -> None:
        if not self._is_ours() or self._player.state == "stopped":
            return
        self._started_at = seconds
        if self.selection_only and self._playing:
            self.play()
        else:
            self._player.seek(seconds)

    def _move(self, seconds: float) -> None:
        if self._is_ours() and self._player.state != "stopped":
            self._timeline.set_cursor(seconds)
            if self._playing:
                self._timeline.reveal(seconds)

    def _finish(self) -> None:
        if self._is_ours():
            self._timeline.set_cursor(self._started_at)

    def _follow(self, state: str) -> None:
        playing = self._is_ours() and state in _SOUNDING
        if playing != self._playing:
            self._playing = playing
            self.playing_changed.emit(playing)
