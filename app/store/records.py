"""A voice as the library knows it, as a value, and as a row."""

from __future__ import annotations

import uuid
from dataclasses import dataclass, fields, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from app.store import clock
from app.store.names import name_key

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Iterable
    from datetime import datetime

    import numpy as np
    import numpy.typing as npt

    import engine
    from engine import Tier as Tier


@dataclass(frozen=True, eq=False)
class VoiceDetails:
    """What is known of a voice before it has a place in the library.

    `x_vector` is float32 little-endian, `4 * width` bytes; `language` is lower case or empty for "not said";
    `model_label` names the model it was cloned with, empty if unknown.
    """

    name: str
    tier: Tier
    width: int
    x_vector: bytes
    language: str = ""
    model_label: str = ""
    reference_seconds: float | None = None
    transcript: str = ""
    notes: str = ""
    tags: tuple[str, ...] = ()
    created_at: datetime | None = None
    star: bool = False

    @classmethod
    def of(cls, voice: engine.Voice, name: str, tier: Tier | None = None, model_label: str = "") -> VoiceDetails:
        """The details a voice carries itself, called `name`; `tier` if it is being saved as another."""
        return cls(
            name=name,
            tier=tier or voice.tier,
            width=voice.width,
            x_vector=voice.x_vector.astype("<f4").tobytes(),
            language=voice.language or "",
            model_label=model_label,
            reference_seconds=voice.reference_seconds,
            transcript=voice.transcript or "",
        )


@dataclass(frozen=True)
class VoiceRecord:
    """A voice in the library. `file` is a name in the voices folder (or the trash, once deleted)."""

    id: str
    name: str
    file: str
    tier: Tier
    language: str
    width: int
    model_label: str
    created_at: datetime
    updated_at: datetime
    reference_seconds: float | None
    transcript: str
    x_vector: bytes
    notes: str
    tags: tuple[str, ...]
    preview: str  # a name in the previews folder, or empty
    size_bytes: int
    missing: bool = False  # the file was not there when the library was opened
    deleted_at: datetime | None = None
    star: bool = False

    @property
    def vector(self) -> npt.NDArray[np.float32]:
        """The speaker vector, float32 [width]."""
        import numpy as np

        return np.frombuffer(self.x_vector, dtype="<f4")


def new_record(details: VoiceDetails, name: str, file: str, size_bytes: int) -> VoiceRecord:
    """A record with an id of its own, made now."""
    now = clock.now()
    return VoiceRecord(
        id=uuid.uuid4().hex,
        name=name,
        file=file,
        tier=details.tier,
        language=details.language,
        width=details.width,
        model_label=details.model_label,
        created_at=details.created_at or now,
        updated_at=now,
        reference_seconds=details.reference_seconds,
        transcript=details.transcript,
        x_vector=details.x_vector,
        notes=details.notes,
        tags=tidy_tags(details.tags),
        preview="",
        size_bytes=size_bytes,
        star=details.star,
    )


def tidy_tags(tags: Iterable[str]) -> tuple[str, ...]:
    """Each tag once, in order, without empty ones or commas (a comma is what people type between tags)."""
    kept: dict[str, str] = {}
    for tag in tags:
        text = " ".join(tag.replace(",", " ").split())
        if text:
            kept.setdefault(name_key(text), text)
    return tuple(kept.values())


_TIMES = ("created_at", "updated_at", "deleted_at")
COLUMNS = tuple(field.name for field in fields(VoiceRecord) if field.name != "tags")


def to_row(record: VoiceRecord) -> dict[str, Any]:
    """The columns of `record`, less its tags, which have a table."""
    row = {name: getattr(record, name) for name in COLUMNS}
    for name in _TIMES:
        row[name] = None if row[name] is None else clock.to_text(row[name])
    return row | {"missing": int(record.missing), "star": int(record.star), "name_key": name_key(record.name)}


def from_row(row: sqlite3.Row, tags: Iterable[str]) -> VoiceRecord:
    """Raises ValueError, TypeError or `LibraryError` if the row makes no sense (of use to a rescue only)."""
    values = {name: row[name] for name in COLUMNS}
    for name in _TIMES:
        values[name] = None if values[name] is None else clock.from_text(values[name])
    values["missing"], values["star"] = bool(values["missing"]), bool(values["star"])
    return VoiceRecord(tags=tuple(tags), **values)


def insert(connection: sqlite3.Connection, record: VoiceRecord) -> None:
    row = to_row(record)
    names = ", ".join(row)
    marks = ", ".join(f":{name}" for name in row)
    connection.execute(f"INSERT INTO voices ({names}) VALUES ({marks})", row)  # noqa: S608 - our own names
    _write_tags(connection, record)


def update(connection: sqlite3.Connection, record: VoiceRecord, **changes: Any) -> VoiceRecord:
    """Write `record` with `changes` over its row; returns what is there now."""
    changed = replace(record, updated_at=clock.now(), **changes)
    row = to_row(changed)
    assignments = ", ".join(f"{name} = :{name}" for name in row if name != "id")
    connection.execute(f"UPDATE voices SET {assignments} WHERE id = :id", row)  # noqa: S608 - our own names
    if changed.tags != record.tags:
        connection.execute("DELETE FROM tags WHERE voice_id = ?", (record.id,))
        _write_tags(connection, changed)
    return changed


def read_all(connection: sqlite3.Connection, deleted_only: bool = False) -> list[VoiceRecord]:
    """Every voice, deleted ones too (or those alone), in order of creation."""
    tags: dict[str, list[str]] = {}
    for voice_id, tag in connection.execute("SELECT voice_id, tag FROM tags ORDER BY voice_id, position"):
        tags.setdefault(voice_id, []).append(tag)
    which = "WHERE deleted_at IS NOT NULL" if deleted_only else ""
    rows = connection.execute(f"SELECT * FROM voices {which} ORDER BY created_at, id")  # noqa: S608 - our own words
    return [from_row(row, tags.get(row["id"], ())) for row in rows]


def read_one(connection: sqlite3.Connection, voice_id: str) -> VoiceRecord | None:
    row = connection.execute("SELECT * FROM voices WHERE id = ?", (voice_id,)).fetchone()
    if row is None:
        return None
    tags = connection.execute("SELECT tag FROM tags WHERE voice_id = ? ORDER BY position", (voice_id,))
    return from_row(row, [tag for (tag,) in tags])


_CLAIM = "claimed:"  # a fact of this name: a file that is being written for a voice to come
_CLAIM_DAYS = 1  # after which whoever claimed it was killed


def files_in_use(connection: sqlite3.Connection) -> set[str]:
    """Names of the files that voices have, and of those that are being written."""
    used = {file for (file,) in connection.execute("SELECT file FROM voices")}
    claims = connection.execute("SELECT name FROM facts WHERE name LIKE ?", (f"{_CLAIM}%",))
    return used | {name.removeprefix(_CLAIM) for (name,) in claims}


def claim_file(connection: sqlite3.Connection, file: str) -> None:
    """Note that `file` is about to be written, until `release_file`; forget what killed programs were writing."""
    old = clock.to_text(clock.now() - timedelta(days=_CLAIM_DAYS))
    connection.execute("DELETE FROM facts WHERE name LIKE ? AND value < ?", (f"{_CLAIM}%", old))
    connection.execute("INSERT OR REPLACE INTO facts VALUES (?, ?)", (_CLAIM + file, clock.to_text(clock.now())))


def release_file(connection: sqlite3.Connection, file: str) -> None:
    connection.execute("DELETE FROM facts WHERE name = ?", (_CLAIM + file,))


def forget_file(connection: sqlite3.Connection, file: str) -> None:
    """Forget the voice whose file is `file`, if there is one."""
    connection.execute("DELETE FROM voices WHERE file = ?", (file,))


def _write_tags(connection: sqlite3.Connection, record: VoiceRecord) -> None:
    connection.executemany(
        "INSERT INTO tags (voice_id, position, tag) VALUES (?, ?, ?)",
        [(record.id, position, tag) for position, tag in enumerate(record.tags)],
    )
