"""Sounds on disk that were never saved: offered again after a crash, never deleted by themselves."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from app.store import clock

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable
    from datetime import datetime

    from app.store.database import Database

Kind = Literal["recording", "take"]
State = Literal["open", "complete", "saved", "discarded"]


@dataclass(frozen=True)
class UnsavedSound:
    """`state` "open": being written when the program ended; "complete": whole, but not saved by a person."""

    id: int
    kind: Kind
    path: Path
    label: str
    started_at: datetime
    state: State


class Recovery:
    """The list of such sounds. Call it in the file lane, as everything of the library."""

    def __init__(self, database: Callable[[], Database]) -> None:
        self._database = database

    def begin(self, kind: Kind, path: Path, label: str = "") -> int:
        """Note that `path` is about to be written; returns the id for `mark`."""
        with self._database().writing() as connection:
            cursor = connection.execute(
                "INSERT INTO unsaved_sounds (kind, path, label, started_at, state) "
                "VALUES (?, ?, ?, ?, 'open') ON CONFLICT (path) DO UPDATE "
                "SET kind = excluded.kind, label = excluded.label, "
                "started_at = excluded.started_at, state = 'open' RETURNING id",
                (kind, str(path), label, clock.to_text(clock.now())),
            )
            return int(cursor.fetchone()[0])

    def mark(self, sound_id: int, state: State) -> None:
        """Say what became of a sound: "complete" keeps it on offer, "saved" and "discarded" do not."""
        with self._database().writing() as connection:
            connection.execute("UPDATE unsaved_sounds SET state = ? WHERE id = ?", (state, sound_id))

    def unsaved(self, before: datetime | None = None) -> list[UnsavedSound]:
        """Sounds neither saved nor discarded, newest first; `before` leaves out this session's."""
        until = clock.to_text(before or clock.now())
        rows = self._database().connection.execute(
            "SELECT * FROM unsaved_sounds WHERE state IN ('open', 'complete') AND started_at <= ? "
            "ORDER BY started_at DESC, id DESC",
            (until,),
        )
        return [sound for sound in map(_sound, rows) if sound.path.is_file()]


def _sound(row: sqlite3.Row) -> UnsavedSound:
    return UnsavedSound(
        row["id"],
        row["kind"],
        Path(row["path"]),
        row["label"],
        clock.from_text(row["started_at"]),
        row["state"],
    )
