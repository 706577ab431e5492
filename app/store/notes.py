"""What the library knows of a voice, written beside its file too: in the engine's sidecar, under our own key.

So a voice keeps its tags and notes when it is exported and imported, and a lost database can be made again.
"""

from __future__ import annotations

import json
import tempfile
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine
from app.store import clock
from app.store.errors import LibraryError
from app.store.names import tidy_name
from app.store.records import VoiceDetails, tidy_tags

if TYPE_CHECKING:
    from app.store.records import VoiceRecord

_KEY = "qvoice_studio"
_TEXTS = ("language", "model_label", "transcript", "notes")


def write_notes(file: Path, record: VoiceRecord, source: Path | None = None) -> None:
    """Write the sidecar of `file`, a file of `record`. Raises `WriteError`.

    What the one there says beyond the library (consent, licence, clip) stays; for a copy it is the one of `source`.
    """
    ours = {"id": record.id, "name": record.name, "created_at": clock.to_text(record.created_at)}
    texts = {name: getattr(record, name) for name in _TEXTS}
    own: dict[str, Any] = ours | texts | {"tags": list(record.tags), "preview": record.preview, "star": record.star}
    fresh = _composed(record, file.suffix, {_KEY: own})
    kept = _read(engine.sidecar_path(source or file))
    if kept.get("x_vector_sha256") == fresh.get("x_vector_sha256"):
        fresh = kept | fresh | {"extra": kept.get("extra", {}) | fresh["extra"]}
    _write(file, fresh)


def note_preview_seed(file: Path, seed: int) -> None:
    """Note in the sidecar of `file` which seed its preview was spoken with. Raises `WriteError`."""
    kept = _read(engine.sidecar_path(file))
    origin = kept.get("origin")
    kept["origin"] = (origin if isinstance(origin, dict) else {}) | {"preview_seed": seed}
    _write(file, kept)


def details_of_file(voice: engine.Voice, path: Path) -> VoiceDetails:
    """What is known of a voice read from `path`: its sidecar's word, the file's own, or the file's name."""
    own = own_notes(voice)
    details = VoiceDetails.of(voice, _first_name(own.get("name"), voice.name, path.stem))
    texts = {name: own[name] for name in _TEXTS if isinstance(own.get(name), str)}
    tags = own.get("tags")
    if isinstance(tags, list):
        details = replace(details, tags=tidy_tags(tag for tag in tags if isinstance(tag, str)))
    with suppress(KeyError, TypeError, ValueError):  # a file from elsewhere has no such time
        details = replace(details, created_at=clock.from_text(own["created_at"]))
    return replace(details, star=own.get("star") is True, **texts)


def own_notes(voice: engine.Voice) -> dict[str, Any]:
    """What the library wrote beside the file of `voice`; empty if it did not."""
    own = voice.sidecar.get(_KEY)
    return own if isinstance(own, dict) else {}


def _composed(record: VoiceRecord, suffix: str, extra: dict[str, Any]) -> dict[str, Any]:
    """The sidecar the engine itself writes for such a voice under a name with `suffix`."""
    voice = engine.Voice(
        record.vector,
        name=record.name,
        language=record.language or None,
        transcript=record.transcript or None,
        reference_seconds=record.reference_seconds,
        sidecar=extra,
    )
    with tempfile.TemporaryDirectory(prefix="qvoice-notes-", ignore_cleanup_errors=True) as folder:
        file = Path(folder) / f"voice{suffix}"
        engine.save_voice(voice, file, tier="light")
        return _read(engine.sidecar_path(file))


def _write(file: Path, notes: dict[str, Any]) -> None:
    data = json.dumps(notes, ensure_ascii=False, indent=1).encode() + b"\n"
    engine.write_atomically(engine.sidecar_path(file), data)


def _read(path: Path) -> dict[str, Any]:
    try:
        notes = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return {}
    return notes if isinstance(notes, dict) and isinstance(notes.get("extra", {}), dict) else {}


def _first_name(*candidates: object) -> str:
    for candidate in candidates:
        try:
            return tidy_name(candidate if isinstance(candidate, str) else "")
        except LibraryError:
            continue
    return "Voice"
