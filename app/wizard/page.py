"""The room "New voice": four steps, the sound always in view, one button to go on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QGuiApplication, QKeySequence
from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.commands.acts import add_act
from app.settings.table import COLOUR_MAP, LAST_FOLDER
from app.widgets.busy_strip import BusyStrip
from app.widgets.drop_area import DropArea, local_files
from app.widgets.labels import label
from app.widgets.layouts import column, row, scrolling
from app.widgets.message_bar import MessageBar
from app.widgets.step_header import StepHeader
from app.wizard.clone_step import CloneStep
from app.wizard.foot import Foot
from app.wizard.listen_step import ListenStep
from app.wizard.presenter import Step, WizardPresenter
from app.wizard.recording import COUNTDOWN, RECORDING
from app.wizard.save_step import SaveStep
from app.wizard.sound_step import SoundStep
from app.wizard.sound_view import SoundView
from app.wizard.ways import ways
from app.wizard.words import day_words

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QHideEvent, QKeyEvent

    import engine
    from app.store.recovery import UnsavedSound
    from app.studio import Studio
    from app.wizard.measuring import Measured

_FILES = (
    "Sound and video (*.wav *.flac *.mp3 *.m4a *.aac *.ogg *.opus *.aif *.aiff *.wma *.webm *.mp4 *.mov *.mkv);;"
    "All files (*)"
)


_WARM_SIZE = QSize(1080, 770)


class WizardPage(QWidget):
    """Call `enter` when the page is shown and `leave` when it is hidden; `shut_down` at the end of the program.

    Signals:
        saved(str): a voice was saved under that id.
        speak_with(str): the person wants to speak with the voice of that id.
        import_voice(Path): the person gave a voice file, which belongs in the library.
    """

    saved = Signal(str)
    speak_with = Signal(str)
    import_voice = Signal(object)

    def __init__(self, studio: Studio, parent: QWidget | None = None, presenter: WizardPresenter | None = None) -> None:
        super().__init__(parent)
        self.setProperty("page", True)
        self._studio = studio
        self.presenter = presenter or WizardPresenter(studio, self)
        self._offered: UnsavedSound | None = None
        self._make_parts()
        self._lay_out()
        self._drops = DropArea(self, "Drop a sound file to make a voice from it")
        self._drops.files_dropped.connect(lambda paths: self.open_file(paths[0]))
        self._connect()
        self._add_keys()
        self._warm_up()
        self._show_step(self.presenter.step)

    def _warm_up(self) -> None:
        """Lay out and draw every step once, unseen: the first time costs several times what later ones do, and it
        would fall into the moment when a voice has just been cloned."""
        self.resize(_WARM_SIZE)
        for step in Step:
            self._show_step(step)
            self.grab()

    # Making

    def _make_parts(self) -> None:
        presenter = self.presenter
        self.header = StepHeader(["Sound", "Listen", "Clone", "Save"])
        self.notice = MessageBar()
        self.busy = BusyStrip()
        self.sound_step = SoundStep(presenter)
        self.listen_step = ListenStep(presenter)
        self.clone_step = CloneStep(presenter)
        self.save_step = SaveStep(presenter)
        self.view = SoundView(presenter.timeline)
        self.view.set_color_map(self._studio.settings.get(COLOUR_MAP))
        self.view.let_float(self.busy)
        self.foot = Foot()

    @property
    def _steps(self) -> tuple[QWidget, ...]:
        return self.sound_step, self.listen_step, self.clone_step, self.save_step

    def _lay_out(self) -> None:
        head = row(label("New voice", "title"), 16, self.header, None, gap="m")
        middle = QVBoxLayout()
        middle.setContentsMargins(0, 0, 0, 0)
        middle.setSpacing(12)
        for step in self._steps:
            middle.addWidget(step)
        middle.addWidget(self.view, 1)
        layout = column(head, self.notice, scrolling(_Middle(middle)), self.foot, gap="m", margin="xl")
        layout.setStretch(2, 1)
        self.setLayout(layout)

    def _connect(self) -> None:
        presenter, playing, recording = self.presenter, self.presenter.playing, self.presenter.recording
        self.header.step_clicked.connect(lambda place: presenter.go_to(Step(place)))
        self.sound_step.open_asked.connect(self.choose_file)
        presenter.step_changed.connect(lambda place: self._show_step(Step(place)))
        presenter.sound_changed.connect(self._show_sound)
        presenter.live_changed.connect(self._show_live)
        presenter.findings_changed.connect(lambda: self.view.show_findings(presenter.findings, presenter.selection[0]))
        presenter.notice.connect(self._show_notice)
        presenter.unsaved_found.connect(self._offer_unsaved)
        presenter.voice_file_given.connect(self.import_voice)
        presenter.saving.saved.connect(lambda record: self.saved.emit(record.id))
        recording.state_changed.connect(self._show_recording)
        recording.count_changed.connect(self.view.show_count)
        recording.waveform_grew.connect(self._show_columns)
        recording.seconds_changed.connect(self._follow_recording)
        playing.playing_changed.connect(self.foot.transport.set_playing)
        presenter.timeline.cursor_changed.connect(self._show_position)
        self.notice.dismissed.connect(self._forget_offered)
        self._connect_foot()
        self._connect_busy()
        self._studio.settings.changed.connect(self._follow_setting)

    def _connect_foot(self) -> None:
        presenter, transport = self.presenter, self.foot.transport
        transport.play_requested.connect(presenter.playing.play)
        transport.pause_requested.connect(presenter.playing.pause)
        transport.stop_requested.connect(presenter.playing.stop)
        transport.rewind_requested.connect(presenter.playing.rewind)
        self.foot.selection_button.toggled.connect(presenter.playing.set_selection_only)
        for signal in (
            *(presenter.step_changed, presenter.sound_changed, presenter.findings_changed, presenter.models_changed),
            *(presenter.voice_changed, presenter.transcript.changed, presenter.recording.state_changed),
            *(presenter.recording.devices_changed, presenter.reading.reading_changed),
            *(presenter.cloning.running_changed, presenter.saving.running_changed),
        ):
            signal.connect(self._show_ways)

    def _connect_busy(self) -> None:
        presenter, busy = self.presenter, self.busy
        presenter.reading.reading_changed.connect(lambda name: busy.begin(f"Reading {name}") if name else busy.end())
        presenter.reading.progressed.connect(lambda progress: self._show_reading(progress))
        presenter.saving.running_changed.connect(lambda on: busy.begin("Saving the voice") if on else busy.end())
        presenter.saving.progressed.connect(lambda progress: busy.go_on("Saving the voice", progress))
        busy.cancel_asked.connect(presenter.reading.cancel)
        busy.cancel_asked.connect(presenter.saving.cancel)
        measuring = presenter.measuring
        measuring.running_changed.connect(lambda on: busy.begin(self.tr("Measuring the tiers")) if on else busy.end())
        measuring.progressed.connect(lambda progress: busy.go_on(self.tr("Measuring the tiers"), progress))
        measuring.measured.connect(self._show_measured)
        busy.cancel_asked.connect(measuring.cancel)

    def _add_keys(self) -> None:
        add_act(self, "Open a sound file", self.choose_file, QKeySequence.StandardKey.Open)
        add_act(self, "Paste a copied sound file", self.paste, QKeySequence.StandardKey.Paste)
        add_act(self, "Record, or stop recording", self._record_or_stop, "Ctrl+R")
        add_act(self, "Begin anew with another sound", self.presenter.start_over)

    # What the main window calls

    def enter(self) -> None:
        """The page is shown."""
        self.presenter.enter()

    def leave(self) -> None:
        """The page is hidden: the microphone is closed, a take that runs is kept, playing stops."""
        self.presenter.leave()

    def shut_down(self, timeout_seconds: float = 5.0) -> bool:
        """Leave, and wait until the microphone and its file are closed; before `Studio.close`."""
        self.presenter.leave()
        return self.presenter.recording.wait_closed(timeout_seconds)

    def open_file(self, path: str | Path) -> None:
        """Make a voice from a sound file."""
        self.presenter.open_file(Path(path))

    # Acts

    def choose_file(self) -> None:
        """Ask for a sound file."""
        dialog = QFileDialog(self, "Open a sound", self._studio.settings.get(LAST_FOLDER), _FILES)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.fileSelected.connect(self.open_file)
        dialog.open()

    def paste(self) -> None:
        """Open the file that was copied in a file manager."""
        files = local_files(QGuiApplication.clipboard().mimeData())
        if files:
            self.open_file(files[0])
        else:
            self._show_notice("info", "There is no file to paste. Copy a sound file in your file manager first.")

    def _record_or_stop(self) -> None:
        recording = self.presenter.recording
        if recording.busy:
            recording.stop()
        elif self.presenter.step is Step.SOUND and not self.presenter.reading.busy:
            recording.record()

    def _speak(self) -> None:
        if self.presenter.saved is not None:
            self.speak_with.emit(self.presenter.saved.id)

    # Showing

    def _show_step(self, step: Step) -> None:
        self.header.set_current(step)
        for place, widget in enumerate(self._steps):
            widget.setVisible(place == step)
        self.view.set_compact(step is Step.SAVE)
        self._show_ways()
        focus = {
            Step.LISTEN: self.view.wave,
            Step.SAVE: self.save_step.name_field,
            Step.CLONE: self.foot.primary_button,
        }
        if self.isVisible():
            focus.get(step, self.foot.primary_button).setFocus()

    def _show_ways(self) -> None:
        self.foot.show_ways(*ways(self.presenter, self.choose_file, self._speak))
        there = self.presenter.sound is not None and not self.presenter.recording.busy
        self.foot.transport.set_length(self.presenter.timeline.duration if there else 0.0)
        self.foot.selection_button.setEnabled(there)

    def _show_sound(self) -> None:
        self.view.show_sound(self.presenter.sound)
        self.foot.transport.set_position(self.presenter.timeline.cursor)

    def _show_measured(self, measured: Measured) -> None:
        from app.wizard.tier_report import TierReportDialog  # seldom used

        if measured.of is not self.presenter.cloned:
            return
        outputs = self.presenter.recording
        dialog = TierReportDialog(self._studio, measured, lambda: outputs.devices.outputs, self)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _show_position(self, seconds: float) -> None:
        if not self.presenter.recording.busy:
            self.foot.transport.set_position(seconds)

    def _show_notice(self, kind: str, text: str) -> None:
        self._offered = None
        if text:
            self.notice.show_message(kind, text)  # type: ignore[arg-type]
        else:
            self.notice.clear()

    def _show_reading(self, progress: engine.Progress) -> None:
        if self.presenter.reading.busy:
            self.busy.go_on(self.busy.text.replace("Reading", progress.stage, 1), progress)

    def _show_recording(self, state: str) -> None:
        recording = self.presenter.recording
        if recording.busy:
            self.presenter.playing.stop()
        if state != COUNTDOWN:
            self.view.show_count(0)

    def _show_live(self, live: bool) -> None:
        if live:
            self.view.start_live()
        else:
            self._show_sound()

    def _show_columns(self, columns: NDArray[np.float32]) -> None:
        if self.presenter.live:
            self.view.append(columns)

    def _follow_recording(self, seconds: float) -> None:
        if self.presenter.recording.state == RECORDING:
            self.presenter.timeline.set_cursor(seconds)

    def _follow_setting(self, name: str, value: object) -> None:
        if name == COLOUR_MAP.name:
            self.view.set_color_map(str(value))

    # Offers in the bar

    def _offer_unsaved(self, found: UnsavedSound) -> None:
        self.notice.show_message(
            "info",
            f"Your recording of {day_words(found.path)} was never saved as a voice.",
            "Open it",
            lambda: self._recover(found),
        )
        self._offered = found

    def _recover(self, found: UnsavedSound) -> None:
        self._offered = None
        self.presenter.recover(found)

    def _forget_offered(self) -> None:
        found, self._offered = self._offered, None
        if found is not None:
            self.presenter.forget(found)

    # Events

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Space and self.foot.transport.play_button.isEnabled():
            self.presenter.playing.toggle()
        elif event.key() == Qt.Key.Key_Escape and self._call_off():
            event.accept()
        else:
            super().keyPressEvent(event)

    def _call_off(self) -> bool:
        """Escape ends what runs; a recording is stopped, and kept."""
        presenter = self.presenter
        running = (
            (presenter.recording.busy, presenter.recording.stop),
            (presenter.reading.busy, presenter.reading.cancel),
            (presenter.cloning.running, presenter.cloning.cancel),
            (presenter.saving.running, presenter.saving.cancel),
        )
        for on, end in running:
            if on:
                end()
                return True
        return False

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        if not event.spontaneous():  # minimised is not left: one may read a text from another window
            self.leave()


class _Middle(QWidget):
    """What scrolls only where even its smallest height has no room; Qt would scroll below the comfortable one."""

    def __init__(self, layout: QVBoxLayout) -> None:
        super().__init__()
        self.setLayout(layout)

    def heightForWidth(self, width: int) -> int:
        layout = self.layout()
        return -1 if layout is None else layout.minimumHeightForWidth(width)
