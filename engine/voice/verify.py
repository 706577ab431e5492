"""Checking all that a voice file claims: without models what can be read of it, with them every weight."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import VoiceError
from engine.model.precisions import PACKED
from engine.progress import Cancel, Report, no_report
from engine.voice.delta import digest, record_names_fault, tensors_by_name, unpack_all
from engine.voice.delta_writer import different_tensors
from engine.voice.format import MAGIC, sized
from engine.voice.inspect import inspect_voice
from engine.voice.light import read_light
from engine.voice.qvoice import read_qvoice
from engine.voice.records import walk_records
from engine.voice.sidecar import merge_sidecar, sidecar_path
from engine.voice.source import open_source, refusal

if TYPE_CHECKING:
    from engine.voice.pair import ModelPair
    from engine.voice.voice import DeltaLocation, FloatArray, Voice

PRECISIONS = ("fp32", "bf16", *PACKED)  # of the proof by speech, on the CPU

_ROW_TOLERANCE = 1e-5  # of the largest value: the C engine computes TPAD in float32, we in float64


@dataclass(frozen=True)
class Check:
    """One thing looked at, how it went, and what was seen."""

    what: str
    passed: bool
    detail: str


def verify_file(path: str | Path, cancel: Cancel | None = None, report: Report = no_report) -> tuple[Check, ...]:
    """All that can be checked of the voice file at `path` without a model; ends early where it cannot be read.

    Raises `Cancelled`, and nothing for a broken file: that is what the checks say.
    """
    path = Path(path)
    try:
        plain, voice = _read(path)
        found = inspect_voice(path)
    except VoiceError as error:
        return (Check("file", False, _reason(path, error)),)
    version = "a bare vector" if found.version is None else f"version {found.version}"
    read = f"{version}, {len(found.sections)} sections, {found.file_size:,} bytes"
    checks = [Check("file", True, " ".join((f"{read}.", *plain.warnings))), _notes(path, plain, voice)]
    if found.frames:
        whole = plain.codes is not None
        checks.append(Check("codes", whole, f"{found.frames} frames{'' if whole else ', which cannot be used'}"))
    location = voice.delta
    if location:
        checks.append(_tried("records", path, lambda: _records(path, location, cancel, report)))
    return tuple(checks)


def verify_models(
    path: str | Path, pair: ModelPair, cancel: Cancel | None = None, report: Report = no_report
) -> tuple[Check, ...]:
    """What the file holds of its models, compared with them: rows, tables, fingerprints, every weight.

    Raises `VoiceError` for a file that cannot be read or is of another size, `ModelError` for a pair that does not
    match, `Cancelled`.
    """
    path = Path(path)
    _, voice = _read(path)
    if voice.width != pair.width:
        sizes = f"the voice is of {sized(voice.width)}, {pair.base.name} of {sized(pair.width)}"
        raise refusal(path, f"{sizes}. Choose the models of the voice's size.")
    location = voice.delta
    checks = []
    if voice.special_rows:
        off = max(_distance(row, getattr(pair.special_rows, name)) for name, row in vars(voice.special_rows).items())
        checks.append(Check("special rows", off <= _ROW_TOLERANCE, f"off by at most {off:.1e} of {pair.base.name}'s"))
    if voice.tables:
        wrong = [name for name, one in vars(voice.tables).items() if not _same(one, getattr(pair.tables, name))]
        checks.append(Check("tables", not wrong, _compared(len(vars(voice.tables)), wrong, pair.base)))
    if location:
        _ = pair.custom_voice_tensors  # two models that do not match are no fault of the file
        checks.append(_fingerprints(location, pair))
        checks.append(_tried("weights", path, lambda: _weights(path, location, pair, cancel, report)))
    return tuple(checks)


class _DifferenceError(VoiceError):
    """What was compared is not equal."""


def _read(path: Path) -> tuple[Voice, Voice]:
    """The voice as the file alone has it, and with what its sidecar adds."""
    with open_source(path) as source:
        bare = source.peek(len(MAGIC)) != MAGIC
        voice = read_light(source) if bare else read_qvoice(source)
    return voice, merge_sidecar(voice, path, bare)


def _tried(what: str, path: Path, attempt: Callable[[], str]) -> Check:
    try:
        return Check(what, True, attempt())
    except VoiceError as error:
        return Check(what, False, _reason(path, error))


def _reason(path: Path, error: VoiceError) -> str:
    return str(error).removeprefix(f"{path}: ")


def _notes(path: Path, plain: Voice, voice: Voice) -> Check:
    said = voice.warnings[len(plain.warnings) :]
    if said:
        return Check("notes", False, " ".join(said))
    there = sidecar_path(path).is_file()
    return Check("notes", True, f"{sidecar_path(path).name} is of this voice" if there else "none beside the file")


def _records(path: Path, location: DeltaLocation, cancel: Cancel | None, report: Report) -> str:
    with open_source(path) as source:
        source.seek(location.offset)
        records = list(walk_records(source, location.records))
        fault = record_names_fault(records)
        if fault:
            raise _DifferenceError(f"its weights are not those of a whole model: {fault}.")
        unpack_all(source, records, cancel, report)
    size = sum(record.raw_bytes for record in records)
    return f"{len(records)} tensors of a whole model, each unpacks to its size, {size:,} bytes"


def _fingerprints(location: DeltaLocation, pair: ModelPair) -> Check:
    known = {
        pair.base: (location.base_digest, pair.base_tensors),
        pair.custom_voice: (location.custom_voice_digest, pair.custom_voice_tensors),
    }
    said = {folder: (wanted, tensors) for folder, (wanted, tensors) in known.items() if wanted and folder}
    wrong = [folder.name for folder, (wanted, model) in said.items() if digest(tensors_by_name(model)) != wanted]
    if wrong:
        return Check("fingerprints", False, f"{', '.join(wrong)} is not the model the voice was saved with")
    return Check("fingerprints", True, f"{len(said)} known, all match" if said else "none beside the file")


def _weights(path: Path, location: DeltaLocation, pair: ModelPair, cancel: Cancel | None, report: Report) -> str:
    with open_source(path) as source:
        wrong = list(different_tensors(source, location, pair, cancel, report))
    said = _compared(location.records, wrong, pair.base)
    if wrong:
        raise _DifferenceError(said)
    return said


def _compared(count: int, wrong: list[str], base: Path) -> str:
    if not wrong:
        return f"all {count} equal {base.name}'s bit for bit"
    more = f" and {len(wrong) - 3} more" if len(wrong) > 3 else ""
    return f"{len(wrong)} of {count} differ from {base.name}'s: {', '.join(wrong[:3])}{more}"


def _same(one: np.ndarray, other: np.ndarray) -> bool:
    return one.shape == other.shape and one.tobytes() == other.tobytes()


def _distance(one: FloatArray, other: FloatArray) -> float:
    return float(np.abs(one - other).max() / np.abs(other).max())
