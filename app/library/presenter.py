"""What the library page can do, without a widget: tested with no display."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal

import engine
from app.library.exporting import Exports
from app.library.intake import Refused, SoundFound, take_in
from app.library.previews import Previews
from app.library.words import count_text
from app.store import Query
from app.store.library import Imported
from app.store.opening import TRASH_DAYS
from app.work import error_text

if TYPE_CHECKING:
    from app.messages import Messages
    from app.sound.player import Player
    from app.store import Library, Opened, VoiceRecord
    from app.work import Job, JobContext, Lane


class LibraryPresenter(QObject):
    """Holds the voices in memory, narrows them by a query, and sends every act to the file lane.

    Whoever knows the models tells them with `set_models`, and gives `exports.pair_for`.

    Signals:
        records_changed(): `records`, the voices the query finds, or `total` changed.
        current_changed(VoiceRecord | None): another voice is looked at, or the same one changed.
        loaded(): the library was read for the first time (or could not be).
        preview_requested(str): play voice `id`; there is no stored preview of it.
        speak_with(str): the person wants to speak with voice `id`.
        new_voice_from(Path): the person wants a new voice from that sound file.
        record_requested(): the person wants to record a new voice.
        inspected(Inspection): what is in the file that `inspect` was asked for.
        models_changed(): other `models` are here.
    """

    records_changed = Signal()
    current_changed = Signal(object)
    loaded = Signal()
    preview_requested = Signal(str)
    speak_with = Signal(str)
    new_voice_from = Signal(object)
    record_requested = Signal()
    inspected = Signal(object)
    models_changed = Signal()

    def __init__(
        self,
        library: Library,
        lane: Lane,
        messages: Messages,
        player: Player | None = None,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self.exports = Exports(library, lane, messages, self)
        self.models: tuple[engine.ModelSummary, ...] | None = None
        self._library = library
        self._lane = lane
        self._messages = messages
        self.previews = Previews(lane, player, self)
        self.previews.failed.connect(messages.error)
        self._all: dict[str, VoiceRecord] = {}
        self._records: list[VoiceRecord] = []
        self._query = Query()
        self._current_id = ""
        self._is_loaded = False
        self._is_closing = False

    @property
    def records(self) -> list[VoiceRecord]:
        """The voices the query finds, in its order."""
        return self._records

    @property
    def query(self) -> Query:
        return self._query

    @property
    def current(self) -> VoiceRecord | None:
        return self._all.get(self._current_id)

    @property
    def is_loaded(self) -> bool:
        return self._is_loaded

    @property
    def total(self) -> int:
        """Voices that are not deleted, found by the query or not."""
        return sum(record.deleted_at is None for record in self._all.values())

    def recent(self, count: int) -> list[VoiceRecord]:
        """Voices that are not deleted, the one changed last first."""
        there = [record for record in self._all.values() if record.deleted_at is None]
        return sorted(there, key=lambda record: record.updated_at, reverse=True)[:count]

    @property
    def in_trash(self) -> int:
        return len(self._all) - self.total

    @property
    def trash_bytes(self) -> int:
        """What the voices in the trash take on the disk."""
        return sum(record.size_bytes for record in self._all.values() if record.deleted_at is not None)

    @property
    def languages(self) -> list[str]:
        """Languages of the voices that are there, sorted; empty stands for "not said"."""
        return sorted({record.language for record in self._all.values()})

    @property
    def widths(self) -> list[int]:
        """Widths of the voices that are there, sorted."""
        return sorted({record.width for record in self._all.values()})

    def set_models(self, models: Sequence[engine.ModelSummary]) -> None:
        """Tell which models are here that can speak with voices."""
        if self.models != tuple(models):
            self.models = tuple(models)
            self.models_changed.emit()

    def models_for(self, width: int) -> list[str]:
        """Labels of the models here that a voice of `width` fits."""
        return [model.label for model in self.models or () if model.width == width]

    def start(self) -> None:
        """Open the library and read it, behind; what opening found is said as messages."""
        job = self._do(lambda _: (self._library.open(), self._library.everything()), "Opening the library")
        job.finished.connect(lambda result: self._start_with(*result))
        job.ended.connect(self._say_loaded)

    def close(self) -> None:
        """The lanes are about to close: changes from now on are written at once."""
        self._is_closing = True
        self.previews.stop()

    def refresh(self, select: str = "") -> None:
        """Read the library again, for instance after another room saved a voice there; then look at `select`."""
        job = self._do(lambda _: self._library.everything(), "Reading the library")
        job.finished.connect(lambda records: self._take(records, select))

    def set_query(self, query: Query) -> None:
        if query != self._query:
            self._query = query
            self._apply()

    def select(self, voice_id: str) -> None:
        """Look at a voice; an id that is not there means none."""
        self._look_at(voice_id if voice_id in self._all else "")

    def file_of(self, record: VoiceRecord) -> Path:
        return self._library.file_of(record)

    def find(self, voice_id: str) -> VoiceRecord | None:
        return self._all.get(voice_id)

    def rename(self, voice_id: str, name: str) -> None:
        record = self._all.get(voice_id)
        if record is not None and name.strip() != record.name:
            self._change(lambda: self._library.rename(voice_id, name), f"Renaming {record.name}")

    def set_tags(self, voice_id: str, tags: Sequence[str]) -> None:
        self._change(lambda: self._library.set_tags(voice_id, tags), "Saving tags")

    def set_notes(self, voice_id: str, notes: str) -> None:
        self._change(lambda: self._library.set_notes(voice_id, notes), "Saving notes")

    def set_language(self, voice_id: str, language: str) -> None:
        self._change(lambda: self._library.set_language(voice_id, language), "Saving the language")

    def toggle_star(self, voice_id: str) -> None:
        """Make a voice a favourite, or one no more."""
        record = self._all.get(voice_id)
        if record is not None:
            self._change(lambda: self._library.set_star(voice_id, not record.star), "Saving the star")

    def duplicate(self, voice_id: str) -> None:
        """Copy a voice with all that is known of it, and look at the copy."""
        record = self._all.get(voice_id)
        if record is not None:
            job = self._do(lambda _: self._library.duplicate(voice_id), f"Duplicating {record.name}")
            job.finished.connect(self._look_at_copy)

    def _look_at_copy(self, copied: VoiceRecord) -> None:
        self._put([copied])
        self.select(copied.id)

    def empty_trash(self) -> None:
        """Remove for good what lies in the trash."""
        job = self._do(lambda _: (self._library.empty_trash(), self._library.everything()), "Emptying the trash")
        job.finished.connect(lambda found: self._say_emptied(*found))

    def _say_emptied(self, names: tuple[str, ...], records: list[VoiceRecord]) -> None:
        self._take(records)
        self._messages.info(f"{count_text(len(names))} removed for good.")

    def delete(self, voice_ids: Sequence[str]) -> None:
        """Move voices to the trash and offer to undo it."""
        ids = tuple(voice_ids)
        if not ids:
            return
        if self.previews.playing_id in ids:
            self.previews.stop()
        job = self._do(lambda _: [self._library.delete(voice_id) for voice_id in ids], "Deleting")
        job.finished.connect(self._say_deleted)

    def restore(self, voice_ids: Sequence[str]) -> None:
        """Bring voices back from the trash."""
        ids = tuple(voice_ids)
        job = self._do(lambda _: [self._library.restore(voice_id) for voice_id in ids], "Restoring")
        job.finished.connect(lambda records: self._say_restored(records))

    def take_in(self, paths: Sequence[Path]) -> None:
        """Import voices and bundles; go and make a new voice of a sound, or offer it for several; say the rest."""
        files = tuple(paths)
        if not files:
            return
        taken: list[object] = []
        job = self._lane.submit(lambda context: take_in(self._library, files, context), "Importing")
        job.produced.connect(taken.append)
        job.failed.connect(self._say_failure)
        job.ended.connect(lambda: self._end_intake(taken))

    def inspect(self, voice_id: str) -> None:
        """Look into a voice's file; `inspected` follows."""
        record = self._all.get(voice_id)
        if record is not None:
            file = self._library.file_of(record)
            job = self._do(lambda _: engine.inspect_voice(file), self.tr("Looking into the file"))
            job.finished.connect(self.inspected)

    def hear_in_passing(self, voice_id: str) -> None:
        """Play the stored preview of a voice, if there is one and nothing else is heard."""
        record = self._all.get(voice_id)
        path = None if record is None or self.previews.is_busy else self._library.preview_of(record)
        if path is not None:
            self.previews.play(voice_id, path)

    def pass_on(self, voice_id: str) -> None:
        """Stop what `hear_in_passing` has begun."""
        if self.previews.playing_id == voice_id:
            self.previews.stop()

    def toggle_play(self, voice_id: str) -> None:
        """Play a voice's preview, or stop it if that is what is heard."""
        record = self._all.get(voice_id)
        if self.previews.playing_id == voice_id or record is None:
            self.previews.stop()
        elif (path := self._library.preview_of(record)) is not None and self.previews.can_play:
            self.previews.play(voice_id, path)
        else:
            self.previews.stop()
            self.preview_requested.emit(voice_id)

    def keep_preview(self, voice_id: str, sound: Path) -> None:
        """Store `sound` as what a voice's play button plays from now on."""
        self._change(lambda: self._library.set_preview(voice_id, sound), "Keeping the preview")

    def speak(self, voice_id: str) -> None:
        """Go and speak with a voice, if its file is there."""
        record = self._all.get(voice_id)
        if record is None or record.deleted_at is not None:
            return
        if record.missing:
            self._messages.warning(f"The file of {record.name} is gone. Put it back or import the voice again.")
            return
        self.speak_with.emit(voice_id)

    # -- what comes back from the lane

    def _do(self, work: Callable[[JobContext], Any], label: str) -> Job:
        job = self._lane.submit(work, label)
        job.failed.connect(self._say_failure)
        return job

    def _change(self, act: Callable[[], VoiceRecord], label: str) -> None:
        if self._is_closing:
            try:
                act()
            except engine.QVoiceError as error:
                self._say_failure(error)
            return
        job = self._do(lambda _: act(), label)
        job.finished.connect(lambda record: self._put([record]))
        job.failed.connect(lambda _: self._apply())  # so that an editor shows what is true again

    def _say_failure(self, error: Exception) -> None:
        self._messages.error(error_text(error))

    def _start_with(self, opened: Opened, records: list[VoiceRecord]) -> None:
        self._take(records)
        for level, text in opening_words(opened):
            getattr(self._messages, level)(text)

    def _say_loaded(self) -> None:
        self._is_loaded = True
        self.loaded.emit()

    def _take(self, records: list[VoiceRecord], select: str = "") -> None:
        self._all = {record.id: record for record in records}
        self._apply()
        if select:
            self.select(select)

    def _put(self, records: Sequence[VoiceRecord]) -> None:
        self._all |= {record.id: record for record in records}
        self._apply()

    def _apply(self) -> None:
        """Find again what the query finds; look at a neighbour if the voice looked at is no longer among it."""
        ids = [record.id for record in self._records]
        place = ids.index(self._current_id) if self._current_id in ids else 0
        self._records = self._query.apply(self._all.values())
        self.records_changed.emit()
        if not any(record.id == self._current_id for record in self._records):
            neighbour = self._records[min(place, len(self._records) - 1)].id if self._records else ""
            self._current_id = neighbour
        self.current_changed.emit(self.current)

    def _look_at(self, voice_id: str) -> None:
        if voice_id != self._current_id:
            self._current_id = voice_id
            self.current_changed.emit(self.current)

    def _say_deleted(self, records: list[VoiceRecord]) -> None:
        self._put(records)
        what = records[0].name if len(records) == 1 else count_text(len(records))
        ids = [record.id for record in records]
        self._messages.success(f"Deleted {what}.", ("Undo", lambda: self.restore(ids)))

    def _say_restored(self, records: list[VoiceRecord]) -> None:
        self._put(records)
        if len(records) == 1:
            self.select(records[0].id)
        what = records[0].name if len(records) == 1 else count_text(len(records))
        self._messages.success(f"Restored {what}.")

    def _end_intake(self, taken: list[object]) -> None:
        """Say what became of the files; also after a cancel, for those that were done."""
        imported = [item for item in taken if isinstance(item, Imported)]
        if imported:
            self._put([item.record for item in imported])
            self.select(imported[-1].record.id)
            self._say_imported(imported)
        for item in taken:
            if isinstance(item, Refused):
                self._messages.error(item.reason)
        sounds = [item.path for item in taken if isinstance(item, SoundFound)]
        if len(taken) == len(sounds) == 1:
            self.new_voice_from.emit(sounds[0])
            return
        for path in sounds:
            self._offer_sound(path)

    def _say_imported(self, imported: list[Imported]) -> None:
        twins = [item for item in imported if item.twin is not None]
        if len(imported) > 1 or not twins:
            what = imported[0].record.name if len(imported) == 1 else count_text(len(imported))
            self._messages.success(f"Imported {what}.")
        for item in twins:
            self._say_twin(item)

    def _say_twin(self, item: Imported) -> None:
        assert item.twin is not None
        new, ids = item.record.name, [item.record.id]
        self._messages.warning(
            f"Imported {new}. The same voice is already here as {item.twin.name}.",
            ("Undo", lambda: self.delete(ids)),
        )

    def _offer_sound(self, path: Path) -> None:
        self._messages.info(
            f"{path.name} is a sound, not a voice yet.",
            ("Make a new voice from it", lambda: self.new_voice_from.emit(path)),
        )


def opening_words(opened: Opened) -> list[tuple[str, str]]:
    """What opening the library found, as (level, line)."""
    lines = []
    if opened.set_aside is not None:
        lines.append(
            ("warning", f"The library was damaged and has been rebuilt. The old one is kept as {opened.set_aside}.")
        )
    if opened.adopted:
        lines.append(("info", f"Found in the voices folder and added: {_listed(opened.adopted)}."))
    if opened.missing:
        lines.append(("warning", f"The file is gone of {_listed(opened.missing)}. Put it back or delete the voice."))
    lines += [("warning", f"{path} is not a voice file. Move it elsewhere.") for path in opened.unreadable]
    if opened.purged:
        lines.append(("info", f"Deleted for good after {TRASH_DAYS} days in the trash: {_listed(opened.purged)}."))
    return lines


def _listed(names: Sequence[str]) -> str:
    shown = ", ".join(names[:5])
    return shown if len(names) <= 5 else f"{shown} and {len(names) - 5} more"
