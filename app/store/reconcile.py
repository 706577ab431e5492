"""Makes the database agree with the folders. Where a file lies is the truth; nothing here removes a file."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine
from app.store import clock, folder, records
from app.store.names import unique_name
from app.store.notes import details_of_file, own_notes

if TYPE_CHECKING:
    import sqlite3

    from app.paths import Paths
    from app.store.records import VoiceRecord

_log = logging.getLogger(__name__)


@dataclass
class Findings:
    """What was not as expected: names of voices, and files that are no voices."""

    adopted: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    unreadable: list[Path] = field(default_factory=list)


@dataclass(frozen=True)
class _Stray:
    """A voice file that no record names."""

    name: str
    in_trash: bool


def reconcile(connection: sqlite3.Connection, places: Paths) -> Findings:
    """Compare records and files, and repair the records; call it inside a transaction.

    A file in the other folder than its record says (a kill between two steps) sets the record right. A file
    no record names is matched by its vector to a record whose file is gone, else taken in as a new voice.
    """
    findings = Findings()
    live, trashed = folder.voice_files(places.voices), folder.voice_files(places.trash)
    lost: list[VoiceRecord] = []
    states = connection.execute("SELECT id, file, deleted_at IS NOT NULL, missing FROM voices ORDER BY created_at, id")
    for voice_id, file, in_trash, missing in states.fetchall():  # whole records are read of those only that are amiss
        here, there = (trashed, live) if in_trash else (live, trashed)
        found_here, found_there = file in here, file in there
        if found_here:
            here.discard(file)
        elif found_there:
            there.discard(file)
        if found_here and not missing:
            continue
        record = records.read_one(connection, voice_id)
        assert record is not None
        if found_here or found_there:
            _write_state(connection, record, bool(in_trash) == found_here)
        else:
            lost.append(record)
    strays = [_Stray(name, False) for name in sorted(live)] + [_Stray(name, True) for name in sorted(trashed)]
    for stray in strays:
        _place(connection, places, stray, lost, findings)
    for record in lost:
        if not record.missing:
            records.update(connection, record, missing=True)
        if record.deleted_at is None:
            findings.missing.append(record.name)
    return findings


def live_keys(connection: sqlite3.Connection, but: str = "") -> set[str]:
    """Keys of the names in use, less that of the voice with id `but`."""
    rows = connection.execute("SELECT name_key FROM voices WHERE deleted_at IS NULL AND id != ?", (but,))
    return {key for (key,) in rows}


def _write_state(connection: sqlite3.Connection, record: VoiceRecord, in_trash: bool, **changes: str) -> None:
    deleted_at = (record.deleted_at or clock.now()) if in_trash else None
    name = record.name
    if record.deleted_at is not None and not in_trash:
        name = unique_name(name, live_keys(connection, but=record.id))
    changed = replace(record, name=name, deleted_at=deleted_at, missing=False, **changes)  # type: ignore[arg-type]
    if changed != record:
        records.update(connection, changed)


def _place(
    connection: sqlite3.Connection,
    places: Paths,
    stray: _Stray,
    lost: list[VoiceRecord],
    findings: Findings,
) -> None:
    path = (places.trash if stray.in_trash else places.voices) / stray.name
    try:
        voice = engine.load_voice(path)
        size_bytes = path.stat().st_size
        changed_at = datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except (engine.QVoiceError, OSError) as error:
        _log.warning("Not a voice, left alone: %s", error)
        findings.unreadable.append(path)
        return
    details = details_of_file(voice, path)
    for record in lost:
        if record.x_vector == details.x_vector and record.size_bytes == size_bytes:
            lost.remove(record)
            _write_state(connection, record, stray.in_trash, file=stray.name)
            return
    details = replace(details, created_at=details.created_at or changed_at)
    name = details.name if stray.in_trash else unique_name(details.name, live_keys(connection))
    record = records.new_record(details, name, stray.name, size_bytes)
    records.insert(connection, _as_it_was(connection, record, own_notes(voice), stray.in_trash))
    findings.adopted.append(name)


def _as_it_was(connection: sqlite3.Connection, record: VoiceRecord, own: dict[str, Any], in_trash: bool) -> VoiceRecord:
    """`record` with the id and preview it had, if the database that knew them is gone."""
    deleted_at = clock.now() if in_trash else None
    voice_id, preview = own.get("id"), own.get("preview")
    known = isinstance(voice_id, str) and re.fullmatch("[0-9a-f]{32}", voice_id)
    if not known or records.read_one(connection, str(voice_id)) is not None:
        return replace(record, deleted_at=deleted_at)
    named = preview if isinstance(preview, str) and Path(preview).name == preview else ""
    return replace(record, deleted_at=deleted_at, id=str(voice_id), preview=named)
