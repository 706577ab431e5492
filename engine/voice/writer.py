"""Composing a `.qvoice` file of version 3, byte for byte as the C writer lays it out."""

from __future__ import annotations

import math
import struct
from typing import IO, TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engine.voice.format import (
    CODE_FRAME_BYTES,
    CODE_VALUES,
    CODEBOOKS,
    LANGUAGE_IDS,
    LONGEST_SECONDS,
    MAGIC,
    MAX_FRAMES,
    MAX_TRANSCRIPT_BYTES,
    MAX_WIDTH,
    META_BYTES,
    WRITTEN_VERSION,
    tables_bytes,
)
from engine.voice.light import vector_fault
from engine.voice.meta import pack_meta
from engine.voice.source import refusal

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from engine.voice.voice import SourceTables, SpecialRows, Voice


def require_writable(voice: Voice, path: Path) -> None:
    """Raise `VoiceError` for a voice that our own reader would refuse."""
    fault = _fault(voice)
    if fault:
        raise refusal(path, f"this voice cannot be saved: {fault}.")


def write_head(file: IO[bytes], voice: Voice, language_ids: Mapping[str, int] = LANGUAGE_IDS) -> None:
    """Everything up to and with META."""
    transcript = (voice.transcript or "").encode()
    frames = 0 if voice.codes is None else len(voice.codes)
    file.write(MAGIC + struct.pack("<II", WRITTEN_VERSION, voice.width))
    _write_array(file, voice.x_vector, "<f4")
    file.write(struct.pack("<I", len(transcript)) + transcript + struct.pack("<I", frames))
    if voice.codes is not None:
        _write_array(file, voice.codes, "<i4")
    file.write(pack_meta(voice, language_ids))


def write_special_rows(file: IO[bytes], rows: SpecialRows) -> None:
    """TPAD."""
    file.write(b"TPAD" + struct.pack("<I", len(rows.pad)))
    for row in (rows.pad, rows.bos, rows.eos):
        _write_array(file, row, "<f4")


def write_tables(file: IO[bytes], tables: SourceTables) -> None:
    """WOVR."""
    width, text_width = tables.fc2_weight.shape
    file.write(b"WOVR" + struct.pack("<III", width, text_width, len(tables.codec_rows)))
    _write_array(file, tables.fc1_weight, "<u2")
    _write_array(file, tables.fc1_bias, "<f4")
    _write_array(file, tables.fc2_weight, "<u2")
    _write_array(file, tables.fc2_bias, "<f4")
    _write_array(file, tables.codec_rows, "<u2")


def head_bytes(voice: Voice) -> int:
    """Size of `write_head`."""
    frames = 0 if voice.codes is None else len(voice.codes)
    transcript = len((voice.transcript or "").encode())
    return 12 + 4 * voice.width + 4 + transcript + 4 + frames * CODE_FRAME_BYTES + META_BYTES


def special_rows_bytes(width: int) -> int:
    """Size of `write_special_rows`."""
    return 8 + 12 * width


def tables_section_bytes(tables: SourceTables) -> int:
    """Size of `write_tables`."""
    width, text_width = tables.fc2_weight.shape
    return 16 + tables_bytes(width, text_width, len(tables.codec_rows))


def _write_array(file: IO[bytes], array: npt.NDArray[Any], kind: str) -> None:
    file.write(np.ascontiguousarray(array, kind).view(np.uint8).data)


def _fault(voice: Voice) -> str:
    if voice.x_vector.ndim != 1 or not 0 < voice.width <= MAX_WIDTH:
        return f"its vector has the shape {voice.x_vector.shape}"
    return (
        vector_fault(voice.x_vector)
        or _text_fault(voice)
        or _codes_fault(voice)
        or _seconds_fault(voice.reference_seconds)
        or _parts_fault(voice)
    )


def _text_fault(voice: Voice) -> str:
    try:
        texts = [text.encode() for text in (voice.name, voice.language or "", voice.transcript or "")]
    except UnicodeEncodeError:
        return "its name, language or transcript holds characters that are no text"
    too_long = len(texts[2]) > MAX_TRANSCRIPT_BYTES
    return f"its transcript is longer than {MAX_TRANSCRIPT_BYTES} bytes" if too_long else ""


def _codes_fault(voice: Voice) -> str:
    codes = voice.codes
    if codes is None or len(codes) == 0:
        return ""
    if codes.ndim != 2 or codes.shape[1] != CODEBOOKS:
        return f"its codes have the shape {codes.shape}, the format needs {CODEBOOKS} a frame"
    if len(codes) > MAX_FRAMES:
        return f"its {len(codes)} frames of codes are more than {MAX_FRAMES}; use a shorter recording"
    if codes.min() < 0 or codes.max() >= CODE_VALUES:
        return f"its codes are outside 0 to {CODE_VALUES - 1}"
    return ""


def _seconds_fault(seconds: float | None) -> str:
    if seconds is None or (math.isfinite(seconds) and 0 <= seconds <= LONGEST_SECONDS):
        return ""
    return f"its reference length of {seconds} seconds cannot be"


def _parts_fault(voice: Voice) -> str:
    rows, tables, width = voice.special_rows, voice.tables, voice.width
    if rows and any(row.shape != (width,) for row in (rows.pad, rows.bos, rows.eos)):
        return "its special rows are of another width than its vector"
    if tables and not _tables_agree(tables, width):
        return "its source tables are of another size than its vector"
    return ""


def _tables_agree(tables: SourceTables, width: int) -> bool:
    text_width = tables.fc1_bias.shape[0] if tables.fc1_bias.ndim == 1 else 0
    return (
        text_width > 0
        and tables.fc1_weight.shape == (text_width, text_width)
        and tables.fc2_weight.shape == (width, text_width)
        and tables.fc2_bias.shape == (width,)
        and tables.codec_rows.ndim == 2
        and tables.codec_rows.shape[0] > 0
        and tables.codec_rows.shape[1] == width
    )
