"""Play, pause, stop, and where in the sound we are."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.icons import icon
from app.widgets.buttons import icon_button
from app.widgets.labels import FigureLabel, label
from app.widgets.layouts import row
from app.widgets.time_scale import clock_text


class Transport(QWidget):
    """Shows what the player tells it.

    Signals: `play_requested`, `pause_requested`, `stop_requested`, `rewind_requested` (back to the start).
    """

    play_requested = Signal()
    pause_requested = Signal()
    stop_requested = Signal()
    rewind_requested = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._playing = False
        self._seconds = 0.0
        self._length = 0.0
        self.rewind_button = icon_button("skip-back", "Back to the start", self.rewind_requested.emit)
        self.play_button = icon_button("play", "Play", self._toggle, large=True, filled=True, color="accent")
        self.stop_button = icon_button("square", "Stop", self.stop_requested.emit, filled=True)
        self.position_label = FigureLabel(clock_text(0), "00:00.0")
        self.length_label = FigureLabel(clock_text(0), "00:00.0")
        self.position_label.setAccessibleName("Position")
        self.length_label.setAccessibleName("Length")
        self.length_label.setProperty("tone", "dim")
        self.setLayout(
            row(
                row(self.rewind_button, self.play_button, self.stop_button, gap="xs"),
                row(self.position_label, label("/", tone="dim"), self.length_label, gap="xs"),
            )
        )
        self.set_length(0.0)

    def set_playing(self, playing: bool) -> None:
        """Show whether sound is going out."""
        self._playing = playing
        name = "Pause" if playing else "Play"
        self.play_button.setIcon(icon("pause" if playing else "play", "accent", filled=True))
        self.play_button.setToolTip(name)
        self.play_button.setAccessibleName(name)
        self._enable()

    def set_position(self, seconds: float) -> None:
        """Show the position in seconds."""
        self._seconds = seconds
        text = clock_text(seconds)
        if text != self.position_label.text():
            self.position_label.setText(text)
        self._enable()

    def set_length(self, seconds: float) -> None:
        """Show the length in seconds; with none there is nothing to play."""
        self._length = seconds
        self.length_label.setText(clock_text(seconds))
        self._enable()

    def _enable(self) -> None:
        self.play_button.setEnabled(self._length > 0 or self._playing)
        self.stop_button.setEnabled(self._playing)
        self.rewind_button.setEnabled(self._length > 0 and self._seconds > 0)

    def _toggle(self) -> None:
        if self._playing:
            self.pause_requested.emit()
        else:
            self.play_requested.emit()
