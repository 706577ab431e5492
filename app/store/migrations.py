"""The shape of the database, as numbered steps. A released step is never edited; add the next one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.store.errors import LibraryError

if TYPE_CHECKING:
    import sqlite3

MIGRATIONS: tuple[str, ...] = (
    # 1: voices, sounds that were never saved, and what the library remembers about itself
    """
    CREATE TABLE voices (
        id TEXT PRIMARY KEY,
        name TEXT NOT NULL,
        name_key TEXT NOT NULL,
        file TEXT NOT NULL UNIQUE,
        tier TEXT NOT NULL CHECK (tier IN ('light', 'standard', 'wdelta')),
        language TEXT NOT NULL DEFAULT '',
        width INTEGER NOT NULL CHECK (width > 0),
        model_label TEXT NOT NULL DEFAULT '',
        created_at TEXT NOT NULL,
        updated_at TEXT NOT NULL,
        reference_seconds REAL,
        transcript TEXT NOT NULL DEFAULT '',
        x_vector BLOB NOT NULL,
        notes TEXT NOT NULL DEFAULT '',
        preview TEXT NOT NULL DEFAULT '',
        size_bytes INTEGER NOT NULL,
        missing INTEGER NOT NULL DEFAULT 0,
        deleted_at TEXT,
        CHECK (length(x_vector) = 4 * width)
    ) STRICT;
    CREATE UNIQUE INDEX voices_by_name ON voices (name_key) WHERE deleted_at IS NULL;
    CREATE INDEX voices_by_deletion ON voices (deleted_at) WHERE deleted_at IS NOT NULL;
    CREATE TABLE tags (
        voice_id TEXT NOT NULL REFERENCES voices (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,
        tag TEXT NOT NULL,
        PRIMARY KEY (voice_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE unsaved_sounds (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL CHECK (kind IN ('recording', 'take')),
        path TEXT NOT NULL UNIQUE,
        label TEXT NOT NULL DEFAULT '',
        started_at TEXT NOT NULL,
        state TEXT NOT NULL CHECK (state IN ('open', 'complete', 'saved', 'discarded'))
    ) STRICT;
    CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    """,
    # 2: favourites
    """
    ALTER TABLE voices ADD COLUMN star INTEGER NOT NULL DEFAULT 0;
    """,
)


def migrate(connection: sqlite3.Connection) -> None:
    """Bring the database to the newest shape, step by step. Raises `LibraryError` if it is newer still."""
    while (version := _shape(connection)) < len(MIGRATIONS):
        _step(connection, version)
    if version > len(MIGRATIONS):
        raise LibraryError(
            f"Your library was made by a newer QVoice Studio (shape {version}, this one knows "
            f"{len(MIGRATIONS)}). Update the studio; nothing was changed."
        )


def _shape(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _step(connection: sqlite3.Connection, number: int) -> None:
    """Take step `number`, unless another program that opens the same library has just taken it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _shape(connection) == number:
            for statement in MIGRATIONS[number].split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {number + 1}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
