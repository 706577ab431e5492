"""Opening the library: checked, repaired from the folders, old trash emptied."""

from __future__ import annotations

import logging
import sqlite3
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from app.store import clock, folder, records, rescue
from app.store.bundle import UNPACKED_PREFIX
from app.store.database import Database, is_broken
from app.store.errors import LibraryError
from app.store.reconcile import reconcile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.paths import Paths
    from app.store.records import VoiceRecord

_log = logging.getLogger(__name__)
TRASH_DAYS = 30


@dataclass(frozen=True)
class Opened:
    """What opening found. Names of voices, except for the paths."""

    set_aside: Path | None = None  # the broken database
    adopted: tuple[str, ...] = ()  # files found in the folder and taken in
    missing: tuple[str, ...] = ()  # voices whose file is gone
    unreadable: tuple[Path, ...] = ()  # files in the folder that are no voices
    purged: tuple[str, ...] = ()  # deleted for good, having lain in the trash for TRASH_DAYS


def open_library(places: Paths) -> tuple[Database, Opened]:
    """Raises `LibraryError` if the database cannot be used at all (no access, no room, a newer version)."""
    database = Database(places.database)
    try:
        return database, _open(database, places)
    except sqlite3.Error as error:
        database.close()
        raise LibraryError(
            f"The library {places.database} cannot be opened: {error}. "
            "Check that the folder can be written to and that its disk has room."
        ) from error
    except OSError as error:
        database.close()
        raise LibraryError(f"The library in {places.data} cannot be opened: {error.strerror or error}.") from error
    except LibraryError:
        database.close()
        raise


def _open(database: Database, places: Paths) -> Opened:
    for place in (places.voices, places.trash, places.previews):
        place.mkdir(parents=True, exist_ok=True)
        folder.sweep_halves(place)
    folder.sweep_halves(places.data, f"{UNPACKED_PREFIX}*")
    broken = _prepare(database)
    with database.writing() as connection:
        findings = reconcile(connection, places)
    purged = purge(database, places)
    return Opened(
        set_aside=broken,
        adopted=tuple(findings.adopted),
        missing=tuple(findings.missing),
        unreadable=tuple(findings.unreadable),
        purged=purged,
    )


def _prepare(database: Database) -> Path | None:
    """A sound database of the newest shape; returns where a broken one was set aside."""
    try:
        database.prepare()
    except sqlite3.Error as error:
        if not is_broken(error):
            raise
        _log.error("The library database is broken: %s", error)
    else:
        return None
    database.close()
    broken = rescue.set_aside(database.path)
    database.prepare()
    rescue.refill(database, broken)
    return broken


def purge(database: Database, places: Paths, days: int = TRASH_DAYS) -> tuple[str, ...]:
    """Remove for good what was deleted more than `days` ago; returns the names.

    Time counts only as far as one day past the last start: a clock that jumped must not empty the trash.
    """
    now = clock.now()
    last_seen = _last_opened(database.connection) or now
    cutoff = min(now, last_seen + timedelta(days=1)) - timedelta(days=days)
    old = [
        record
        for record in records.read_all(database.connection, deleted_only=True)
        if record.deleted_at is not None and record.deleted_at < cutoff
    ]
    with database.writing() as connection:
        connection.executemany("DELETE FROM voices WHERE id = ?", [(record.id,) for record in old])
        connection.execute("INSERT OR REPLACE INTO facts VALUES ('opened_at', ?)", (clock.to_text(now),))
    remove_files(old, places)
    return tuple(record.name for record in old)


def remove_files(gone: Sequence[VoiceRecord], places: Paths) -> None:
    """Remove the files of voices in the trash that the database knows no more."""
    for record in gone:
        _log.info("Purged from the trash: %s (%s)", record.name, record.file)
        with suppress(OSError):
            folder.remove_voice(places.trash / record.file)
            if record.preview:
                (places.previews / record.preview).unlink(missing_ok=True)


def _last_opened(connection: sqlite3.Connection) -> datetime | None:
    row = connection.execute("SELECT value FROM facts WHERE name = 'opened_at'").fetchone()
    try:
        return None if row is None else clock.from_text(row[0])
    except ValueError:
        return None
