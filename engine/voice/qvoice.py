"""Reading a `.qvoice` file, versions 1 to 3, into a voice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt

from engine.voice.format import CODE_VALUES, CODEBOOKS, MAX_FRAMES, META_BYTES, sized
from engine.voice.layout import META, TPAD, WOVR, Layout, Section, scan
from engine.voice.light import vector_fault, vector_warnings
from engine.voice.meta import Meta, unpack_meta
from engine.voice.voice import DeltaLocation, FloatArray, SourceTables, SpecialRows, Voice

if TYPE_CHECKING:
    from engine.voice.source import Source


@dataclass(frozen=True, eq=False)
class Head:
    """What is read of a file without its codes, tables and weights."""

    x_vector: FloatArray
    transcript: str | None
    meta: Meta | None
    warnings: tuple[str, ...]


def read_head(source: Source, layout: Layout) -> Head:
    """The vector, transcript and META of a scanned file. Raises `VoiceError`."""
    vector = _read_vector(source, layout)
    meta, warnings = _read_meta(source, layout)
    return Head(vector, _read_transcript(source, layout), meta, vector_warnings(vector) + warnings)


def read_qvoice(source: Source) -> Voice:
    """The whole voice, weights excepted: of those only the place is kept. Raises `VoiceError`."""
    layout = scan(source)
    head = read_head(source, layout)
    codes, code_warnings = _read_codes(source, layout)
    meta = head.meta
    return Voice(
        x_vector=head.x_vector,
        name=meta.name if meta else "",
        language=meta.language if meta else None,
        transcript=head.transcript,
        codes=codes,
        reference_seconds=meta.reference_seconds if meta else None,
        from_base=meta.from_base if meta else True,
        special_rows=_read_special_rows(source, layout),
        tables=_read_tables(source, layout),
        delta=delta_location(source, layout),
        warnings=layout.warnings + head.warnings + code_warnings,
    )


def _enter(source: Source, layout: Layout, name: str, skip: int) -> Section | None:
    section = layout.find(name)
    if section:
        source.seek(section.offset + skip)
    return section


def _read_vector(source: Source, layout: Layout) -> FloatArray:
    _enter(source, layout, "voice vector", 0)
    vector = cast(FloatArray, source.array("f4", (layout.width,), "the voice vector"))
    fault = vector_fault(vector)
    if fault:
        raise source.refuse(f"{fault}; the file is damaged. Clone the voice again.")
    return vector


def _read_transcript(source: Source, layout: Layout) -> str | None:
    section = _enter(source, layout, "transcript", 4)
    if not section or section.size == 4:
        return None
    try:
        return source.take(section.size - 4, "the transcript").decode()
    except UnicodeDecodeError:
        raise source.refuse("its transcript is not UTF-8 text; the file is damaged. Get it again.") from None


def _read_codes(source: Source, layout: Layout) -> tuple[npt.NDArray[np.int32] | None, tuple[str, ...]]:
    if not layout.frames:
        return None, ()
    if layout.frames > MAX_FRAMES:
        return None, (f"Its {layout.frames} frames are more than {MAX_FRAMES} and were left out.",)
    _enter(source, layout, "codes", 4)
    codes = source.array("i4", (layout.frames, CODEBOOKS), "the codes")
    if codes.min() < 0 or codes.max() >= CODE_VALUES:
        return None, (f"Its codes are outside 0 to {CODE_VALUES - 1} and were left out.",)
    return codes, ()


def _read_meta(source: Source, layout: Layout) -> tuple[Meta | None, tuple[str, ...]]:
    if not _enter(source, layout, META, len(META)):
        return None, ()
    meta = unpack_meta(bytes(source.take(META_BYTES - len(META), META)))
    warnings = meta.warnings
    for said in dict.fromkeys((meta.source_width, meta.vector_width)):
        if said != layout.width:
            warnings += (f"Its description says {sized(said)}, its voice vector is {sized(layout.width)}.",)
    return meta, warnings


def _read_special_rows(source: Source, layout: Layout) -> SpecialRows | None:
    if not _enter(source, layout, TPAD, 8):
        return None
    rows = source.array("f4", (3, layout.width), TPAD)
    if not np.isfinite(rows).all():
        raise source.refuse("its section TPAD holds values that are not numbers; the file is damaged.")
    return SpecialRows(*rows)


def _read_tables(source: Source, layout: Layout) -> SourceTables | None:
    if not _enter(source, layout, WOVR, 4):
        return None
    width, text_width, code_rows = source.unpack("III", WOVR)
    return SourceTables(
        fc1_weight=source.array("u2", (text_width, text_width), WOVR),
        fc1_bias=source.array("f4", (text_width,), WOVR),
        fc2_weight=source.array("u2", (width, text_width), WOVR),
        fc2_bias=source.array("f4", (width,), WOVR),
        codec_rows=source.array("u2", (code_rows, width), WOVR),
    )


def delta_location(source: Source, layout: Layout) -> DeltaLocation | None:
    """Where the weights of a scanned file lie; None if it has none."""
    weights = layout.weights
    if weights is None:
        return None
    return DeltaLocation(
        path=source.path,
        offset=weights.first_record,
        records=weights.records,
        target_width=weights.target_width,
        full=weights.full,
    )
