"""META: the 104 bytes that describe a voice, with the C writer's habits."""

from __future__ import annotations

import codecs
import math
import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from engine.voice.format import (
    EMBEDDING_ONLY,
    FROM_BASE,
    HAS_CODES,
    LANGUAGE_BYTES,
    LANGUAGE_IDS,
    NAME_BYTES,
)

if TYPE_CHECKING:
    from collections.abc import Mapping

    from engine.voice.voice import Voice

_BODY = struct.Struct("<I16sIIf64sI")  # what follows the tag
_LANGUAGE_OF_ID = {number: name for name, number in LANGUAGE_IDS.items()}


@dataclass(frozen=True)
class Meta:
    """META's fields as a voice has them, with what the file says beside."""

    name: str
    language: str | None
    reference_seconds: float | None
    from_base: bool
    source_width: int
    vector_width: int
    warnings: tuple[str, ...] = ()


def pack_meta(voice: Voice, language_ids: Mapping[str, int] = LANGUAGE_IDS) -> bytes:
    """META of `voice`; `language_ids` are those of the model the file is for."""
    language = voice.language or ""
    seconds = voice.reference_seconds or 0.0
    has_codes = voice.codes is not None and len(voice.codes) > 0
    flags = (HAS_CODES if has_codes else EMBEDDING_ONLY) | (FROM_BASE if voice.from_base else 0)
    return b"META" + _BODY.pack(
        language_ids.get(language, 0),
        cut_text(language.capitalize(), LANGUAGE_BYTES),  # the C engine keeps it as people type it
        voice.width,
        voice.width,
        np.float32(seconds),
        cut_text(voice.name, NAME_BYTES),
        flags,
    )


def unpack_meta(body: bytes) -> Meta:
    """Read META's 100 bytes after the tag."""
    number, language, source_width, vector_width, seconds, name, flags = _BODY.unpack(body)
    known = _LANGUAGE_OF_ID.get(number)
    text = _text(language).lower()
    warnings: tuple[str, ...] = ()
    if number and not known and not text:
        warnings = (f"The voice's language has the unknown id {number}; choose the language yourself.",)
    return Meta(
        name=_text(name),
        language=known or text or None,
        reference_seconds=_seconds(seconds),
        from_base=bool(flags & FROM_BASE),
        source_width=source_width,
        vector_width=vector_width,
        warnings=warnings,
    )


def cut_text(text: str, field_bytes: int) -> bytes:
    """UTF-8 for a zero-ended field, cut at a whole character."""
    return text.split("\0")[0].encode()[: field_bytes - 1].decode("utf-8", "ignore").encode()


def _text(field: bytes) -> str:
    """A field up to its first zero; a character cut at the end by the C writer is left out."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    return decoder.decode(field[: len(field) - 1].split(b"\0")[0])


def _seconds(stored: float) -> float | None:
    """The shortest decimal that gives the stored float32: 12.3, not 12.300000190734863."""
    if not math.isfinite(stored) or stored <= 0:
        return None
    return float(str(np.float32(stored)))
