"""One weight record's payload, unpacked to the size it says, without a model."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import lz4.block

from engine.errors import VoiceError
from engine.voice.records import LZ4_INT16, RAW, ZLIB_INT8, RecordHeader

if TYPE_CHECKING:
    from engine.voice.source import Source


def unpack(source: Source, record: RecordHeader, payload: bytes | bytearray) -> bytes | bytearray:
    """The `raw_bytes` of a record: values if it is raw, else differences. Raises `VoiceError`."""
    if record.packing == RAW:
        return payload
    if record.packing == ZLIB_INT8:
        raise lossy(source, record)
    data = (_unpack_lz4 if record.packing == LZ4_INT16 else _unpack_zlib)(payload, record.raw_bytes)
    if data is None:
        raise source.refuse(f"its {record.name} does not unpack to {record.raw_bytes} bytes. Get the file again.")
    return data


def lossy(source: Source, record: RecordHeader) -> VoiceError:
    """The refusal of old differences, which were clamped to eight bits."""
    return source.refuse(
        f"its differences ({record.name}) are the old int8 kind, which lost precision and would change "
        "the voice; use it without WDELTA, or have it saved again."
    )


def _unpack_lz4(payload: bytes | bytearray, size: int) -> bytearray | None:
    try:
        data: bytearray = lz4.block.decompress(payload, uncompressed_size=size, return_bytearray=True)
    except lz4.block.LZ4BlockError:
        return None
    return data if len(data) == size else None


def _unpack_zlib(payload: bytes | bytearray, size: int) -> bytes | None:
    unpacker = zlib.decompressobj()
    try:
        data = unpacker.decompress(payload, size + 1)
    except zlib.error:
        return None
    return data if len(data) == size and unpacker.eof else None
