"""WDLT and WFULL: the weight records, found by their headers; the payloads are left where they are."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.voice.format import sized

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.voice.source import Source

RAW, ZLIB_INT8, ZLIB_INT16, LZ4_INT16 = 0, 2, 3, 4
_GROWTH = {ZLIB_INT8: 1033, ZLIB_INT16: 1033, LZ4_INT16: 256}  # no valid block unpacks to more than this
_MOST_NAME_BYTES = 255
_MOST_RECORDS = 4096  # ten times what any model has
_SMALLEST_RECORD = 2 + 1 + 9 + 1
_FIRST_BYTES = b"talker."  # how every tensor's name begins


@dataclass(frozen=True)
class RecordHeader:
    """One record: `raw_bytes` when unpacked, `stored_bytes` at `offset` of the file."""

    name: str
    raw_bytes: int
    packing: int
    offset: int
    stored_bytes: int


def read_section_head(source: Source, width: int, full: bool) -> tuple[int | None, int]:
    """Read what stands between the tag and the first record: (target width or None, number of records).

    Files of the format's first day have no target width; the two layouts are told apart by where the first
    tensor name begins.
    """
    head = source.peek(4 + 4 + 2 + len(_FIRST_BYTES))
    has_target = not full and _name_begins(head, 8)
    if not has_target and not _name_begins(head, 4):
        source.need(4 + 4 + _SMALLEST_RECORD, "the weight section")
        raise source.refuse("its weight section has no readable first record; the file is damaged. Get it again.")
    target = source.u32("the weight section's target size") if has_target else None
    count = source.u32("the number of weight records")
    if target is not None and target != width:
        raise source.refuse(f"its weights are for {sized(target)}, its voice vector for {sized(width)}.")
    if not 0 < count <= _MOST_RECORDS or count * _SMALLEST_RECORD > source.left:
        raise source.refuse(f"it says {count} weight records, which cannot be. Get the file again.")
    return target, count


def walk_records(source: Source, count: int) -> Iterator[RecordHeader]:
    """The headers of `count` records from here on, each checked; leaves the source after the last."""
    seen: set[str] = set()
    for index in range(count):
        record = _read_header(source, f"weight record {index + 1} of {count}")
        if record.name in seen:
            raise source.refuse(f"the weights {record.name!r} are in it twice; the file is damaged.")
        seen.add(record.name)
        yield record


def _read_header(source: Source, what: str) -> RecordHeader:
    (length,) = source.unpack("H", what)
    if not 0 < length <= _MOST_NAME_BYTES:
        raise source.refuse(f"{what} has a name of {length} bytes; the file is damaged. Get it again.")
    name = source.take(length, f"the name of {what}").decode("ascii", "backslashreplace")
    raw_bytes, packing, stored_bytes = source.unpack("IBI", f"the head of {what}")
    _check_sizes(source, what, raw_bytes, packing, stored_bytes)
    offset = source.skip(stored_bytes, what)
    return RecordHeader(name, raw_bytes, packing, offset, stored_bytes)


def _check_sizes(source: Source, what: str, raw_bytes: int, packing: int, stored_bytes: int) -> None:
    if packing not in (RAW, *_GROWTH):
        raise source.refuse(f"{what} is packed in an unknown way ({packing}); made by a newer program?")
    smallest, largest = (stored_bytes, stored_bytes) if packing == RAW else (1, stored_bytes * _GROWTH[packing])
    if not smallest <= raw_bytes <= largest:
        raise source.refuse(f"{what} says {raw_bytes} bytes from {stored_bytes}, which cannot be. Get it again.")


def _name_begins(head: bytes, offset: int) -> bool:
    if len(head) < offset + 2 + len(_FIRST_BYTES):
        return False
    (length,) = struct.unpack_from("<H", head, offset)
    name = head[offset + 2 : offset + 2 + len(_FIRST_BYTES)]
    return len(_FIRST_BYTES) < length <= _MOST_NAME_BYTES and name == _FIRST_BYTES
