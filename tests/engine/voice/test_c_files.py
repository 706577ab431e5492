"""The C engine's own files: read right, applied right, and written back byte for byte."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path

import lz4.block
import numpy as np
import pytest

from engine.errors import VoiceError
from engine.voice import delta
from engine.voice.files import load_voice, save_voice
from engine.voice.inspect import inspect_voice
from engine.voice.layout import scan
from engine.voice.pair import ModelPair
from engine.voice.records import RecordHeader, walk_records
from engine.voice.source import open_source
from engine.voice.tensors import CheckpointTensors, widen

QVOICES = ["random06b_en_v1", "random06b_en_v2", "random06b_en_meta_tpad", "random06b_en_icl_meta_tpad"]


@pytest.mark.parametrize("name", QVOICES)
def test_vector_equals_the_light_file(c_files: Path, name: str) -> None:
    vector = load_voice(c_files / f"{name}.qvoice").x_vector
    assert vector.tobytes() == (c_files / "random06b_en.bin").read_bytes()
    assert vector.tobytes() == load_voice(c_files / "random06b_en.bin").x_vector.tobytes()


def test_plain_file_of_version_3(c_files: Path) -> None:
    voice = load_voice(c_files / "random06b_en_meta_tpad.qvoice")
    assert (voice.name, voice.language, voice.reference_seconds) == ("Chenevert", "english", 30.0)
    assert voice.from_base
    assert voice.codes is None
    assert voice.transcript is None
    assert voice.tier == "light"
    raw = (c_files / "random06b_en_meta_tpad.qvoice").read_bytes()
    stored = np.frombuffer(raw[-12288:], "<f4").reshape(3, 1024)
    assert voice.special_rows is not None
    np.testing.assert_array_equal(voice.special_rows.pad, stored[0])
    np.testing.assert_array_equal(voice.special_rows.bos, stored[1])
    np.testing.assert_array_equal(voice.special_rows.eos, stored[2])


def test_file_with_transcript_and_codes(c_files: Path) -> None:
    path = c_files / "random06b_en_icl_meta_tpad.qvoice"
    voice = load_voice(path)
    assert voice.name == "Chenevert ICL"
    assert voice.transcript == "One dollar and eighty seven cents. That was all."
    assert voice.in_context
    assert voice.codes is not None
    assert voice.codes.shape == (375, 16)
    assert voice.codes.dtype == np.int32
    assert voice.codes.min() >= 1
    assert voice.codes.max() <= 2047
    start = 4108 + 4 + 48 + 4
    np.testing.assert_array_equal(
        voice.codes.ravel(), np.frombuffer(path.read_bytes(), "<i4", count=6000, offset=start)
    )


@pytest.mark.parametrize("name", ["random06b_en_meta_tpad", "random06b_en_icl_meta_tpad"])
def test_our_writer_gives_the_same_bytes(c_files: Path, tmp_path: Path, name: str) -> None:
    voice = load_voice(c_files / f"{name}.qvoice")
    save_voice(voice, tmp_path / "ours.qvoice", "light")
    assert (tmp_path / "ours.qvoice").read_bytes() == (c_files / f"{name}.qvoice").read_bytes()


def test_a_whole_file_written_again(micro_file: Path, tmp_path: Path) -> None:
    save_voice(load_voice(micro_file), tmp_path / "again.qvoice", "wdelta")
    assert (tmp_path / "again.qvoice").read_bytes() == micro_file.read_bytes()


def test_micro_deltas_give_the_expected_tensors(micro_file: Path, micro_custom: Path, c_files: Path) -> None:
    voice = load_voice(micro_file)
    assert voice.tier == "wdelta"
    assert voice.delta is not None
    assert (voice.delta.records, voice.delta.target_width, voice.delta.full) == (72, 16, False)
    weights = delta.apply(voice.delta, delta.tensors_by_name(CheckpointTensors(micro_custom)))
    expected = json.loads((c_files / "micro_expected_sha256.json").read_text(encoding="utf-8"))
    assert {name: hashlib.sha256(array.tobytes()).hexdigest() for name, array in weights.items()} == expected
    assert list(weights) == list(expected)  # and in the C writer's order


def test_micro_special_rows_and_tables_are_those_of_base(micro_file: Path, micro_pair: ModelPair) -> None:
    voice = load_voice(micro_file)
    assert voice.special_rows is not None
    assert voice.tables is not None
    for name in ("pad", "bos", "eos"):
        ours, theirs = getattr(micro_pair.special_rows, name), getattr(voice.special_rows, name)
        np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-6)
        assert np.abs(theirs).max() > 0.01
    for name, table in vars(voice.tables).items():
        np.testing.assert_array_equal(getattr(micro_pair.tables, name), table)
    codec = micro_pair.base_tensors.floats("talker.model.codec_embedding.weight")
    np.testing.assert_array_equal(widen(voice.tables.codec_rows), codec[:2048])


def test_our_deltas_are_theirs(micro_file: Path, micro_pair: ModelPair, tmp_path: Path) -> None:
    """A WDELTA file composed from the pair equals the C engine's in all but how LZ4 packed."""
    voice = replace(load_voice(micro_file), delta=None)
    ours = tmp_path / "ours.qvoice"
    save_voice(voice, ours, "wdelta", micro_pair)
    start = inspect_voice(micro_file).sections[-1].offset
    assert ours.read_bytes()[: start + 12] == micro_file.read_bytes()[: start + 12]
    for mine, theirs in zip(_records(ours), _records(micro_file), strict=True):
        assert (mine[0].name, mine[0].raw_bytes, mine[0].packing) == (
            theirs[0].name,
            theirs[0].raw_bytes,
            theirs[0].packing,
        )
        assert mine[1] == theirs[1]


def _records(path: Path) -> list[tuple[RecordHeader, bytes]]:
    raw = path.read_bytes()
    out = []
    with open_source(path) as source:
        weights = scan(source).weights
        assert weights is not None
        source.seek(weights.first_record)
        for record in walk_records(source, weights.records):
            payload = raw[record.offset : record.offset + record.stored_bytes]
            if record.packing == 4:
                payload = lz4.block.decompress(payload, uncompressed_size=record.raw_bytes)
            out.append((record, payload))
    return out


def test_micro_deltas_refuse_another_model(micro_file: Path, checkpoints: object) -> None:
    other = CheckpointTensors(checkpoints.folder("tiny-custom"))  # type: ignore[attr-defined]
    location = load_voice(micro_file).delta
    assert location is not None
    with pytest.raises(VoiceError, match=r"width 16.*width 64"):
        delta.apply(location, delta.tensors_by_name(other))
