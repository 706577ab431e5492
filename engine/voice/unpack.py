"""One weight record's payload, unpacked to the size it says, without a model."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import lz4.block

from engine.errors import VoiceError
from engine.voice.records import LZ4_INT16, RAW, ZLIB_INT8, RecordHeader

if TYPE_CHECKING:
    from engine.voice.source import Source

_LONG = 15  # LZ4: a length of 15 goes on in further bytes
_SHORTEST_MATCH = 4
_RUN_GROWTH = 200  # a run unpacks to 255 times its size; only then is it looked at


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


def changes_nothing(record: RecordHeader, payload: bytes | bytearray) -> bool:
    """Whether a packed record plainly is one long run of zeros, as the library packs a tensor that is the same in both
    models: a few zeros, a match over nearly all, the last zeros. False where it takes unpacking to tell."""
    if record.packing != LZ4_INT16 or len(payload) * _RUN_GROWTH > record.raw_bytes:
        return False
    literals = payload[0] >> 4
    at = 1 + literals + 2
    distance = int.from_bytes(payload[at - 2 : at], "little")
    if (
        not 0 < distance <= literals
        or literals == _LONG
        or payload[0] & _LONG != _LONG
        or any(payload[1 : 1 + literals])
    ):
        return False
    full = len(payload) - at - len(payload[at:].lstrip(b"\xff"))
    ending = payload[at + full :]  # the last byte of the match's length, then a token and the last literals
    if len(ending) < 2 or ending[1] != (len(ending) - 2) << 4 or any(ending[2:]):
        return False
    return literals + _SHORTEST_MATCH + _LONG + 255 * full + ending[0] + len(ending) - 2 == record.raw_bytes


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
