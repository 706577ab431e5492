"""Saving and loading: an equal record comes back, in every tier."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.errors import ModelError, VoiceError
from engine.voice import delta
from engine.voice.files import load_voice, save_voice, voice_file_size
from engine.voice.inspect import inspect_voice
from engine.voice.pair import ModelPair
from engine.voice.voice import Origin, Tier, Voice
from tests.conftest import Checkpoints

NAMES = ["", "Ann", "Zoë", "声" * 40, "🎙️" * 30, "نور", "a" * 200, "line\nbreak", "nul\0inside", "\u0301combining"]


@pytest.fixture
def pair(checkpoints: Checkpoints) -> ModelPair:
    return ModelPair(checkpoints.folder("tiny-base"), checkpoints.folder("tiny-custom"))


def a_voice(width: int = 64, **changes: Any) -> Voice:
    random = np.random.default_rng(3)
    voice = Voice(
        random.standard_normal(width).astype(np.float32),
        name="Zoë",
        language="english",
        transcript="Ein Satz, 一句话.",
        codes=random.integers(0, 2048, (20, 16)).astype(np.int32),
        reference_seconds=12.34,
        sidecar={"tags": ["warm", "暖"], "seconds": 12.341, "licence": {"agreed": True}},
    )
    return replace(voice, **changes)


def assert_equal(found: Voice, wanted: Voice) -> None:
    """Field by field; only where the weights lie differs from file to file."""
    for field in fields(Voice):
        one, other = getattr(found, field.name), getattr(wanted, field.name)
        if field.name == "delta":
            assert (one is None) == (other is None)
        elif field.name in ("special_rows", "tables") and other is not None:
            for name, array in vars(other).items():
                np.testing.assert_array_equal(getattr(one, name), array)
        elif isinstance(other, np.ndarray):
            assert one.dtype == other.dtype
            np.testing.assert_array_equal(one, other)
        elif field.name == "reference_seconds" and other is not None:
            assert np.float32(one) == np.float32(other)
        else:
            assert one == other, field.name


@pytest.mark.parametrize("tier", ["light", "standard", "wdelta"])
@pytest.mark.parametrize("name", NAMES)
def test_every_tier_keeps_every_field(pair: ModelPair, tmp_path: Path, tier: Tier, name: str) -> None:
    path = tmp_path / "voice.qvoice"
    save_voice(a_voice(name=name), path, tier, pair)
    once = load_voice(path)
    assert once.tier == tier
    light = replace(once, special_rows=None, tables=None, delta=None)
    assert_equal(light, a_voice(name=name))
    save_voice(once, tmp_path / "again.qvoice", tier)
    assert_equal(load_voice(tmp_path / "again.qvoice"), once)
    assert (tmp_path / "again.qvoice").read_bytes() == path.read_bytes() or tier != "light"


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=90)


@settings(max_examples=60, deadline=None)
@given(
    name=TEXT,
    language=st.none() | TEXT.map(str.lower).filter(bool),
    transcript=st.none() | TEXT.filter(bool),
    frames=st.integers(0, 5),
    seconds=st.none() | st.floats(0.01, 1e5),
    from_base=st.booleans(),
    sidecar=st.dictionaries(TEXT, st.integers() | TEXT | st.none() | st.lists(st.booleans()), max_size=3),
    suffix=st.sampled_from([".qvoice", ".bin"]),
)
def test_any_voice_comes_back(tmp_path_factory: pytest.TempPathFactory, **drawn: Any) -> None:
    suffix, frames = drawn.pop("suffix"), drawn.pop("frames")
    codes = np.arange(frames * 16, dtype=np.int32).reshape(frames, 16) if frames else None
    voice = a_voice(codes=codes if suffix == ".qvoice" else None, reference_seconds=drawn.pop("seconds"), **drawn)
    path = tmp_path_factory.getbasetemp() / f"any{suffix}"
    save_voice(voice, path)
    found = load_voice(path)
    assert_equal(found, voice)
    save_voice(found, path)
    assert_equal(load_voice(path), found)


def test_a_light_file_is_the_bare_vector(tmp_path: Path) -> None:
    voice = Voice(a_voice().x_vector)
    save_voice(voice, tmp_path / "voice.bin")
    assert (tmp_path / "voice.bin").read_bytes() == voice.x_vector.tobytes()
    assert [path.name for path in tmp_path.iterdir()] == ["voice.bin"]


def test_a_plain_voice_needs_no_sidecar(tmp_path: Path) -> None:
    save_voice(a_voice(sidecar={}), tmp_path / "voice.qvoice")
    assert [path.name for path in tmp_path.iterdir()] == ["voice.qvoice"]


def test_light_from_a_voice_that_has_more(pair: ModelPair, tmp_path: Path) -> None:
    save_voice(a_voice(), tmp_path / "heavy.qvoice", "wdelta", pair)
    heavy = load_voice(tmp_path / "heavy.qvoice")
    for name in ("light.qvoice", "light.bin"):
        save_voice(heavy, tmp_path / name, "light")
        light = load_voice(tmp_path / name)
        assert light.tier == "light"
        np.testing.assert_array_equal(light.x_vector, heavy.x_vector)
    save_voice(heavy, tmp_path / "standard.qvoice", "standard")
    assert load_voice(tmp_path / "standard.qvoice").tier == "standard"


def test_saving_over_the_file_the_weights_are_in(pair: ModelPair, tmp_path: Path) -> None:
    path = tmp_path / "voice.qvoice"
    save_voice(a_voice(), path, "wdelta", pair)
    save_voice(replace(load_voice(path), transcript="Quite another length."), path, "wdelta")
    again = load_voice(path)
    assert again.transcript == "Quite another length."
    assert again.delta is not None
    weights = delta.apply(again.delta, delta.tensors_by_name(pair.custom_voice_tensors))
    name = "talker.model.layers.2.mlp.down_proj.weight"
    np.testing.assert_array_equal(weights[name], pair.base_tensors.bits(name))


@pytest.mark.parametrize("preset", ["tiny", "tiny-mtp"])
def test_wdelta_is_base_bit_for_bit(checkpoints: Checkpoints, tmp_path: Path, preset: str) -> None:
    pair = ModelPair(checkpoints.folder(f"{preset}-base"), checkpoints.folder(f"{preset}-custom"))
    save_voice(a_voice(pair.width), tmp_path / "voice.qvoice", "wdelta", pair)
    location = load_voice(tmp_path / "voice.qvoice").delta
    assert location is not None
    assert location.target_width == pair.width
    weights = delta.apply(location, delta.tensors_by_name(pair.custom_voice_tensors))
    assert tuple(weights) == pair.shape.record_names()
    for name, array in weights.items():
        if array.ndim == 1:
            np.testing.assert_array_equal(array, pair.base_tensors.floats(name))
        else:
            np.testing.assert_array_equal(array, pair.base_tensors.bits(name))


def test_wdelta_remembers_its_models(checkpoints: Checkpoints, pair: ModelPair, tmp_path: Path) -> None:
    save_voice(a_voice(sidecar={}), tmp_path / "voice.qvoice", "wdelta", pair)
    location = load_voice(tmp_path / "voice.qvoice").delta
    assert location is not None
    assert location.base_digest == delta.digest(delta.tensors_by_name(pair.base_tensors))
    with pytest.raises(VoiceError, match="CustomVoice model is not the one"):
        delta.apply(location, delta.tensors_by_name(pair.base_tensors))


@pytest.mark.parametrize("tier", ["light", "standard", "wdelta"])
def test_size_is_told_beforehand(pair: ModelPair, tmp_path: Path, tier: Tier) -> None:
    path = tmp_path / "voice.qvoice"
    save_voice(a_voice(), path, tier, pair)
    told = voice_file_size(a_voice(), tier, pair, ".qvoice")
    assert told == pytest.approx(path.stat().st_size, rel=0.0 if tier != "wdelta" else 0.02)
    assert voice_file_size(load_voice(path), tier, suffix=".qvoice") == path.stat().st_size
    assert voice_file_size(a_voice(), "light") == 4 * 64


def test_what_a_tier_needs(pair: ModelPair, checkpoints: Checkpoints, tmp_path: Path) -> None:
    path = tmp_path / "voice.qvoice"
    with pytest.raises(VoiceError, match="the standard tier needs the Base model"):
        save_voice(a_voice(), path, "standard")
    with pytest.raises(VoiceError, match="the wdelta tier needs the Base"):
        save_voice(a_voice(), path, "wdelta")
    with pytest.raises(VoiceError, match="needs the Base and the CustomVoice"):
        save_voice(a_voice(), path, "wdelta", ModelPair(pair.base))
    with pytest.raises(VoiceError, match=r"the voice is of width 96, tiny-base of width 64"):
        save_voice(a_voice(96), path, "standard", pair)
    with pytest.raises(VoiceError, match=r"must be named"):
        save_voice(a_voice(), tmp_path / "voice.bin", "standard", pair)
    with pytest.raises(ModelError, match="Choose two models of one size"):
        save_voice(a_voice(), path, "wdelta", ModelPair(pair.base, checkpoints.folder("tiny-mtp-custom")))
    assert list(tmp_path.iterdir()) == []


def test_deltas_of_another_base_are_refused(pair: ModelPair, tmp_path: Path) -> None:
    save_voice(a_voice(), tmp_path / "voice.qvoice", "standard", pair)
    voice = load_voice(tmp_path / "voice.qvoice")
    assert voice.tables is not None
    other = replace(voice.tables, fc1_weight=voice.tables.fc1_weight ^ 1)
    with pytest.raises(VoiceError, match="another Base model"):
        save_voice(replace(voice, tables=other), tmp_path / "voice.qvoice", "wdelta", pair)


@pytest.mark.parametrize(
    "changes",
    [
        {"x_vector": np.zeros(64, np.float32)},
        {"x_vector": np.full(64, np.nan, np.float32)},
        {"x_vector": np.ones((2, 32), np.float32)},
        {"codes": np.full((2, 16), 2048, np.int32)},
        {"codes": np.zeros((2, 15), np.int32)},
        {"codes": np.zeros((1501, 16), np.int32)},
        {"transcript": "a" * 65537},
        {"name": "\ud800"},
        {"reference_seconds": float("inf")},
        pytest.param({"sidecar": {"clip": object()}}, id="no JSON"),
        {"sidecar": {"peak": float("nan")}},
    ],
    ids=str,
)
def test_what_we_could_not_read_is_not_written(tmp_path: Path, changes: dict[str, Any]) -> None:
    path = tmp_path / "voice.qvoice"
    save_voice(a_voice(), path)
    before = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(VoiceError, match="saved"):
        save_voice(a_voice(**changes), path)
    assert {file.name: file.read_bytes() for file in tmp_path.iterdir()} == before


def _sidecar(tmp_path: Path, change: Any) -> Voice:
    path = tmp_path / "voice.qvoice"
    save_voice(a_voice(name="n" * 80), path)
    beside = tmp_path / "voice.qvoice.json"
    notes = json.loads(beside.read_text(encoding="utf-8"))
    beside.write_bytes(change(notes) if callable(change) else change)
    return load_voice(path)


@pytest.mark.parametrize(
    "broken",
    [
        b"",
        b"{",
        b"[]",
        b"\xff\xfe",
        b"[" * 100_000,
        b'{"format": "qvoice-sidecar", "version": 9}',
        b'{"a": ' + b"1" * 5000 + b"}",
        b" " * (4 << 20) + b"{}",
        lambda notes: json.dumps(notes | {"name": 7}).encode(),
        lambda notes: json.dumps(notes | {"name": "\ud800"}).encode(),
        lambda notes: json.dumps(notes | {"reference_seconds": float("inf")}).encode(),
        lambda notes: json.dumps(notes | {"reference_seconds": -1}).encode(),
        lambda notes: json.dumps(notes | {"extra": []}).encode(),
        lambda notes: json.dumps(notes | {"models": {"base": 7}}).encode(),
        lambda notes: json.dumps(notes | {"origin": "here"}).encode(),
        lambda notes: json.dumps(notes | {"origin": {"consent": 7}}).encode(),
        lambda notes: json.dumps(notes | {"origin": {"preview_seed": True}}).encode(),
        lambda notes: json.dumps(notes | {"origin": {"licence": "x" * 70_000}}).encode(),
    ],
)
def test_a_broken_sidecar_is_left_aside(tmp_path: Path, broken: Any) -> None:
    voice = _sidecar(tmp_path, broken)
    assert voice.name == "n" * 63
    assert voice.sidecar == {}
    assert "cannot be read" in voice.warnings[-1]


ORIGIN = Origin("c0ffee", "ba5e", "0.1.0", 7, "Zoë, to read this book aloud", "CC BY 4.0")


@pytest.mark.parametrize("name", ["voice.qvoice", "voice.bin"])
def test_where_it_comes_from_is_kept_beside_it(tmp_path: Path, name: str) -> None:
    save_voice(a_voice(origin=ORIGIN, sidecar={}), tmp_path / name)
    assert load_voice(tmp_path / name).origin == ORIGIN
    assert inspect_voice(tmp_path / name).origin == ORIGIN
    notes = json.loads((tmp_path / f"{name}.json").read_text(encoding="utf-8"))
    notes["origin"]["of a later version"] = [1]
    (tmp_path / f"{name}.json").write_text(json.dumps(notes), encoding="utf-8")
    assert load_voice(tmp_path / name).origin == ORIGIN
    (tmp_path / f"{name}.json").unlink()
    alone = load_voice(tmp_path / name)
    assert alone.origin == Origin()
    assert alone.warnings == ()
    assert np.array_equal(alone.x_vector, a_voice().x_vector)


def test_a_sidecar_of_another_voice_is_left_aside(tmp_path: Path) -> None:
    save_voice(a_voice(name="n" * 80), tmp_path / "voice.qvoice")
    other = a_voice(x_vector=np.ones(64, np.float32), sidecar={}, name="")
    save_voice(other, tmp_path / "other.qvoice")
    (tmp_path / "other.qvoice").replace(tmp_path / "voice.qvoice")
    voice = load_voice(tmp_path / "voice.qvoice")
    assert voice.name == ""
    assert "another voice" in voice.warnings[-1]


def test_a_sidecar_left_from_before_goes(tmp_path: Path) -> None:
    path = tmp_path / "voice.qvoice"
    save_voice(a_voice(name="n" * 80), path)
    save_voice(a_voice(sidecar={}), path)
    assert [file.name for file in tmp_path.iterdir()] == ["voice.qvoice"]


def test_the_voice_file_wins_over_the_sidecar(tmp_path: Path) -> None:
    changes = {"name": "Other", "language": "german", "from_base": False, "reference_seconds": 3.0}
    voice = _sidecar(tmp_path, lambda notes: json.dumps(notes | changes).encode())
    assert (voice.name, voice.language, voice.from_base) == ("n" * 63, "english", True)
    assert voice.reference_seconds == 12.34
