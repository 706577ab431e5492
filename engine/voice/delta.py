"""WDELTA, reading: CustomVoice's weights plus a file's differences are Base's, bit for bit."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from engine.progress import Cancel, Progress, Report, no_report
from engine.voice.format import sized
from engine.voice.parallel import in_order
from engine.voice.records import RAW, ZLIB_INT8, RecordHeader, walk_records
from engine.voice.source import Source, open_source, refusal
from engine.voice.talker_shape import CODEC_EMBEDDING, CODEC_HEAD, record_names_of
from engine.voice.unpack import changes_nothing, lossy, unpack

if TYPE_CHECKING:
    from engine.voice.tensors import CheckpointTensors
    from engine.voice.voice import BitArray, DeltaLocation

Targets = Callable[[str], npt.NDArray[Any]]
"""A CustomVoice tensor by name: uint16 bf16 bit patterns or float32; raises `KeyError` for one it has not."""

_DIGESTED = ("talker.model.layers.0.self_attn.k_proj.weight", CODEC_HEAD)  # enough to tell two models apart


def apply(
    location: DeltaLocation,
    cv_tensors: Targets,
    cancel: Cancel | None = None,
    report: Report = no_report,
) -> dict[str, npt.NDArray[Any]]:
    """All of Base's talker and code predictor tensors, or a `VoiceError` and nothing.

    Matrices come as uint16 bf16 bit patterns, norms and biases as float32, each in its CustomVoice tensor's
    shape. Every record is checked against the model before the first is unpacked.
    """
    with open_records(location, cv_tensors) as (source, records):
        weights = dict(rebuild_each(source, records, cv_tensors, cancel, report))
    require_base_digest(source, location, weights.__getitem__)
    return weights


@contextmanager
def open_records(location: DeltaLocation, cv_tensors: Targets) -> Iterator[tuple[Source, list[RecordHeader]]]:
    """The file and the heads of its weights, once all that heads can tell of them fits the model."""
    with open_source(location.path) as source:
        source.seek(location.offset)
        records = list(walk_records(source, location.records))
        _require_width(source, location, cv_tensors)
        require_fitting(source, records, cv_tensors, location.full)
        _require_digest(source, location.custom_voice_digest, cv_tensors, "the CustomVoice model is not the one")
        yield source, records


def require_base_digest(source: Source, location: DeltaLocation, rebuilt: Targets) -> None:
    """Raise `VoiceError` if the file's notes know which model the weights must come out as, and it is another."""
    _require_digest(source, location.base_digest, rebuilt, "the weights came out other than those")


def rebuild_each(
    source: Source,
    records: Sequence[RecordHeader],
    cv_tensors: Targets,
    cancel: Cancel | None = None,
    report: Report = no_report,
    stage: str = "weights",
) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    """Unpack and apply records that `require_fitting` has passed, several at a time, in file order."""

    def rebuild(record: RecordHeader) -> npt.NDArray[Any]:
        return rebuild_one(source, record, cv_tensors)

    return _each(records, rebuild, cancel, report, stage)


def rebuild_one(source: Source, record: RecordHeader, cv_tensors: Targets) -> npt.NDArray[Any]:
    """One tensor. Where nothing differs it is the target itself, not a copy of it: it must not be written to."""
    target = cv_tensors(record.name)
    payload = source.take_at(record.offset, record.stored_bytes, record.name)
    if changes_nothing(record, payload):
        return target
    data = unpack(source, record, payload)
    if record.packing == RAW:
        raw = np.frombuffer(data, "<f4" if record.raw_bytes == 4 * target.size else "<u2")
        return raw.reshape(target.shape).astype(raw.dtype.newbyteorder("="), copy=False)
    # unsigned 16-bit sums wrap around, which is what the writer's differences of bit patterns need
    difference = np.frombuffer(data, "<u2").reshape(target.shape)
    room = difference if difference.flags.writeable and difference.dtype.isnative else None  # no second block of it
    rebuilt: BitArray = np.add(target, difference, out=room, dtype=np.uint16)
    return rebuilt


def unpack_all(
    source: Source, records: Sequence[RecordHeader], cancel: Cancel | None = None, report: Report = no_report
) -> None:
    """Unpack every record, which needs no model, and keep none. Raises `VoiceError` for the first broken one."""

    def look(record: RecordHeader) -> npt.NDArray[Any]:
        payload = source.take_at(record.offset, record.stored_bytes, record.name)
        return np.frombuffer(unpack(source, record, payload), np.uint8)

    for _ in _each(records, look, cancel, report, "check"):
        pass


def record_names_fault(records: Sequence[RecordHeader]) -> str:
    """Which tensors lack in what seems to be a model of as many layers as the records have, or ""."""
    found = {record.name for record in records}
    expected = set(record_names_of(found.__contains__))
    if expected - found:
        return f"{_some(expected - found)} are missing"
    return f"{_some(found - expected)} are of no model" if found - expected else ""


def _each(
    records: Sequence[RecordHeader],
    work: Callable[[RecordHeader], npt.NDArray[Any]],
    cancel: Cancel | None,
    report: Report,
    stage: str,
) -> Iterator[tuple[str, npt.NDArray[Any]]]:
    total, done = sum(record.raw_bytes for record in records), 0

    def work_unless_cancelled(record: RecordHeader) -> npt.NDArray[Any]:
        if cancel:
            cancel.check()
        return work(record)

    for record, array in zip(records, in_order(work_unless_cancelled, records), strict=True):
        yield record.name, array
        done += record.raw_bytes
        report(Progress(stage, done, total, "bytes"))


def require_fitting(source: Source, records: Sequence[RecordHeader], cv_tensors: Targets, full: bool) -> None:
    """Raise `VoiceError` unless the records are exactly the model's tensors, each in its size."""
    expected = set(record_names_of(lambda name: _has(cv_tensors, name)))
    found = {record.name for record in records}
    if found - expected:
        raise source.refuse(f"its weights {_some(found - expected)} are not in the CustomVoice model.")
    if expected - found:
        raise source.refuse(f"the weights {_some(expected - found)} are missing in it, so none can be used.")
    for record in records:
        if not _has(cv_tensors, record.name):
            raise source.refuse(f"the CustomVoice model lacks {record.name}, which the differences apply to.")
        _require_record(source, record, cv_tensors(record.name), full)


def digest(tensors: Targets) -> str:
    """A fingerprint of a model's talker, from the bits of two of its matrices."""
    hasher = hashlib.sha256()
    for name in _DIGESTED:
        hasher.update(np.ascontiguousarray(tensors(name)).view(np.uint8).data)
    return hasher.hexdigest()


def tensors_by_name(tensors: CheckpointTensors) -> Targets:
    """A checkpoint's tensors in the form that `apply` takes."""

    def look_up(name: str) -> BitArray:
        if name not in tensors:
            raise KeyError(name)
        return tensors.bits(name)

    return look_up


def _require_width(source: Source, location: DeltaLocation, cv_tensors: Targets) -> None:
    if not _has(cv_tensors, CODEC_EMBEDDING):
        raise source.refuse(f"the CustomVoice model lacks {CODEC_EMBEDDING}, which the differences apply to.")
    width = cv_tensors(CODEC_EMBEDDING).shape[-1]
    if location.target_width not in (None, width):
        raise source.refuse(f"its weights are for {sized(location.target_width or 0)}, the model is of {sized(width)}.")


def _require_digest(source: Source, wanted: str | None, tensors: Targets, what: str) -> None:
    if wanted and digest(tensors) != wanted:
        raise refusal(source.path, f"{what} this voice was saved with. Use that model, or the voice without WDELTA.")


def _require_record(source: Source, record: RecordHeader, target: npt.NDArray[Any], full: bool) -> None:
    if record.packing == ZLIB_INT8:
        raise lossy(source, record)
    if full and record.packing != RAW:
        raise source.refuse(f"its whole weights ({record.name}) are packed as differences; the file is damaged.")
    sizes = {2 * target.size, 4 * target.size} if record.packing == RAW else {2 * target.size}
    if record.raw_bytes not in sizes:
        raise source.refuse(
            f"its {record.name} has {record.raw_bytes} bytes, the model's has {2 * target.size}; "
            "it was made for another model."
        )
    if record.packing != RAW and target.dtype != np.uint16:
        raise source.refuse(f"its {record.name} is a bf16 difference, but the model's weights are {target.dtype}.")


def _has(tensors: Targets, name: str) -> bool:
    try:
        tensors(name)
    except KeyError:
        return False
    return True


def _some(names: set[str]) -> str:
    first = sorted(names)[:3]
    more = f" and {len(names) - len(first)} more" if len(names) > len(first) else ""
    return ", ".join(first) + more
