"""The wizard without a widget: one sound, one selection, its voice, and the way from step to step."""

from __future__ import annotations

from enum import IntEnum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

import engine
import resources
from app.settings.recent import remember_sound
from app.settings.table import LAST_FOLDER, LAST_LANGUAGE
from app.sound.take import Ending
from app.store import clock
from app.store.folder import belongs_in_library
from app.widgets.timeline import Timeline
from app.wizard.checks import LONGEST_SECONDS
from app.wizard.cloning import Cloned, CloneRequest, Cloning
from app.wizard.loading import LoadedSound, Origin
from app.wizard.measuring import Measuring
from app.wizard.mending import Mending
from app.wizard.offers import Models, Offer, offers
from app.wizard.playing import TakePlayer
from app.wizard.reading import Reading
from app.wizard.recording import RECORDING, Recording
from app.wizard.saving import Saving
from app.wizard.sessions import session_of
from app.wizard.transcript import Transcript, same_selection
from app.wizard.words import consent_words, day_words

if TYPE_CHECKING:
    from app.settings.settings import Settings
    from app.sound.take import RecordedTake
    from app.store.records import Tier, VoiceRecord
    from app.store.recovery import UnsavedSound
    from app.studio import Studio
    from app.wizard.sessions import Session
    from app.wizard.transcript import Selection
    from app.work import Job

SAMPLE_CLIP = resources.path("sample", "sample_clip.flac")
_FRAME_MS = 20
_SETTLED_MS = 200


class Step(IntEnum):
    """Where in the wizard a person is."""

    SOUND, LISTEN, CLONE, SAVE = range(4)


class WizardPresenter(QObject):
    """Holds the state; its parts do the work: `recording`, `reading`, `playing`, `cloning`, `saving`, `transcript`.

    The selection is `timeline`'s; none there means the whole sound.

    Signals:
        step_changed(int): another step is shown.
        sound_changed(): `sound` is another one, or none.
        live_changed(bool): the timeline belongs to a recording that runs, or to `sound` again.
        selection_changed(): what is selected, also while it is dragged; `findings` follow.
        findings_changed(): verdicts on the selection.
        models_changed(): Base models at hand, or the chosen one.
        voice_changed(): `cloned`, `offers`, or what it was `saved` as.
        notice(str, str): a line for the page: "info", "warning" or "error", and the words; an empty one takes it away.
        unsaved_found(UnsavedSound): a recording of an earlier session; answer with `recover` or `forget`.
        voice_file_given(Path): a voice file was given where a sound is wanted.
    """

    step_changed = Signal(int)
    sound_changed = Signal()
    live_changed = Signal(bool)
    selection_changed = Signal()
    findings_changed = Signal()
    models_changed = Signal()
    voice_changed = Signal()
    notice = Signal(str, str)
    unsaved_found = Signal(object)
    voice_file_given = Signal(object)

    def __init__(self, studio: Studio, parent: QObject | None = None, recording: Recording | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self.timeline = Timeline(self)
        self.recording = recording or Recording(studio, self)
        self.reading = Reading(studio.file_lane, self)
        self.playing = TakePlayer(studio, self.timeline, lambda: self.recording.devices.outputs, self)
        self.mending = Mending(studio, self)
        self.cloning = Cloning(studio, self)
        self.saving = Saving(studio, self)
        self.measuring = Measuring(studio, self)
        self.transcript = Transcript(self)
        self._step = Step.SOUND
        self._sound: LoadedSound | None = None
        self._cloned: Cloned | None = None
        self._saved: VoiceRecord | None = None
        self._notice_of_take = ("info", "")
        self._live = False
        self._selection_before: Selection | None = None  # of the sound that a recording has put aside
        self._heard: tuple[engine.Finding, ...] = ()  # findings of the lane, on the selection of `_heard_for`
        self._heard_for: Selection = (0.0, 0.0)
        self._checking: Job | None = None
        self._unsaved: list[UnsavedSound] = []
        self._looked_for_unsaved = False
        self.name = ""
        self.tier: Tier = "light"
        self.consented = False
        self.language = studio.settings.get(LAST_LANGUAGE)
        self._connect()

    def _connect(self) -> None:
        self.timeline.selection_changed.connect(self._selection_moved)
        self.timeline.selection_edited.connect(self._selection_settled)
        self.recording.recorded.connect(self._take_recording)
        self.recording.refused.connect(partial(self.notice.emit, "error"))
        self.recording.state_changed.connect(self._follow_recording)
        self.reading.reading_changed.connect(lambda label: None if label else self._end_live())
        self.reading.loaded.connect(self._take_sound)
        self.reading.failed.connect(self._reading_failed)
        self.mending.selected.connect(self.select)
        self.mending.mended.connect(self._take_mended)
        self.mending.failed.connect(partial(self.notice.emit, "error"))
        self.cloning.cloned.connect(self._take_voice)
        self.cloning.failed.connect(partial(self.notice.emit, "error"))
        self.saving.saved.connect(self._take_saved)
        self.saving.undone.connect(self._forget_saved)
        self.saving.failed.connect(partial(self.notice.emit, "error"))
        self.measuring.failed.connect(partial(self.notice.emit, "error"))
        self._studio.shelf.changed.connect(self._models_changed)

    # What is so

    @property
    def settings(self) -> Settings:
        """What the person has chosen, in all rooms."""
        return self._studio.settings

    @property
    def step(self) -> Step:
        return self._step

    @property
    def live(self) -> bool:
        """Whether the timeline belongs to a recording."""
        return self._live

    @property
    def sound(self) -> LoadedSound | None:
        return self._sound

    @property
    def selection(self) -> Selection:
        """Start and end in seconds of what will be cloned."""
        return self.timeline.selection or (0.0, self.timeline.duration)

    @property
    def findings(self) -> tuple[engine.Finding, ...]:
        """The length at once; the rest as soon as the lane has listened to this selection."""
        if self._sound is None:
            return ()
        start, end = self.selection
        heard = self._heard if same_selection(self._heard_for, self.selection) else ()
        return (engine.length_finding(end - start), *heard)

    @property
    def blocked(self) -> str:
        """Why this selection cannot be cloned; empty where it can."""
        return next((finding.why for finding in self.findings if finding.blocks), "")

    @property
    def base_models(self) -> tuple[engine.ModelSummary, ...]:
        return tuple(summary for summary in self._studio.shelf.usable if summary.can_clone)

    @property
    def base_model(self) -> engine.ModelSummary | None:
        return self._studio.shelf.base

    @property
    def clone_blocked(self) -> str:
        """Why "Clone" cannot be pressed now; empty where it can."""
        if self.base_model is None:
            return "No Base model is here. Add its folder under Models."
        if self.transcript.lacking:
            return self.tr("Type the words of the selection, or clone the voice alone.")
        if self.transcript.stale:
            return "Say first whether the words still match the selection."
        return self.blocked

    @property
    def partners(self) -> tuple[engine.ModelSummary, ...]:
        """The models here, other than the Base model chosen, that a voice cloned with it fits."""
        base = self.base_model
        others = (model for model in self._studio.shelf.usable if base is not None and not model.can_clone)
        return tuple(model for model in others if base is not None and model.width == base.width)

    @property
    def cloned(self) -> Cloned | None:
        return self._cloned

    @property
    def is_current(self) -> bool:
        """Whether `cloned` is what cloning again would make."""
        made, base = self._cloned, self.base_model
        if made is None or self._sound is None or made.request.clip is not self._sound.clip:
            return False
        same = same_selection(made.request.selection, self.selection) and base is not None
        return same and made.request.transcript == self.transcript.used and made.model == base

    @property
    def saved(self) -> VoiceRecord | None:
        """The voice in the library, as long as name, language and tier are those it was saved with."""
        return self._saved

    @property
    def offers(self) -> tuple[Offer, ...]:
        """The tiers for the voice; none before it is cloned."""
        made = self._cloned
        return () if made is None else offers(made.voice, self._models_of(made))

    @property
    def languages(self) -> tuple[str, ...]:
        """Those of the model the voice was cloned with."""
        return () if self._cloned is None else tuple(self._cloned.model.languages)

    # Coming and going

    def enter(self) -> None:
        """The page is shown."""
        self.recording.look_for_devices()
        self.look_for_unsaved()

    def look_for_unsaved(self) -> None:
        """Offer the recordings of earlier sessions that were never saved; once."""
        if not self._looked_for_unsaved:
            self._looked_for_unsaved = True
            self.recording.sessions.find_unsaved().finished.connect(self._offer_unsaved)

    def leave(self) -> None:
        """The page is hidden: no microphone stays open, nothing is heard any more. A take that runs is kept."""
        self.recording.release()
        self.playing.stop()

    def go_to(self, step: Step) -> None:
        """Show a step, if what it needs is there."""
        allowed = {
            Step.SOUND: True,
            Step.LISTEN: self._sound is not None,
            Step.CLONE: self._sound is not None and not self.blocked,
            Step.SAVE: self.is_current,
        }
        if step == self._step or not allowed[step] or self.saving.running:
            return
        if self.cloning.running:
            self.cloning.cancel()
        if self._step is Step.SOUND:
            self.recording.release()
        self._show(step)

    def _show(self, step: Step) -> None:
        self._step = step
        self.notice.emit("info", "")
        self.step_changed.emit(step)

    def start_over(self) -> None:
        """Forget everything and begin with another sound; what is on the disk stays there."""
        self.cloning.cancel()
        self.reading.cancel()
        self._set_sound(None)
        self.name = ""
        self._show(Step.SOUND)

    # Sound

    def open_file(self, path: Path) -> None:
        """Read a sound file; what is being recorded goes first."""
        if self.recording.busy:
            self.notice.emit("warning", f"Stop the recording before opening {path.name}.")
            return
        self._studio.settings.set(LAST_FOLDER, str(path.parent))
        if belongs_in_library(path):
            self.voice_file_given.emit(path)
            return
        remember_sound(self._studio.settings, path)
        self._read(Origin(path, path.name))

    def open_sample(self) -> None:
        """Read the clip that comes with the program."""
        if not self.recording.busy:
            self._read(Origin(SAMPLE_CLIP, "Sample clip"))

    def read_range(self, origin: Origin, start_seconds: float, end_seconds: float) -> None:
        """Read a part of a long file."""
        self._read(origin, start_seconds, end_seconds)

    def _read(self, origin: Origin, start: float = 0.0, end: float | None = None) -> None:
        self._notice_of_take = ("info", "")
        self.notice.emit("info", "")
        self.recording.test(on=False)
        self.reading.read(origin, start, end)

    def _reading_failed(self, _: Origin, reason: str) -> None:
        self.notice.emit("error", reason)

    def _take_recording(self, take: RecordedTake, session: Session) -> None:
        label = f"Recording, {day_words(take.path)}"
        self._read(Origin(take.path, label, session))
        lost = "Some sound was lost while recording; listen for gaps." if take.overruns else ""
        harmless = take.ended_because in (Ending.ASKED, Ending.TIME_LIMIT) and not lost
        words = " ".join(part for part in (take.notice, lost) if part)
        self._notice_of_take = ("info" if harmless else "warning", words)

    def _take_sound(self, sound: LoadedSound) -> None:
        replaced = self._sound.origin.session if self._sound is not None else None
        fresh = sound.origin.session
        if replaced is not None and fresh is not None and replaced is not fresh and self._saved is None:
            self.recording.sessions.mark(replaced, "discarded")  # a retake; the file itself stays
        self._set_sound(sound)
        self.name = "" if sound.origin.session is not None else sound.origin.path.stem
        if self._step in (Step.SOUND, Step.CLONE, Step.SAVE):
            self._show(Step.LISTEN)
        if self._notice_of_take[1]:
            self.notice.emit(*self._notice_of_take)

    def _set_sound(self, sound: LoadedSound | None) -> None:
        self._sound, self._live = sound, False
        self._cloned = self._saved = None
        self.mending.begin(sound)
        self.consented = False  # said of one sound only
        self.saving.forget_sizes()
        self.playing.set_source(sound.source if sound is not None else None)
        self.timeline.set_duration(sound.seconds if sound is not None else 0.0)
        if sound is not None:
            self.timeline.set_selection(sound.best)
            self.timeline.set_cursor(sound.best[0])
        self.transcript.follow(self.selection)
        self.transcript.clear()
        self.sound_changed.emit()
        self.voice_changed.emit()
        self._selection_settled()

    def _take_mended(self, sound: LoadedSound) -> None:
        """The same sound, mended or as it was: what is selected and written stays."""
        self._sound = sound
        self._cloned = self._saved = None
        self.saving.forget_sizes()
        self.playing.set_source(sound.source)
        self.sound_changed.emit()
        self.voice_changed.emit()
        self._heard = ()
        self._check()

    def mend(self, finding: engine.Finding) -> None:
        """Do what a finding of the doctor offers; `mending` undoes it."""
        self.mending.mend(finding, self.selection)

    def _follow_recording(self, state: str) -> None:
        if self.recording.busy:
            self.reading.cancel()
        if state == RECORDING:
            self._live, self._selection_before = True, self.timeline.selection
            self.timeline.set_duration(LONGEST_SECONDS)
            self.live_changed.emit(True)
        elif not self.reading.busy:
            self._end_live()

    def _end_live(self) -> None:
        """Nothing came of the recording: the sound that was there before is looked at again."""
        if self._live:
            self.timeline.set_duration(self._sound.seconds if self._sound is not None else 0.0)
            self.timeline.set_selection(self._selection_before)
            self._live = False
            self.live_changed.emit(False)

    # Selection

    def select(self, start_seconds: float, end_seconds: float) -> None:
        """Select from fields rather than with the mouse."""
        self.timeline.edit_selection((start_seconds, end_seconds))

    def select_best(self) -> None:
        """Back to the best half minute, or all of a shorter sound."""
        if self._sound is not None:
            self.timeline.edit_selection(self._sound.best)

    def _selection_moved(self) -> None:
        if self._sound is not None and not self._live:
            self.transcript.follow(self.selection)
            self.selection_changed.emit()
            self.findings_changed.emit()

    def _selection_settled(self) -> None:
        made = self._cloned
        if made is not None and self._step is Step.SAVE and not same_selection(made.request.selection, self.selection):
            self.timeline.set_selection(made.request.selection)
            self.notice.emit("info", "The voice is made from this selection. Go back to change it.")
            return
        self._check()

    def _check(self) -> None:
        """Have the lane listen to the selection; the last one counts."""
        if self._checking is not None:
            self._checking.cancel()
            self._checking = None
        sound, selection = self._sound, self.selection
        if sound is None or selection[1] <= selection[0] or selection[1] - selection[0] > 120:
            self.findings_changed.emit()
            return
        clip = sound.clip.cut(*selection)
        job = self._checking = self._studio.file_lane.submit(
            lambda context: engine.examine_clip(clip, context.cancel), "Checking the selection"
        )
        job.finished.connect(partial(self._take_findings, selection))

    def _take_findings(self, selection: Selection, found: tuple[engine.Finding, ...]) -> None:
        self._heard, self._heard_for = found, selection
        self.findings_changed.emit()

    # Voice

    def choose_model(self, summary: engine.ModelSummary) -> None:
        """Clone with another Base model."""
        self._studio.shelf.choose(summary)

    def clone(self) -> None:
        """Make the voice of the selection; `cloning` tells how it goes."""
        base, sound = self.base_model, self._sound
        if sound is None or base is None or self.clone_blocked or self.cloning.running:
            return
        self.playing.pause()
        self.notice.emit("info", "")
        self.cloning.start(CloneRequest(sound.clip, self.selection, self.transcript.used, base))

    def _take_voice(self, made: Cloned) -> None:
        if self._sound is None or made.request.clip is not self._sound.clip:
            return  # another sound is looked at by now
        self._cloned, self._saved = made, None
        if not same_selection(self.selection, made.request.selection):
            self.timeline.set_selection(made.request.selection)
        self.tier = next((offer.tier for offer in self.offers if offer.advice), "light")
        if self.language not in self.languages:
            self.language = ""
        self.voice_changed.emit()
        QTimer.singleShot(_FRAME_MS, self, self._go_on_to_save)  # a frame later: both make and draw many widgets

    def _go_on_to_save(self) -> None:
        if self._step is Step.CLONE and self.is_current:
            self._show(Step.SAVE)
        QTimer.singleShot(_SETTLED_MS, self, self._measure_sizes)

    def _measure_sizes(self) -> None:
        """Once the step is drawn: the lane would fight with the window for the interpreter."""
        made = self._cloned
        if made is not None:
            self.saving.measure(made, self._pair_of(made))

    def _pair_of(self, made: Cloned) -> engine.ModelPair | None:
        """The models to save with; a partner may have come since the voice was cloned."""
        pair = self._studio.shelf.pair()
        fits = pair is not None and made.pair is not None and pair.base == made.pair.base and pair != made.pair
        return pair if fits else made.pair

    def _models_of(self, made: Cloned) -> Models:
        pair = self._pair_of(made)
        folder = pair.custom_voice if pair is not None else None
        partner = next((summary for summary in self._studio.shelf.usable if summary.folder == folder), None)
        return Models(made.model, partner)

    @property
    def measuring_refused(self) -> str:
        """Why the tiers cannot be measured; empty if they can."""
        made = self._cloned
        pair = None if made is None else self._pair_of(made)
        if pair is not None and pair.custom_voice is not None:
            return ""
        return self.tr("Measuring needs the CustomVoice model of this size too. Add it under Models.")

    def measure_tiers(self) -> None:
        """Measure the tiers of the voice, or show again what was measured of it."""
        made = self._cloned
        pair = None if made is None else self._pair_of(made)
        if made is None or pair is None or self.measuring_refused:
            return
        known = self.measuring.known(made)
        if known is not None:
            self.measuring.measured.emit(known)
        else:
            self.measuring.start(made, pair)

    def _models_changed(self) -> None:
        self.models_changed.emit()
        made = self._cloned
        if made is not None:
            self.saving.measure(made, self._pair_of(made))
            self.voice_changed.emit()

    # Saving

    def set_consented(self, consented: bool) -> None:
        """Whether the person has said that they may use this voice; kept with it, with the date."""
        self.consented = consented

    def describe(self, *, name: str | None = None, language: str | None = None, tier: Tier | None = None) -> None:
        """Name, language or tier of the voice to save; another one than it was saved with makes it unsaved."""
        self.name = self.name if name is None else name
        self.language = self.language if language is None else language
        self.tier = self.tier if tier is None else tier
        self._saved = None
        self.voice_changed.emit()

    @property
    def save_blocked(self) -> str:
        """Why "Save" cannot be pressed now; empty where it can."""
        if self._cloned is None:
            return "There is no voice yet."
        if not self.name.strip():
            return "Give the voice a name."
        return next((offer.reason for offer in self.offers if offer.tier == self.tier), "")

    def save(self) -> None:
        """Write the voice into the library."""
        made, sound = self._cloned, self._sound
        if made is None or sound is None or self.save_blocked or self.saving.running:
            return
        self.notice.emit("info", "")
        self._studio.settings.set(LAST_LANGUAGE, self.language)
        session = sound.origin.session
        consent = consent_words(clock.now()) if self.consented else None
        self.saving.save(made, self._pair_of(made), self.name.strip(), self.language, self.tier, session, consent)

    def _take_saved(self, record: VoiceRecord) -> None:
        self._saved = record
        self.voice_changed.emit()

    def _forget_saved(self, voice_id: str) -> None:
        if self._saved is not None and self._saved.id == voice_id:
            self._saved = None
            self.voice_changed.emit()

    # Recordings of an earlier session

    def recover(self, found: UnsavedSound) -> None:
        """Open a recording that was never saved."""
        self._unsaved.clear()
        self._read(Origin(found.path, f"Recording, {day_words(found.path)}", session_of(found)))

    def forget(self, found: UnsavedSound) -> None:
        """Do not offer it again; its file stays where it is."""
        self.recording.sessions.mark(session_of(found), "discarded")
        self._offer_next()

    def _offer_unsaved(self, found: list[UnsavedSound]) -> None:
        self._unsaved = list(found)
        self._offer_next()

    def _offer_next(self) -> None:
        if self._unsaved and self._sound is None and not self.recording.busy and not self.reading.busy:
            self.unsaved_found.emit(self._unsaved.pop(0))
