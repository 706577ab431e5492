"""Telling weight sections and models apart by samples of every tensor, in milliseconds instead of seconds."""

from __future__ import annotations

import hashlib
import zlib
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import ModelError
from engine.voice.delta import digest, require_fitting, tensors_by_name
from engine.voice.records import LZ4_INT16, RAW, ZLIB_INT16, RecordHeader, walk_records
from engine.voice.source import Source, open_source

if TYPE_CHECKING:
    from engine.voice.tensors import CheckpointTensors
    from engine.voice.voice import DeltaLocation

_SAMPLE_BYTES = 256  # of each tensor, from its first value on
_PACKED_BYTES = 2 * _SAMPLE_BYTES  # no packing makes so few bytes take more than that
_LONG, _MORE = 15, 255  # LZ4: a length of 15 goes on in further bytes, as long as they are 255
_SHORTEST_MATCH = 4


def section_fingerprint(location: DeltaLocation) -> str:
    """Of a weight section: its record heads and the two ends of every payload. Raises `VoiceError`.

    Two voices of one pair of models have the same; the packed sizes alone tell any two pairs apart.
    """
    hasher = hashlib.sha256(f"{location.full} {location.records}\n".encode())
    with open_source(location.path) as source:
        source.seek(location.offset)
        for record in list(walk_records(source, location.records)):
            hasher.update(f"{record.name} {record.raw_bytes} {record.packing} {record.stored_bytes}\n".encode())
            count = min(_SAMPLE_BYTES, record.stored_bytes)
            for offset in (record.offset, record.offset + record.stored_bytes - count):
                source.seek(offset)
                hasher.update(source.take(count, record.name))
    return hasher.hexdigest()


def rebuilds(location: DeltaLocation, custom: CheckpointTensors, base: CheckpointTensors) -> bool:
    """Whether the section turns `custom` into `base`, going by the first values of every tensor and, where the file's
    notes name them, by the digests of both models. Raises `VoiceError` for a section that does not fit `custom`.
    """
    for wanted, model in ((location.base_digest, base), (location.custom_voice_digest, custom)):
        if wanted and digest(tensors_by_name(model)) != wanted:
            return False
    with open_source(location.path) as source:
        source.seek(location.offset)
        records = list(walk_records(source, location.records))
        require_fitting(source, records, tensors_by_name(custom), location.full)
        return all(_begins_alike(source, record, custom, base) for record in records)


def _begins_alike(source: Source, record: RecordHeader, custom: CheckpointTensors, base: CheckpointTensors) -> bool:
    name = record.name
    if name not in base or base.shape(name) != custom.shape(name):
        return False
    source.seek(record.offset)
    packed = bytes(source.take(min(_PACKED_BYTES, record.stored_bytes), name))
    count = min(_SAMPLE_BYTES, record.raw_bytes)
    found = _first_bytes(record.packing, packed, count)
    try:
        if record.packing != RAW:
            values = np.frombuffer(found[: len(found) // 2 * 2], "<u2")
            first, wanted = custom.bits(name).reshape(-1), base.bits(name).reshape(-1)[: len(values)]
            return len(found) >= count and np.array_equal(values + first[: len(values)], wanted)
        floats = record.raw_bytes == 4 * int(np.prod(base.shape(name)))
        whole = base.floats(name) if floats else base.bits(name)
    except ModelError:  # a Base model that is not bf16 is not the one
        return False
    return whole.reshape(-1)[: count // whole.itemsize].tobytes() == found[:count]


def _first_bytes(packing: int, packed: bytes, count: int) -> bytes:
    """The first `count` unpacked bytes, or those that `packed`, a payload's beginning, gives."""
    if packing == LZ4_INT16:
        return _first_of_lz4(packed, count)
    if packing == ZLIB_INT16:
        try:
            return zlib.decompressobj().decompress(packed, count)
        except zlib.error:
            return b""
    return packed[:count]


def _first_of_lz4(packed: bytes, count: int) -> bytes:
    """The library unpacks whole blocks only; of the largest a few values are wanted."""
    out, at = bytearray(), 0
    try:
        while len(out) < count:
            token = packed[at]
            literals, at = _length(packed, at + 1, token >> 4)
            out += packed[at : at + literals]
            distance = packed[at + literals] | packed[at + literals + 1] << 8
            matched, at = _length(packed, at + literals + 2, token & _LONG)
            start = len(out) - distance
            if distance == 0 or start < 0:
                break
            for index in range(start, start + min(matched + _SHORTEST_MATCH, count)):
                out.append(out[index])  # one by one: a match may overlap what it makes
    except IndexError:  # the block, or what was read of it, ends here
        pass
    return bytes(out[:count])


def _length(packed: bytes, at: int, length: int) -> tuple[int, int]:
    """A length that may go on from `at`, as far as it was read, and where it ends."""
    if length == _LONG:
        while at < len(packed) and packed[at] == _MORE:
            length, at = length + _MORE, at + 1
        length, at = length + sum(packed[at : at + 1]), at + 1
    return length, at
