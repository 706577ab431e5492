"""What the room "Speak" can do, without a widget: tested with no display."""

from __future__ import annotations

import secrets
import shutil
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QCoreApplication, QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices

import engine
from app.settings.table import LAST_FOLDER
from app.speak import offer
from app.speak.best import BestOf
from app.speak.choices import AUTO, LARGEST_SEED, MOST_TRIES, Choices, ChoicesFile
from app.speak.comparing import Comparing
from app.speak.exporting import drag_file, export_all, export_take
from app.speak.listening import Listening
from app.speak.meter import StyleMeter
from app.speak.preview import Previewer
from app.speak.redo import Redo
from app.speak.said import SaidForm
from app.speak.script import cast_of, fault_of, words_of
from app.speak.speaking import Speaking, Wish
from app.speak.takes import Takes
from app.speak.talk import Talk
from app.speak.words import file_stem, spoken_text, takes_text
from app.work import error_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.speak.offer import SpeakVoice, StyleState
    from app.speak.take import Take
    from app.speak.tuning import Tuning
    from app.store import VoiceRecord
    from app.studio import Studio

_STYLES_KEPT: Final = 20
_SEEDS: Final = 1_000_000  # of the dice: short enough to read out and to type again


class SpeakPresenter(QObject):
    """Holds what was chosen, speaks it, and keeps the takes (`takes`, heard through `listening`).

    Signals:
        offer_changed(): voices, models, languages or the state of the style box are other than before.
        choices_changed(): text, seed or anything else chosen was changed by something other than its own field.
        talk_changed(): speaking began, moved on or ended: `is_speaking`, `talk.text`, `talk.share`, `blocked_reason`.
    """

    offer_changed = Signal()
    choices_changed = Signal()
    talk_changed = Signal()

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self.takes = Takes(studio, self)
        self.listening = Listening(studio.player, self.takes, self)
        self.comparing = Comparing(self.takes, self.listening, self)
        self.talk = Talk(studio, self)
        self.speaking = Speaking(studio, self.takes, self.listening, self.talk, self.speak_with_another_seed)
        self.redoing = Redo(studio, self.takes, self.talk, self.speaking, self.play_from)
        self.best = BestOf(studio, self.takes, self.speaking, self.play_from)
        self.meter = StyleMeter(studio, self.takes, self.speaking, self.comparing)
        self._previewer = Previewer(studio, self.talk, self)
        self._file = ChoicesFile(studio.places.data / "speak.json", studio.file_lane, studio.messages, self)
        self._choices = self._file.read()
        self.said = SaidForm(studio.file_lane, self)
        self._records: list[VoiceRecord] = []
        self._voices: list[SpeakVoice] = []
        self._preview_waits = ""
        self._is_started = False
        self._has_records = False
        self.talk.changed.connect(self.talk_changed)
        self.takes.loaded.connect(self.talk_changed)
        self.best.changed.connect(self.talk_changed)
        self.takes.loaded.connect(self._restore_compared)
        studio.shelf.changed.connect(self._renew_offer)
        studio.library_changed.connect(self.refresh)
        application = QCoreApplication.instance()
        if application is not None:
            application.aboutToQuit.connect(self.close)

    # -- what there is

    @property
    def choices(self) -> Choices:
        return self._choices

    @property
    def is_loaded(self) -> bool:
        """Whether voices and models have been looked at."""
        return self._has_records and bool(self._studio.shelf.entries)

    @property
    def voices(self) -> list[SpeakVoice]:
        """Voices of the library by name, then the preset speakers."""
        return self._voices

    @property
    def voice(self) -> SpeakVoice | None:
        """The chosen voice, or the first if that is not there."""
        return self._find(self._choices.voice_key) or (self._voices[0] if self._voices else None)

    @property
    def models(self) -> tuple[engine.ModelSummary, ...]:
        """The models that can speak with the chosen voice."""
        return offer.models_for(self.voice, self._studio.shelf)

    @property
    def model(self) -> engine.ModelSummary | None:
        return offer.chosen_model(self.models, self._choices.model_folder, self._studio.shelf.speaking)

    @property
    def languages(self) -> tuple[str, ...]:
        """ "auto", and what the chosen model lists."""
        return (AUTO, *(self.model.languages if self.model is not None else ()))

    @property
    def language(self) -> str:
        if not self._choices.voice_key:
            return offer.language_for(self.voice, self.model)
        return self._choices.language if self._choices.language in self.languages else AUTO

    @property
    def style(self) -> StyleState:
        return offer.style_state(self.voice, self.model, self.models)

    @property
    def is_speaking(self) -> bool:
        return self.talk.is_busy

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to speak with, now that everything has been looked at."""
        return self.is_loaded and not self._voices

    @property
    def blocked_reason(self) -> str:
        """Why nothing can be spoken now, in plain words; empty if it can."""
        voice = self.voice
        if not (self.is_loaded and self.takes.is_loaded):
            return "Looking for voices and takes…"
        if voice is None:
            return "Make a voice first."
        if self.model is None:
            return f"No model here fits {voice.name}. Add one of its size in Models."
        text = spoken_text(self._choices.text)
        return fault_of(text, self._voices, self.model) if words_of(text) else "Type something to say."

    # -- beginning and end

    def start(self) -> None:
        """Read takes and voices, behind. Once; later only the voices are read again."""
        if not self._is_started:
            self._is_started = True
            self.takes.load()
            dragged = self._dragged
            self._studio.file_lane.submit(
                lambda _: shutil.rmtree(dragged, ignore_errors=True), "Removing copies of dragged takes"
            )
        self.refresh()

    def refresh(self) -> None:
        """Look at the library again."""
        library = self._studio.library
        job = self._studio.file_lane.submit(lambda _: library.voices(), "Reading the voices")
        job.finished.connect(self._take_records)
        job.failed.connect(lambda error: self._studio.messages.error(error_text(error)))
        job.ended.connect(self._note_loaded)

    def save(self) -> None:
        """Save what was typed, now."""
        self._file.flush()

    def close(self) -> None:
        """Stop, and save what was typed. At the end of the program; safe at any moment and twice."""
        self.said.stop()
        self.best.stop()
        self.talk.stop()
        self.listening.stop()
        self._file.flush()

    # -- choosing

    def choose_voice(self, key: str) -> None:
        """Choose a voice by its key; its own language is chosen with it."""
        voice = self._find(key)
        if voice is None or (key == self._choices.voice_key and voice == self.voice):
            return
        self._set(voice_key=key)
        self._set(language=offer.language_for(voice, self.model))
        self._tell_all()

    def choose_voice_of_library(self, voice_id: str) -> None:
        """Choose a voice of the library, also one that was saved a moment ago."""
        key = offer.voice_key(voice_id)
        if self._find(key) is not None:
            self.choose_voice(key)
            return
        self._set(voice_key=key)
        self.refresh()

    def choose_model(self, folder: str) -> None:
        self._set(model_folder=folder)
        self._tell_all()

    def choose_language(self, language: str) -> None:
        self._set(language=language, voice_key=self.voice.key if self.voice is not None else "")

    def set_text(self, text: str) -> None:
        was_blocked = self.blocked_reason
        self._set(text=text)
        if self.blocked_reason != was_blocked:
            self.talk_changed.emit()

    def say_as_written(self, as_written: bool) -> None:
        """Hand the text to the model as it is, or with its numbers and signs put into words."""
        self._set(as_written=as_written)
        self.said.changed.emit()

    def set_style(self, style: str) -> None:
        self._set(style=style)
        self.meter.forget()

    def set_tuning(self, tuning: Tuning) -> None:
        self._set(tuning=tuning)

    def show_more(self, more: bool) -> None:
        self._set(more=more)

    def set_best_of(self, count: int) -> None:
        """How many takes `speak_best_of` makes."""
        self._set(best_of=min(max(count, 2), MOST_TRIES))

    def set_seed(self, seed: int) -> None:
        """A seed typed by hand is meant: it is locked."""
        if seed != self._choices.seed:
            self._set(seed=min(max(seed, 0), LARGEST_SEED), seed_locked=True)
            self.choices_changed.emit()

    def lock_seed(self, locked: bool) -> None:
        """Locked: every take has this seed. Unlocked: each has a new one, which is shown."""
        self._set(seed_locked=locked)
        self.choices_changed.emit()

    def roll_seed(self) -> None:
        """Draw another seed, and keep it."""
        self.set_seed(self._another_seed())

    def set_splitter(self, sizes: tuple[int, ...]) -> None:
        self._set(splitter=sizes)

    def use_settings(self, take_id: str) -> None:
        """Choose everything as it was for a take."""
        take = self.takes.find(take_id)
        if take is None:
            return
        kept: dict[str, Any] = {"voice_key": take.voice_key} if self._find(take.voice_key) is not None else {}
        if not kept:
            self._studio.messages.info(f"{take.voice_name} is no longer here. The other settings were taken over.")
        self._set(
            text=take.text,
            model_folder=take.model_folder,
            language=take.language,
            style=take.style or self._choices.style,
            seed=take.seed,
            seed_locked=True,
            as_written=take.as_written,
            tuning=take.tuning,
            **kept,
        )
        self._tell_all()

    # -- speaking

    def speak(self) -> None:
        """Say the text as chosen; nothing happens if `blocked_reason` says why not, or while something is said."""
        wish = self._ready_wish()
        if wish is not None:
            self.speaking.begin(wish)

    def speak_with_another_seed(self) -> None:
        """Say the text again with a seed of its own, locked or not."""
        if not self.is_speaking:
            self._set(seed=self._another_seed(), seed_locked=True)
            self.choices_changed.emit()
            self.speak()

    def speak_best_of(self) -> None:
        """Say the text with `choices.best_of` seeds, from the chosen one on; the best is starred and heard."""
        wish = self._ready_wish()
        if wish is not None:
            self.best.begin(wish, [(wish.seed + step) % (LARGEST_SEED + 1) for step in range(self._choices.best_of)])

    def measure_style(self) -> None:
        """Say the first line with the style prompt and without, and tell what changes."""
        if self._choices.style.strip() and self.style.obeyed:
            wish = self._ready_wish()
            if wish is not None:
                self.meter.begin(wish)

    def redo(self, take_id: str, index: int) -> None:
        """Say one paragraph of a take again with another seed; the result is a take of its own."""
        take = self.takes.find(take_id)
        if take is None or self.is_speaking or not 0 <= index < len(take.parts):
            return
        part = take.parts[index]
        voice = self._find(part.voice_key)
        model = next((m for m in self._studio.shelf.usable if str(m.folder) == take.model_folder), None)
        if voice is None or model is None:
            what = take.voice_name if voice is None else take.model_label
            self._studio.messages.warning(f"{what} is no longer here, so the paragraph cannot be said again.")
            return
        self.listening.stop()
        wish = Wish(
            part.text, voice, model, self._another_seed(), take.language, part.style, take.as_written, take.tuning
        )
        self.redoing.begin(take, index, wish)

    def stop(self) -> None:
        """Stop speaking and playing; what was made is kept as a take."""
        self.best.stop()
        self.talk.stop()
        self.listening.stop()

    def preview(self, voice_id: str) -> None:
        """Speak a short sentence with a voice of the library, and keep it as its preview there."""
        voice = self._find(offer.voice_key(voice_id))
        if voice is not None:
            self.listening.stop()
            self._previewer.make(voice)
        else:
            self._preview_waits = voice_id
            self.refresh()

    # -- takes

    def toggle_play(self, take_id: str) -> None:
        """Play a take, or stop it if it is the one that is heard."""
        take = self.takes.find(take_id)
        if take is None or self.listening.heard_id == take_id:
            self.listening.stop()
        else:
            self.play_from(take_id, 0.0)

    def play_from(self, take_id: str, seconds: float) -> None:
        take = self.takes.find(take_id)
        if take is not None:
            if self.talk.run is not None:
                self.talk.run.silence()  # it goes on being made
            self.listening.play(take, seconds)

    def toggle_star(self, take_id: str) -> None:
        take = self.takes.find(take_id)
        if take is not None:
            self.takes.set_star(take_id, not take.star)

    def delete(self, take_id: str) -> None:
        if self.listening.heard_id == take_id:
            self.listening.stop()
        self.takes.delete(take_id)

    def export_start(self, take: Take) -> Path:
        """Where a file dialog begins: the folder used last, a name from the voice and the first words."""
        folder = self._studio.settings.get(LAST_FOLDER)
        return (Path(folder) if folder and Path(folder).is_dir() else Path.home()) / f"{file_stem(take)}.wav"

    def export(self, take_id: str, path: Path) -> None:
        """Write a take to `path` as WAV (float32, sample for sample), FLAC, MP3 or OGG, by its ending."""
        take = self.takes.find(take_id)
        if take is None:
            return
        folder, messages = self.takes.folder, self._studio.messages
        self._studio.settings.set(LAST_FOLDER, str(path.parent))
        job = self._studio.file_lane.submit(lambda _: export_take(path, folder, take), f"Exporting take {take.number}")
        job.finished.connect(
            lambda _: messages.success(f"Saved {path.name}.", ("Show folder", lambda: show_folder(path.parent)))
        )
        job.failed.connect(lambda error: messages.error(error_text(error)))

    def export_all(self, takes: Sequence[Take], target: Path, pattern: str, ending: str) -> None:
        """Write `takes` into the folder `target`, named by `pattern`; nothing there is written over."""
        folder, messages = self.takes.folder, self._studio.messages
        self._studio.settings.set(LAST_FOLDER, str(target))
        count = takes_text(len(takes))
        job = self._studio.file_lane.submit(
            lambda context: export_all(takes, folder, target, pattern, ending, context), f"Exporting {count}"
        )
        job.finished.connect(
            lambda _: messages.success(f"Saved {count}.", ("Show folder", lambda: show_folder(target)))
        )
        job.failed.connect(lambda error: messages.error(error_text(error)))

    def prepare_drag(self, take_id: str) -> None:
        """A take was pressed and may be dragged: write its file behind, so that it is there by then."""
        take = self.takes.find(take_id)
        if take is not None:
            self._studio.file_lane.submit(lambda _: self.drag_file(take), "Getting a take ready to be dragged")

    def drag_file(self, take: Take) -> Path | None:
        """The file that a take dragged into another program is."""
        return drag_file(take, self.takes.folder, self._dragged)

    @property
    def _dragged(self) -> Path:
        return self._studio.places.cache / "dragged"

    # -- behind

    def _wish(self, voice: SpeakVoice, model: engine.ModelSummary) -> Wish:
        choices = self._choices
        text = spoken_text(choices.text)
        return Wish(
            text,
            voice,
            model,
            choices.seed,
            language=self.language,
            style=choices.style.strip(),
            as_written=choices.as_written,
            tuning=choices.tuning,
            cast=cast_of(text, self._voices),
        )

    def _ready_wish(self) -> Wish | None:
        """What is chosen, with a seed of its own unless that is locked; None while nothing can be said."""
        voice, model = self.voice, self.model
        if self.blocked_reason or self.is_speaking or voice is None or model is None:
            return None
        if not self._choices.seed_locked:
            self._set(seed=self._another_seed())
        self._note_style()
        self.choices_changed.emit()
        return self._wish(voice, model)

    def _note_style(self) -> None:
        """Remember the prompt among those that were spoken with."""
        style = self._choices.style.strip()
        if style and self.style.obeyed:
            others = (used for used in self._choices.used_styles if used != style)
            self._set(used_styles=(style, *others)[:_STYLES_KEPT])

    def _find(self, key: str) -> SpeakVoice | None:
        return next((voice for voice in self._voices if voice.key == key), None) if key else None

    def _another_seed(self) -> int:
        return (self._choices.seed + 1 + secrets.randbelow(_SEEDS - 1)) % _SEEDS

    def _set(self, **changes: Any) -> None:
        changed = replace(self._choices, **changes)
        if changed != self._choices:
            self._choices = changed
            self._file.save_soon(changed)
            self._follow_text()

    def _follow_text(self) -> None:
        self.said.follow(words_of(self._choices.text), self.language)

    def _restore_compared(self) -> None:
        self.comparing.restore(self._choices.compared)
        self.comparing.changed.connect(lambda: self._set(compared=self.comparing.chosen))

    def _take_records(self, records: list[VoiceRecord]) -> None:
        self._records = records
        wanted = self._find(self._choices.voice_key)
        self._renew_offer()
        found = self.voice
        if wanted is None and found is not None and self._has_records and found.key == self._choices.voice_key:
            self._set(language=offer.language_for(found, self.model))  # it was asked for before it was here
        self._tell_all()
        if self._preview_waits and self._find(offer.voice_key(self._preview_waits)) is not None:
            voice_id, self._preview_waits = self._preview_waits, ""
            self.preview(voice_id)

    def _note_loaded(self) -> None:
        self._has_records = True
        self._preview_waits = ""
        self._tell_all()

    def _renew_offer(self) -> None:
        presets = offer.preset_voices(self._studio.shelf.speaking)
        self._voices = [*offer.library_voices(self._records), *presets]
        self._tell_all()

    def _tell_all(self) -> None:
        self._follow_text()
        self.offer_changed.emit()
        self.choices_changed.emit()
        self.talk_changed.emit()


def show_folder(folder: Path) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
