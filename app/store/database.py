"""SQLite with the care it needs: one connection a thread, write-ahead log, checked when it is opened."""

from __future__ import annotations

import sqlite3
import threading
from contextlib import contextmanager
from typing import TYPE_CHECKING

from app.store.migrations import migrate

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

_WAIT_SECONDS = 10.0  # for another writer; a lane is one thread, so this is only reached if something is stuck


class Database:
    """Connections to one file. Each thread gets its own; `close()` closes them all, from any thread."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._here = threading.local()
        self._all: list[sqlite3.Connection] = []
        self._lock = threading.Lock()

    @property
    def connection(self) -> sqlite3.Connection:
        """This thread's connection, opened on first use."""
        connection: sqlite3.Connection | None = getattr(self._here, "connection", None)
        if connection is None:
            connection = connect(self.path)
            self._here.connection = connection
            with self._lock:
                self._all.append(connection)
        return connection

    def prepare(self) -> None:
        """Check the file and bring it to the newest shape.

        Raises sqlite3.DatabaseError if it is broken, `LibraryError` if it is of a newer version.
        """
        connection = self.connection
        faults = [row[0] for row in connection.execute("PRAGMA integrity_check(3)") if row[0] != "ok"]
        if faults:
            raise sqlite3.DatabaseError("; ".join(faults))
        migrate(connection)
        if connection.execute("PRAGMA foreign_key_check").fetchone() is not None:
            raise sqlite3.DatabaseError("a tag belongs to no voice")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A transaction: everything in the block is kept, or nothing if it raises."""
        connection = self.connection
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # SQLite has already rolled back if the disk was full
                connection.execute("ROLLBACK")
            raise

    def close(self) -> None:
        with self._lock:
            connections, self._all = self._all, []
        self._here = threading.local()
        for connection in connections:
            connection.close()


def is_broken(error: sqlite3.Error) -> bool:
    """Whether the file itself is damaged; a full disk or a locked file is another matter."""
    if isinstance(error, sqlite3.OperationalError):
        return False
    code = getattr(error, "sqlite_errorcode", None)
    return code in (None, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def connect(path: Path) -> sqlite3.Connection:
    """A connection set up our way. Raises sqlite3.DatabaseError if the file is no database."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        connection.row_factory = sqlite3.Row
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = FULL")  # writes are few, and a saved voice must stay saved
        connection.execute("PRAGMA foreign_keys = ON")
    except BaseException:
        connection.close()
        raise
    return connection
