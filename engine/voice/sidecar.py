"""The small JSON file beside a voice file, for what the format has no place for.

It names the vector it belongs to by digest, so one left over from another voice is noticed and not believed.
What the voice file itself says wins: a sidecar completes a name that was cut, or fields a light file lacks.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from engine.errors import WriteError
from engine.files import write_atomically
from engine.voice.format import LONGEST_SECONDS, MAX_TRANSCRIPT_BYTES
from engine.voice.meta import pack_meta
from engine.voice.source import refusal
from engine.voice.voice import Origin

if TYPE_CHECKING:
    from pathlib import Path

    from engine.voice.voice import Voice

_FORMAT, _VERSION = "qvoice-sidecar", 1
_MOST_BYTES = 4 << 20
_ORIGIN: dict[str, type] = {field.name: int if field.name == "preview_seed" else str for field in fields(Origin)}
_FIELDS: dict[str, tuple[type, ...]] = {
    "name": (str,),
    "language": (str, type(None)),
    "transcript": (str, type(None)),
    "reference_seconds": (int, float, type(None)),
    "from_base": (bool,),
}


def sidecar_path(voice_path: Path) -> Path:
    """`NAME.qvoice` has its sidecar in `NAME.qvoice.json`."""
    return voice_path.with_name(voice_path.name + ".json")


def compose_sidecar(voice: Voice, stored: Voice, path: Path) -> bytes:
    """The sidecar of `voice`, given what its voice file gives back (`stored`); empty if nothing lacks."""
    entries: dict[str, object] = {name: getattr(voice, name) for name in _FIELDS if _differs(voice, stored, name)}
    digests = model_digests(voice)
    if digests:
        entries["models"] = digests
    origin = {name: value for name, value in asdict(voice.origin).items() if value is not None}
    if origin:
        entries["origin"] = origin
    if voice.sidecar:
        entries["extra"] = voice.sidecar
    if not entries:
        return b""
    head = {"format": _FORMAT, "version": _VERSION, "x_vector_sha256": _vector_digest(voice)}
    try:
        text = json.dumps(head | entries, ensure_ascii=False, indent=1, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise refusal(path, f"the voice's notes cannot be saved: {error}.") from error
    return (text + "\n").encode()


def write_sidecar(path: Path, data: bytes) -> None:
    """Write the sidecar of the voice file at `path`; an empty one removes what an earlier voice left."""
    beside = sidecar_path(path)
    if data:
        write_atomically(beside, data)
        return
    try:
        beside.unlink(missing_ok=True)
    except OSError as error:
        raise WriteError(f"{beside}: could not remove the old notes: {error.strerror}.") from error


def merge_sidecar(voice: Voice, path: Path, bare: bool) -> Voice:
    """`voice` with what the sidecar of `path` adds; a broken one is left aside with a warning.

    `bare` says that the voice file is a light one, which holds nothing but the vector.
    """
    beside = sidecar_path(path)
    if not beside.is_file():
        return voice
    try:
        notes = _read(beside)
    except (OSError, ValueError, RecursionError):
        return _warned(voice, f"The notes beside it ({beside.name}) cannot be read and were left aside.")
    if notes.get("x_vector_sha256") != _vector_digest(voice):
        return _warned(voice, f"The notes beside it ({beside.name}) belong to another voice and were left aside.")
    for name in _FIELDS:
        if name in notes:
            completed = replace(voice, **{name: notes[name]})
            if bare or _agrees(completed, voice, name):
                voice = completed
    delta = voice.delta
    if delta:
        models = notes["models"]
        base, custom_voice = models.get("base"), models.get("custom_voice")
        delta = replace(delta, base_digest=base, custom_voice_digest=custom_voice)
    origin = {name: value for name, value in notes["origin"].items() if name in _ORIGIN}
    return replace(voice, sidecar=notes["extra"], origin=Origin(**origin), delta=delta)


def _differs(voice: Voice, stored: Voice, name: str) -> bool:
    mine, kept = getattr(voice, name), getattr(stored, name)
    if name == "reference_seconds" and mine and kept:
        return np.float32(mine) != np.float32(kept)  # type: ignore[no-any-return]
    return (mine or None) != (kept or None) if name != "from_base" else mine != kept


def _agrees(completed: Voice, voice: Voice, name: str) -> bool:
    """Whether the voice file says nothing about `name`, or just what a file of `completed` would say."""
    says_nothing = name != "from_base" and not getattr(voice, name)
    return says_nothing or pack_meta(completed) == pack_meta(voice)


def _read(path: Path) -> dict[str, Any]:
    if path.stat().st_size > _MOST_BYTES:
        raise ValueError("too large")
    notes = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(notes, dict) or notes.get("format") != _FORMAT or notes.get("version") != _VERSION:
        raise ValueError("not a sidecar")
    for name, kinds in _FIELDS.items():
        if name in notes and (not isinstance(notes[name], kinds) or not _is_sane(notes[name])):
            raise ValueError(name)
    for name in ("models", "origin", "extra"):
        if not isinstance(notes.setdefault(name, {}), dict):
            raise ValueError(name)
    if not all(isinstance(value, str) for value in notes["models"].values()):
        raise ValueError("models")
    for name, value in notes["origin"].items():
        if type(value) is not _ORIGIN.get(name, type(value)) or not (name == "preview_seed" or _is_sane(value)):
            raise ValueError(name)
    return notes


def _is_sane(value: object) -> bool:
    if isinstance(value, str):
        return len(value.encode()) <= MAX_TRANSCRIPT_BYTES
    return not isinstance(value, (int, float)) or 0 <= value <= LONGEST_SECONDS


def model_digests(voice: Voice) -> dict[str, str]:
    """Of the "base" and "custom_voice" models of a WDELTA voice, as far as they are known."""
    delta = voice.delta
    if not delta:
        return {}
    found = {"base": delta.base_digest, "custom_voice": delta.custom_voice_digest}
    return {name: value for name, value in found.items() if value}


def _vector_digest(voice: Voice) -> str:
    return hashlib.sha256(np.ascontiguousarray(voice.x_vector, "<f4").view(np.uint8).data).hexdigest()


def _warned(voice: Voice, warning: str) -> Voice:
    return replace(voice, warnings=(*voice.warnings, warning))
