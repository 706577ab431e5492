"""The library: every voice a person keeps, and what may be done with it."""

from __future__ import annotations

import logging
import sqlite3
import threading
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import engine
from app.store import bundle, clock, folder, opening, records
from app.store.errors import LibraryError
from app.store.names import name_key, tidy_name, unique_file_name, unique_name
from app.store.notes import details_of_file, note_preview_seed, write_notes
from app.store.opening import Opened
from app.store.query import Query
from app.store.reconcile import live_keys
from app.store.records import VoiceDetails, VoiceRecord
from app.store.recovery import Recovery

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from app.paths import Paths
    from app.store.database import Database
    from app.store.records import Tier

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Imported:
    """A voice taken in; `twin` is one that was there before and has the same vector."""

    record: VoiceRecord
    twin: VoiceRecord | None


class Library:
    """Voices in `places`. Making one costs nothing; the first call opens it.

    Every method may touch the disk and belongs in the file lane. Every method raises `LibraryError` (or
    another `engine.QVoiceError`) with one clear line, and then nothing has changed. Names are unique among
    the voices that are not deleted, whatever their case.
    """

    def __init__(self, places: Paths) -> None:
        self.places = places
        self.recovery = Recovery(self._open)
        self._lock = threading.Lock()
        self._database: Database | None = None
        self._opened = Opened()

    def open(self) -> Opened:
        """Open, check and repair; returns what the first opening found."""
        self._open()
        return self._opened

    def close(self) -> None:
        """Let go of the database; safe to call twice and from any thread."""
        with self._lock:
            if self._database is not None:
                self._database.close()
                self._database = None

    def voices(self, query: Query | None = None) -> list[VoiceRecord]:
        """The voices `query` finds, in its order; without one, all that are not deleted, newest first."""
        with self._reading() as connection:
            return (query or Query()).apply(records.read_all(connection))

    def everything(self) -> list[VoiceRecord]:
        """Every voice, deleted ones too, oldest first; `Query.apply` narrows it down."""
        with self._reading() as connection:
            return records.read_all(connection)

    def get(self, voice_id: str) -> VoiceRecord:
        with self._reading() as connection:
            return _existing(connection, voice_id)

    def load(self, voice_id: str) -> engine.Voice:
        """The voice itself, under its name in the library. Raises `VoiceError` if its file is broken."""
        record = self.get(voice_id)
        voice = engine.load_voice(self._present_file(record))
        return replace(voice, name=record.name, language=record.language or voice.language)

    def file_of(self, record: VoiceRecord) -> Path:
        return (self.places.voices if record.deleted_at is None else self.places.trash) / record.file

    def preview_of(self, record: VoiceRecord) -> Path | None:
        """The stored preview sound, if there is one."""
        path = self.places.previews / record.preview if record.preview else None
        return path if path is not None and path.is_file() else None

    def new_file(self, name: str, tier: Tier) -> Path:
        """A free place inside the library for a voice of that name, for `add` to find there."""
        with self._reading() as connection:
            return self.places.voices / self._free(connection, tidy_name(name), folder.suffix_of_tier(tier))

    def save(
        self,
        voice: engine.Voice,
        name: str,
        tier: Tier,
        pair: engine.ModelPair | None = None,
        model_label: str = "",
        tags: Iterable[str] = (),
        notes: str = "",
        cancel: engine.Cancel | None = None,
        report: engine.Report | None = None,
    ) -> VoiceRecord:
        """Write `voice` into the library as `tier` under `name`, or `name (2)` if that is taken."""
        name = self._unused(name)
        details = VoiceDetails.of(voice, name, tier, model_label)
        with self._claimed(name, folder.suffix_of_tier(tier)) as file:
            engine.save_voice(replace(voice, name=name), file, tier, pair, cancel, report or engine.no_report)
            return self._take_in(replace(details, tags=tuple(tags), notes=notes), file)

    def add(
        self,
        details: VoiceDetails,
        file: Path,
        cancel: engine.Cancel | None = None,
        report: engine.Report | None = None,
    ) -> VoiceRecord:
        """Take a voice in. A `file` from outside is copied and stays; one at `new_file` is kept in place."""
        self._open()
        if file.parent == self.places.voices:
            return self._register(details, file)
        return self._add_copy(details, file, cancel, report)

    def import_file(
        self, path: Path, cancel: engine.Cancel | None = None, report: engine.Report | None = None
    ) -> Imported:
        """Take in a voice file from outside. Raises `VoiceError` if it is none."""
        details = details_of_file(engine.load_voice(path), path)
        twins = [record for record in self.voices() if record.x_vector == details.x_vector]
        return Imported(self.add(details, path, cancel, report), twins[0] if twins else None)

    def import_bundle(
        self, path: Path, cancel: engine.Cancel | None = None, report: engine.Report | None = None
    ) -> Imported:
        """Take in what `export_bundle` wrote: all of it or nothing. Raises what `import_file` raises, `ClipError`."""
        self._open()
        with bundle.unpacked(path, self.places.data, cancel, report) as parts:
            if parts.preview is None:
                return self.import_file(parts.voice, cancel, report)
            engine.probe_clip(parts.preview)
            imported = self.import_file(parts.voice, cancel, report)
            try:
                return replace(imported, record=self.set_preview(imported.record.id, parts.preview))
            except BaseException:
                self._remove(imported.record)
                raise

    def export_bundle(
        self, voice_id: str, path: Path, cancel: engine.Cancel | None = None, report: engine.Report | None = None
    ) -> int:
        """Write a voice, its notes and its preview as one file; returns its bytes."""
        record = self.get(voice_id)
        return bundle.write_bundle(path, self._present_file(record), self.preview_of(record), cancel, report)

    def export_to(
        self,
        voice_id: str,
        path: Path,
        tier: Tier | None = None,
        pair: engine.ModelPair | None = None,
        cancel: engine.Cancel | None = None,
        report: engine.Report | None = None,
    ) -> int:
        """Write a voice's file to `path` byte for byte, or as another `tier`, and its notes beside it.

        Returns the bytes of the voice file.
        """
        record = self.get(voice_id)
        source = self._present_file(record)
        if tier is None or tier == record.tier:
            folder.copy_file(source, path, cancel, report)
        else:
            engine.save_voice(self.load(voice_id), path, tier, pair, cancel, report or engine.no_report)
        write_notes(path, record, source)
        return path.stat().st_size

    def rename(self, voice_id: str, name: str) -> VoiceRecord:
        """Give a voice another name, and its file too. Raises `LibraryError` if the name is taken."""
        name = tidy_name(name)
        with self._writing() as connection:
            record = _existing(connection, voice_id)
            if record.deleted_at is None and name_key(name) in live_keys(connection, but=voice_id):
                raise LibraryError(f"There is already a voice named {name}. Choose another name.")
            return self._move(connection, record, replace(record, name=name))

    def set_tags(self, voice_id: str, tags: Iterable[str]) -> VoiceRecord:
        return self._change(voice_id, tags=records.tidy_tags(tags))

    def set_notes(self, voice_id: str, notes: str) -> VoiceRecord:
        return self._change(voice_id, notes=notes.strip())

    def set_star(self, voice_id: str, star: bool) -> VoiceRecord:
        """Make a voice a favourite, or one no more."""
        return self._change(voice_id, star=star)

    def duplicate(self, voice_id: str) -> VoiceRecord:
        """A copy with everything that is known of the voice, called `name (2)`."""
        record = self.get(voice_id)
        source = self._present_file(record)
        details = details_of_file(engine.load_voice(source), source)
        known = replace(details, name=record.name, tags=record.tags, notes=record.notes, language=record.language)
        copied = self._add_copy(replace(known, model_label=record.model_label, created_at=None), source)
        preview = self.preview_of(record)
        return copied if preview is None else self.set_preview(copied.id, preview)

    def empty_trash(self) -> tuple[str, ...]:
        """Remove for good what lies in the trash; the names."""
        gone = [record for record in self.everything() if record.deleted_at is not None]
        with self._writing() as connection:
            connection.executemany("DELETE FROM voices WHERE id = ?", [(record.id,) for record in gone])
        opening.remove_files(gone, self.places)
        return tuple(record.name for record in gone)

    def set_language(self, voice_id: str, language: str) -> VoiceRecord:
        """`language` in lower case as the models name it, or empty for "not said"."""
        return self._change(voice_id, language=language)

    def set_preview(self, voice_id: str, sound: Path, seed: int | None = None) -> VoiceRecord:
        """Keep a copy of `sound` as what a voice's play button plays; `seed` is the one it was spoken with."""
        record = self.get(voice_id)
        file = f"{record.id}{sound.suffix.lower()}"
        folder.copy_file(sound, self.places.previews / file)
        changed = self._change(voice_id, preview=file)
        if seed is not None:
            with self._writing():
                note_preview_seed(self.file_of(changed), seed)
        return changed

    def delete(self, voice_id: str) -> VoiceRecord:
        """Move a voice to the trash, where it stays for 30 days; `restore` brings it back."""
        with self._writing() as connection:
            record = _existing(connection, voice_id)
            if record.deleted_at is not None:
                return record
            return self._move(connection, record, replace(record, deleted_at=clock.now()))

    def restore(self, voice_id: str) -> VoiceRecord:
        """Undo `delete`. If its name was given to another voice meanwhile, it comes back as `name (2)`."""
        with self._writing() as connection:
            record = _existing(connection, voice_id)
            if record.deleted_at is None:
                return record
            name = unique_name(record.name, live_keys(connection))
            return self._move(connection, record, replace(record, name=name, deleted_at=None))

    def _add_copy(
        self,
        details: VoiceDetails,
        file: Path,
        cancel: engine.Cancel | None = None,
        report: engine.Report | None = None,
    ) -> VoiceRecord:
        suffix = file.suffix.lower() if folder.is_voice_file(file) else folder.suffix_of_tier(details.tier)
        with self._claimed(self._unused(details.name), suffix) as inside:
            folder.copy_file(file, inside, cancel, report)
            return self._take_in(details, inside, source=file)

    @contextmanager
    def _claimed(self, name: str, suffix: str) -> Iterator[Path]:
        """A free place for a file, which no other program on this library is given while the block runs."""
        with self._writing() as connection:
            file = self._free(connection, name, suffix)
            records.claim_file(connection, file)
        try:
            yield self.places.voices / file
        finally:
            with self._writing() as connection:
                records.release_file(connection, file)

    def _change(self, voice_id: str, **changes: object) -> VoiceRecord:
        with self._writing() as connection:
            changed = records.update(connection, _existing(connection, voice_id), **changes)
            self._note(changed)
        return changed

    def _take_in(self, details: VoiceDetails, file: Path, source: Path | None = None) -> VoiceRecord:
        """Register a file that we have just written (from `source`); if that fails it is removed again."""
        try:
            return self._register(details, file, source)
        except BaseException:
            folder.remove_voice(file)
            raise

    def _register(self, details: VoiceDetails, file: Path, source: Path | None = None) -> VoiceRecord:
        with self._writing() as connection:
            records.forget_file(connection, file.name)  # another program may have found and adopted it this moment
            name = unique_name(tidy_name(details.name), live_keys(connection))
            record = records.new_record(details, name, file.name, file.stat().st_size)
            records.insert(connection, record)
            self._note(record, source)
        return record

    def _remove(self, record: VoiceRecord) -> None:
        """Take back a voice that was just taken in."""
        with self._writing() as connection:
            records.forget_file(connection, record.file)
            folder.remove_voice(self.file_of(record))

    def _note(self, record: VoiceRecord, source: Path | None = None) -> None:
        """Keep the notes beside the file in step with the database, which they must be able to replace."""
        file = self.file_of(record)
        if file.exists():
            write_notes(file, record, source)

    def _unused(self, name: str) -> str:
        with self._reading() as connection:
            return unique_name(tidy_name(name), live_keys(connection))

    def _free(self, connection: sqlite3.Connection, name: str, suffix: str, own: VoiceRecord | None = None) -> str:
        """A file name for `name` that no other record and no other file in either folder has."""
        taken = records.files_in_use(connection)
        taken |= folder.voice_files(self.places.voices) | folder.voice_files(self.places.trash)
        return unique_file_name(name, suffix, taken - {own.file} if own else taken)

    def _move(self, connection: sqlite3.Connection, record: VoiceRecord, changed: VoiceRecord) -> VoiceRecord:
        """Write `changed` over `record` and bring its file, if there, to the name and place that follow."""
        file = self._free(connection, changed.name, Path(record.file).suffix, own=record)
        changed = records.update(connection, replace(changed, file=file))
        source, target = self.file_of(record), self.file_of(changed)
        if source.exists():
            write_notes(source, changed)
            if target != source:
                folder.move_voice(source, target)
        return changed

    def _present_file(self, record: VoiceRecord) -> Path:
        file = self.file_of(record)
        if not file.is_file():
            raise LibraryError(f"The file of {record.name} is gone: {file}. Put it back, or import the voice again.")
        return file

    def _open(self) -> Database:
        with self._lock:
            if self._database is None:
                self._database, self._opened = opening.open_library(self.places)
            return self._database

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        database = self._open()
        try:
            yield database.connection
        except sqlite3.Error as error:
            raise LibraryError(f"The library {database.path} could not be read: {error}.") from error

    @contextmanager
    def _writing(self) -> Iterator[sqlite3.Connection]:
        database = self._open()
        try:
            with database.writing() as connection:
                yield connection
        except sqlite3.Error as error:
            raise LibraryError(
                f"The library {database.path} could not be changed: {error}. Nothing was changed; "
                "check that its disk has room."
            ) from error


def _existing(connection: sqlite3.Connection, voice_id: str) -> VoiceRecord:
    record = records.read_one(connection, voice_id)
    if record is None:
        raise LibraryError("That voice is no longer in the library.")
    return record
