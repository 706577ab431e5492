"""Step 1: record, or use a file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.widgets.buttons import ghost_button, plain_button
from app.widgets.labels import FigureLabel, dress, label
from app.widgets.layouts import Card, column, row, rule
from app.widgets.level_meter import LevelMeter
from app.widgets.time_scale import clock_text
from app.wizard.checks import LONGEST_SECONDS
from app.wizard.device_box import DeviceBox
from app.wizard.range_bar import RangeBar
from app.wizard.recent_button import RecentButton
from app.wizard.recording import COUNTDOWN, IDLE, RECORDING, TESTING

if TYPE_CHECKING:
    from app.wizard.presenter import WizardPresenter

_HINT = "Speak as you would to a friend, 5 to 15 seconds, in a quiet room."
_DROP = "Or drop one anywhere on this page, or paste it (Ctrl+V). Any sound or video file."


class SoundStep(QWidget):
    """Signals: `open_asked()`: the person wants to choose a file."""

    open_asked = Signal()

    def __init__(self, presenter: WizardPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        recording = presenter.recording
        self.device_box = DeviceBox()
        self.test_button = plain_button("Test microphone", "audio-lines")
        self.test_button.setCheckable(True)
        self.meter = LevelMeter("Microphone level")
        self.time_label = FigureLabel("", f"{clock_text(0)} · 00.0 s left")
        self._hint = label(_HINT, "caption", "dim", wrap=True)
        self.open_button = plain_button("Open a file…", "folder-open", self.open_asked.emit)
        self.open_button.setToolTip("Open a sound file (Ctrl+O)")
        self.recent_button = RecentButton(presenter.settings, presenter.open_file)
        self.sample_button = ghost_button("Try the sample clip", "file-audio", presenter.open_sample)
        self.range_bar = RangeBar()
        self._lay_out()
        self.test_button.toggled.connect(recording.test)
        self.device_box.opened.connect(recording.look_for_devices)
        self.device_box.device_chosen.connect(recording.choose_device)
        self.range_bar.range_chosen.connect(presenter.read_range)
        recording.devices_changed.connect(self._show_devices)
        recording.state_changed.connect(self._show_state)
        recording.opened.connect(self._show_opened)
        recording.level_changed.connect(self._show_level)
        recording.seconds_changed.connect(self._show_seconds)
        presenter.reading.range_wanted.connect(self.range_bar.ask)
        presenter.reading.reading_changed.connect(lambda label: self.range_bar.hide() if label else None)
        self._show_state(IDLE)

    def _lay_out(self) -> None:
        microphone = row(self.device_box, self.test_button)
        microphone.setStretch(0, 1)
        head = row(label("Record", "lead"), None, self.time_label)
        record = column(head, microphone, self.meter, self._hint, None, gap="s")
        drop = label(_DROP, "caption", "dim", wrap=True)
        drop.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        opening = row(self.open_button, self.recent_button)
        opening.setStretch(0, 1)
        use = column(label("Use a file", "lead"), opening, self.sample_button, drop, None, gap="s")
        halves = row(record, rule(vertical=True), use, gap="l")
        halves.setStretch(0, 2)
        halves.setStretch(2, 1)
        self.setLayout(column(Card(halves), self.range_bar, gap="m"))

    def _show_devices(self) -> None:
        recording = self._presenter.recording
        self.device_box.show_devices(recording.devices.inputs, recording.device)
        self._show_state(recording.state)
        if recording.problem and self.isVisible():
            recording.keep_looking()

    def _show_state(self, state: str) -> None:
        recording = self._presenter.recording
        there = bool(recording.devices.inputs)
        self.device_box.setEnabled(there and not recording.busy)
        self.test_button.setEnabled(there and not recording.busy)
        self.test_button.setChecked(state == TESTING)
        self.test_button.setText("Stop the test" if state == TESTING else "Test microphone")
        for control in (self.open_button, self.recent_button, self.sample_button):
            control.setEnabled(not recording.busy)
        if state in (TESTING, COUNTDOWN, IDLE):
            self.meter.reset()
        self.meter.setEnabled(state != IDLE)
        self.time_label.setVisible(state == RECORDING)
        if state == IDLE:
            self._say(recording.problem or _HINT, warn=bool(recording.problem))

    def _show_opened(self, words: str) -> None:
        self._say(f"Listening to {words}.")

    def _say(self, words: str, *, warn: bool = False) -> None:
        self._hint.setText(words)
        dress(self._hint, tone="warn" if warn else "dim")

    def _show_level(self, peak_dbfs: float, rms_dbfs: float, clipped: bool) -> None:
        self.meter.set_levels(rms_dbfs, peak_dbfs, clipped=clipped)

    def _show_seconds(self, seconds: float) -> None:
        left = max(0.0, LONGEST_SECONDS - seconds)
        self.time_label.setText(f"{clock_text(seconds)} · {left:.1f} s left")
