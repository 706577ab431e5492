"""A broken database: set aside, and a fresh one filled with what can still be read from it.

What cannot be read comes back from the voice files and the notes beside them (`app.store.reconcile`).
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
import tempfile
from contextlib import closing, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

import engine
from app.store import clock, records
from app.store.database import Database, connect
from app.store.names import unique_name
from app.store.reconcile import live_keys

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from app.store.records import VoiceRecord

_log = logging.getLogger(__name__)
_COMPANIONS = ("", "-wal", "-shm")
_NOT_A_VALUE = (ValueError, TypeError, IndexError, OverflowError, engine.QVoiceError)
_SOUND_COLUMNS = ("kind", "path", "label", "started_at", "state")


@dataclass
class Remains:
    """What could be read from a database that may be broken in any place, without what makes no sense."""

    voices: dict[str, VoiceRecord] = field(default_factory=dict)
    sounds: dict[str, sqlite3.Row] = field(default_factory=dict)


def set_aside(path: Path) -> Path:
    """Rename a database and its companions to `….<time>.broken`; returns the new name."""
    stamp = clock.now().strftime("%Y%m%dT%H%M%S.%fZ")
    broken = path.with_name(f"{path.name}.{stamp}.broken")
    for companion in _COMPANIONS:
        source = path.with_name(path.name + companion)
        if source.exists():
            source.rename(broken.with_name(broken.name + companion))
    return broken


def refill(database: Database, broken: Path) -> None:
    """Fill the fresh `database` with what can be read from `broken`, which stays as it was found."""
    remains = Remains()
    with tempfile.TemporaryDirectory(prefix="qvoice-rescue-", ignore_cleanup_errors=True) as folder:
        copy = Path(folder) / "broken.sqlite3"
        try:
            for companion in _COMPANIONS:
                source = broken.with_name(broken.name + companion)
                if source.exists():
                    shutil.copyfile(source, copy.with_name(copy.name + companion))
            with closing(connect(copy)) as connection:
                _read_voices(connection, remains)
                _read_sounds(connection, remains)
        except (sqlite3.Error, OSError) as error:
            _log.warning("Nothing more to be read from %s: %s", broken, error)
    with database.writing() as connection:
        for record in remains.voices.values():
            _insert_voice(connection, record)
        for row in remains.sounds.values():
            _insert_sound(connection, row)


def _read_voices(connection: sqlite3.Connection, remains: Remains) -> None:
    tags: dict[str, dict[int, str]] = {}
    for row in _rows(connection, "tags", ("voice_id", "position")):
        with suppress(*_NOT_A_VALUE):
            tags.setdefault(row["voice_id"], {})[int(row["position"])] = str(row["tag"])
    for row in _rows(connection, "voices"):
        try:
            own = tags.get(row["id"], {})
            record = records.from_row(row, [own[position] for position in sorted(own)])
            if _makes_sense(record):
                remains.voices.setdefault(record.id, record)
        except _NOT_A_VALUE as error:
            _log.warning("A voice's row makes no sense: %s", error)


def _read_sounds(connection: sqlite3.Connection, remains: Remains) -> None:
    for row in _rows(connection, "unsaved_sounds"):
        with suppress(*_NOT_A_VALUE):
            remains.sounds.setdefault(str(row["path"]), row)


def _rows(connection: sqlite3.Connection, table: str, key: Sequence[str] = ("rowid",)) -> Iterator[sqlite3.Row]:
    """The rows before the first broken page, then those after the last one; a row may come twice."""
    for direction in ("ASC", "DESC"):
        order = ", ".join(f"{column} {direction}" for column in key)
        try:
            yield from connection.execute(f"SELECT * FROM {table} ORDER BY {order}")  # noqa: S608 - our own names
        except sqlite3.Error as error:
            _log.warning("%s could not be read to its end: %s", table, error)
        else:
            return


def _makes_sense(record: VoiceRecord) -> bool:
    return (
        all(isinstance(text, str) and text for text in (record.id, record.name, record.file, record.tier))
        and isinstance(record.x_vector, bytes)
        and len(record.x_vector) == 4 * record.width
        and Path(record.file).name == record.file
    )


def _insert_voice(connection: sqlite3.Connection, record: VoiceRecord) -> None:
    if record.deleted_at is None:
        record = replace(record, name=unique_name(record.name, live_keys(connection)))
    with suppress(sqlite3.IntegrityError):  # a torn page can give one row twice under two keys
        records.insert(connection, record)


def _insert_sound(connection: sqlite3.Connection, row: sqlite3.Row) -> None:
    names = ", ".join(_SOUND_COLUMNS)
    marks = ", ".join("?" for _ in _SOUND_COLUMNS)
    with suppress(sqlite3.IntegrityError, IndexError):
        connection.execute(
            f"INSERT INTO unsaved_sounds ({names}) VALUES ({marks})",  # noqa: S608 - our own names
            [row[name] for name in _SOUND_COLUMNS],
        )
