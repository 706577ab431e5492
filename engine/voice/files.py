"""Loading and saving voices: the three tiers, whole or not at all."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np

from engine.errors import VoiceError, WriteError
from engine.files import atomic_write
from engine.progress import Cancel, Report, no_report
from engine.voice.delta import digest, tensors_by_name
from engine.voice.delta_cache import expected_delta_bytes, forget_delta, keep_delta, write_cached_delta
from engine.voice.delta_writer import copied_delta_bytes, copy_delta, verify_delta
from engine.voice.format import LANGUAGE_IDS, MAGIC, sized
from engine.voice.light import read_light, write_light
from engine.voice.meta import pack_meta, unpack_meta
from engine.voice.qvoice import read_qvoice
from engine.voice.sidecar import compose_sidecar, merge_sidecar, write_sidecar
from engine.voice.source import Source, open_source, refusal
from engine.voice.writer import (
    head_bytes,
    require_writable,
    special_rows_bytes,
    tables_section_bytes,
    write_head,
    write_special_rows,
    write_tables,
)

if TYPE_CHECKING:
    from engine.voice.pair import ModelPair
    from engine.voice.voice import SourceTables, Tier, Voice

QVOICE_SUFFIX = ".qvoice"


def load_voice(path: str | Path) -> Voice:
    """The voice in a `.bin` or `.qvoice` file, told by content; weights stay there. Raises `VoiceError`.

    Needs neither a model nor torch. A sidecar beside the file completes the voice.
    """
    path = Path(path)
    with open_source(path) as source:
        bare = source.peek(len(MAGIC)) != MAGIC
        voice = read_light(source) if bare else read_qvoice(source)
    return merge_sidecar(voice, path, bare)


def save_voice(
    voice: Voice,
    path: str | Path,
    tier: Tier = "light",
    pair: ModelPair | None = None,
    cancel: Cancel | None = None,
    report: Report = no_report,
) -> None:
    """Write `voice` to `path`, read it back, compare, and only then let it take the name.

    "light" is the bare vector, or, under a name ending in .qvoice, the vector with name, language, transcript
    and codes. "standard" and "wdelta" need a .qvoice name (the C engine tells by it) and, in `pair`, what the
    voice does not carry itself: the Base model, and for "wdelta" the CustomVoice model too.

    Raises `VoiceError`, `ModelError`, `WriteError` or `Cancelled`; what was at `path` then stays as it was.
    """
    path = Path(path)
    plan = _plan(voice, path, tier, pair)
    with atomic_write(path, plan.size_bytes()) as file:
        plan.write(file, cancel, report)
        file.flush()
        stored = _read_back(file, path, plan, cancel, report)
        if plan.pair and stored.delta:
            keep_delta(file, stored.delta, plan.pair, cancel)
    saved = replace(plan.voice, delta=_with_digests(plan, stored))
    write_sidecar(path, compose_sidecar(saved, stored, path))


def voice_file_size(voice: Voice, tier: Tier, pair: ModelPair | None = None, suffix: str = "") -> int:
    """Bytes that `save_voice` will write under a name with `suffix`.

    Exact for "light" and "standard" and for a "wdelta" that the voice carries already; for a new "wdelta" an
    estimate from packed samples of the weights. Without `suffix` it is the tier's usual one.
    """
    suffix = suffix or (".bin" if tier == "light" else QVOICE_SUFFIX)
    return _plan(voice, Path(f"voice{suffix}"), tier, pair).size_bytes()


@dataclass(frozen=True, eq=False)
class _Plan:
    """What a file will hold. `voice` carries just that; `pair` is set if its difference is to be written."""

    voice: Voice
    bare: bool
    language_ids: dict[str, int]
    pair: ModelPair | None

    def size_bytes(self) -> int:
        voice = self.voice
        if self.bare:
            return 4 * voice.width
        size = head_bytes(voice)
        if voice.special_rows:
            size += special_rows_bytes(voice.width)
        if voice.tables:
            size += tables_section_bytes(voice.tables)
        if voice.delta:
            size += copied_delta_bytes(voice.delta)
        return size + (expected_delta_bytes(self.pair) if self.pair else 0)

    def write(self, file: IO[bytes], cancel: Cancel | None, report: Report) -> None:
        voice = self.voice
        if self.bare:
            write_light(file, voice)
            return
        write_head(file, voice, self.language_ids)
        if voice.special_rows:
            write_special_rows(file, voice.special_rows)
        if voice.tables:
            write_tables(file, voice.tables)
        if voice.delta:
            copy_delta(file, voice.delta, voice.width, cancel)
        elif self.pair:
            write_cached_delta(file, self.pair, cancel, report)


def _plan(voice: Voice, path: Path, tier: Tier, pair: ModelPair | None) -> _Plan:
    require_writable(voice, path)
    qvoice = path.suffix == QVOICE_SUFFIX
    if tier == "light":
        rows = None if voice.tables else voice.special_rows  # rows that came alone go on, as they did
        kept = replace(voice, special_rows=rows, tables=None, delta=None)
        return _Plan(kept if qvoice else replace(kept, codes=None), not qvoice, LANGUAGE_IDS, None)
    if not qvoice:
        raise refusal(path, f'a {tier} voice file must be named "….qvoice". Choose such a name.')
    if pair and pair.width != voice.width:
        sizes = f"the voice is of {sized(voice.width)}, {pair.base.name} of {sized(pair.width)}"
        raise refusal(path, f"{sizes}. Choose the model of the voice's size.")
    kept = _with_tables(voice, path, tier, pair)
    ids = pair.shape.language_ids if pair else LANGUAGE_IDS
    if tier == "standard" or kept.delta:
        return _Plan(kept if tier == "wdelta" else replace(kept, delta=None), False, ids, None)
    if pair is None or pair.custom_voice is None:
        raise refusal(path, "the wdelta tier needs the Base and the CustomVoice model of this size. Choose both.")
    _require_same_source(kept, pair, path)
    _ = pair.custom_voice_tensors  # a pair that does not match is refused before anything is written
    return _Plan(kept, False, ids, pair)


def _with_tables(voice: Voice, path: Path, tier: Tier, pair: ModelPair | None) -> Voice:
    if voice.special_rows and voice.tables:
        return voice
    if pair is None:
        raise refusal(path, f"the {tier} tier needs the Base model the voice was made with. Choose its folder.")
    return replace(voice, special_rows=voice.special_rows or pair.special_rows, tables=voice.tables or pair.tables)


def _require_same_source(voice: Voice, pair: ModelPair, path: Path) -> None:
    if voice.tables and not _same_tables(voice.tables, pair.tables):
        raise refusal(path, f"the voice was made with another Base model than {pair.base.name}. Choose that one.")


def _read_back(file: IO[bytes], path: Path, plan: _Plan, cancel: Cancel | None, report: Report) -> Voice:
    """Parse what now stands under the temporary name; raise `WriteError` where it is not what was meant."""
    end = file.tell()
    with os.fdopen(os.dup(file.fileno()), "rb") as reading:  # mkstemp opens for reading too
        source = Source(reading, path)
        try:
            stored = read_light(source) if plan.bare else read_qvoice(source)
            if plan.pair and stored.delta:
                verify_delta(source, stored.delta, plan.pair, cancel, report)
        except VoiceError as error:
            raise WriteError(f"{path}: what was written does not read back ({error}). Try another disk.") from error
        except WriteError:
            if plan.pair:
                forget_delta(plan.pair)  # it may have come from there
            raise
    file.seek(end)
    different = _differences(plan, stored)
    if different:
        raise WriteError(f"{path}: {', '.join(different)} did not come back as written. Try another disk.")
    return stored


def _differences(plan: _Plan, stored: Voice) -> list[str]:
    voice = plan.voice
    same = {"the voice vector": _same(voice.x_vector, stored.x_vector)}
    if not plan.bare:
        meta = unpack_meta(pack_meta(voice, plan.language_ids)[4:])
        same["the transcript"] = (voice.transcript or None) == stored.transcript
        same["the codes"] = _same(_some(voice.codes), stored.codes)
        same["the name"] = meta.name == stored.name
        same["the language"] = meta.language == stored.language
        same["the reference length"] = meta.reference_seconds == stored.reference_seconds
        same["the source"] = voice.from_base == stored.from_base
        same["the special rows"] = _same_parts(voice.special_rows, stored.special_rows)
        same["the tables"] = _same_parts(voice.tables, stored.tables)
        same["the weights"] = (plan.pair is not None or voice.delta is not None) == (stored.delta is not None)
    return [what for what, equal in same.items() if not equal]


def _with_digests(plan: _Plan, stored: Voice) -> Any:
    if plan.pair is None or stored.delta is None:
        return plan.voice.delta
    return replace(
        stored.delta,
        base_digest=digest(tensors_by_name(plan.pair.base_tensors)),
        custom_voice_digest=digest(tensors_by_name(plan.pair.custom_voice_tensors)),
    )


def _some(array: Any) -> Any:
    return None if array is None or len(array) == 0 else array


def _same(one: Any, other: Any) -> bool:
    return (one is None) == (other is None) and (one is None or np.array_equal(one, other))


def _same_parts(one: object, other: object) -> bool:
    if one is None or other is None:
        return one is other
    return all(_same(value, getattr(other, name)) for name, value in vars(one).items())


def _same_tables(one: SourceTables, other: SourceTables) -> bool:
    return _same_parts(one, other)
