"""WDELTA, writing: the differences between a pair's two models, record by record."""

from __future__ import annotations

import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, cast

import lz4.block
import numpy as np
import numpy.typing as npt

from engine.errors import WriteError
from engine.progress import Cancel, Progress, Report, no_report
from engine.voice.delta import rebuild_each, require_fitting, tensors_by_name
from engine.voice.layout import WDLT, WFULL
from engine.voice.parallel import in_order
from engine.voice.records import LZ4_INT16, RAW, walk_records
from engine.voice.source import Source, open_source
from engine.voice.voice import DeltaLocation

if TYPE_CHECKING:
    from engine.voice.pair import ModelPair

_COPY_BYTES = 1 << 20
_COMPARED_VALUES = 1 << 18
_SAMPLE_VALUES, _SAMPLES = 8192, 4


def write_delta(
    file: IO[bytes], pair: ModelPair, cancel: Cancel | None = None, report: Report = no_report
) -> DeltaLocation:
    """Append a WDLT section to `file` at its position; return where its records lie (with no path yet)."""
    names = pair.shape.record_names()
    custom = pair.custom_voice_tensors
    file.write(WDLT.encode() + struct.pack("<II", pair.width, len(names)))
    first = file.tell()
    total, done = sum(_raw_bytes(pair, name) for name in names), 0
    scratch = threading.local()

    def make(name: str) -> tuple[int, int, bytes]:
        if cancel:
            cancel.check()
        return _record(pair, name, custom.bits(name), scratch)

    for name, (packing, raw_bytes, payload) in zip(names, in_order(make, names), strict=True):
        file.write(_record_head(name, raw_bytes, packing, len(payload)))
        file.write(payload)
        done += raw_bytes
        report(Progress("weights", done, total, "bytes"))
    return DeltaLocation(Path(), first, len(names), pair.width, full=False)


def copy_delta(file: IO[bytes], location: DeltaLocation, width: int, cancel: Cancel | None = None) -> None:
    """Append the weight section of another voice file, its records unchanged."""
    with open_source(location.path) as source:
        end = _records_end(source, location)
        count = struct.pack("<I", location.records)
        file.write(WFULL.encode() + count if location.full else WDLT.encode() + struct.pack("<I", width) + count)
        source.seek(location.offset)
        while source.position < end:
            if cancel:
                cancel.check()
            file.write(source.take(min(_COPY_BYTES, end - source.position), "the weights"))


def verify_delta(
    source: Source, location: DeltaLocation, pair: ModelPair, cancel: Cancel | None, report: Report
) -> None:
    """Rebuild every tensor from what was written and compare it with Base's bits. Raises `WriteError`."""
    for name in different_tensors(source, location, pair, cancel, report):
        raise WriteError(f"{source.path}: {name} did not come back as written. Try another disk.")


def different_tensors(
    source: Source, location: DeltaLocation, pair: ModelPair, cancel: Cancel | None = None, report: Report = no_report
) -> Iterator[str]:
    """Rebuild every tensor and name those that are not Base's, bit for bit. Raises `VoiceError`, `ModelError`."""
    source.seek(location.offset)
    records = list(walk_records(source, location.records))
    custom = tensors_by_name(pair.custom_voice_tensors)
    require_fitting(source, records, custom, location.full)
    for name, array in rebuild_each(source, records, custom, cancel, report, "check"):
        wanted: npt.NDArray[Any] = pair.base_tensors.bits(name)
        if array.dtype == np.float32:
            wanted = pair.base_tensors.floats(name)
        if not _equal(array.reshape(-1).view(np.uint16), wanted.reshape(-1).view(np.uint16)):
            yield name


def copied_delta_bytes(location: DeltaLocation) -> int:
    """Bytes of the section that `copy_delta` writes."""
    with open_source(location.path) as source:
        head = 9 if location.full else 12
        return head + _records_end(source, location) - location.offset


def estimate_delta_bytes(pair: ModelPair) -> int:
    """About how many bytes `write_delta` will write: samples of each tensor are packed and scaled up."""
    custom = pair.custom_voice_tensors
    return 12 + sum(
        len(_record_head(name, 0, 0, 0)) + _estimate(pair, name, custom.bits(name))
        for name in pair.shape.record_names()
    )


def _record_head(name: str, raw_bytes: int, packing: int, stored_bytes: int) -> bytes:
    text = name.encode("ascii")
    return struct.pack("<H", len(text)) + text + struct.pack("<IBI", raw_bytes, packing, stored_bytes)


def _record(
    pair: ModelPair, name: str, custom: npt.NDArray[np.uint16], scratch: threading.local
) -> tuple[int, int, bytes]:
    if custom.ndim == 1:  # norms and biases are stored whole, as float32
        payload = pair.base_tensors.floats(name).astype("<f4").tobytes()
        return RAW, len(payload), payload
    base, custom = pair.base_tensors.bits(name).reshape(-1), custom.reshape(-1)
    if _equal(base, custom):  # the text table of a released pair, a third of the whole
        return LZ4_INT16, base.nbytes, _pack(np.zeros(base.size, "<u2"))
    return LZ4_INT16, base.nbytes, _pack(np.subtract(base, custom, out=_room(scratch, base.size)))


def _room(scratch: threading.local, values: int) -> npt.NDArray[np.uint16]:
    """A thread's own buffer: fresh memory for each tensor would cost more than the subtraction."""
    if not hasattr(scratch, "values") or scratch.values.size < values:
        scratch.values = np.empty(values, "<u2")
    room: npt.NDArray[np.uint16] = scratch.values[:values]
    return room


def _equal(one: npt.NDArray[np.uint16], other: npt.NDArray[np.uint16]) -> bool:
    starts = range(0, one.size, _COMPARED_VALUES)
    return all(np.array_equal(one[i : i + _COMPARED_VALUES], other[i : i + _COMPARED_VALUES]) for i in starts)


def _pack(difference: npt.NDArray[np.uint16]) -> bytes:
    return cast(bytes, lz4.block.compress(np.ascontiguousarray(difference).view(np.uint8).data, store_size=False))


def _raw_bytes(pair: ModelPair, name: str) -> int:
    shape = pair.base_tensors.shape(name)
    return int(np.prod(shape)) * (4 if len(shape) == 1 else 2)


def _estimate(pair: ModelPair, name: str, custom: npt.NDArray[np.uint16]) -> int:
    if custom.ndim == 1:
        return 4 * custom.size
    base, custom = pair.base_tensors.bits(name).reshape(-1), custom.reshape(-1)
    if base.size <= _SAMPLES * _SAMPLE_VALUES:
        return len(_pack(base - custom))
    starts = np.linspace(0, base.size - _SAMPLE_VALUES, _SAMPLES).astype(int)
    spans = [slice(start, start + _SAMPLE_VALUES) for start in starts]
    packed = sum(len(_pack(base[span] - custom[span])) for span in spans)
    return round(packed * base.size / (_SAMPLES * _SAMPLE_VALUES))


def _records_end(source: Source, location: DeltaLocation) -> int:
    source.seek(location.offset)
    for _ in walk_records(source, location.records):
        pass
    return source.position
