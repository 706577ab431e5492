"""The weights that WDELTA voices bring: kept by what they are, bounded, taken from Base where it is at hand."""

from __future__ import annotations

import hashlib
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.torch import load_file, save_file

import engine
from engine.model import rebuilt
from engine.model.checkpoint import bases_beside
from engine.model.rebuilt import speaker_bytes
from engine.places import packed_cache
from engine.voice import sameness
from engine.voice.sameness import rebuilds
from engine.voice.tensors import CheckpointTensors
from engine.voice.voice import DeltaLocation
from tests.conftest import Checkpoints
from tests.engine.voice.test_files import a_voice

CHANGED = "talker.model.layers.1.mlp.down_proj.weight"  # no digest covers it


@pytest.fixture(scope="module")
def bases(checkpoints: Checkpoints, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """tiny-base and two that differ from it in one matrix."""
    folders = [checkpoints.folder("tiny-base")]
    for number in (1, 2):
        folder = tmp_path_factory.mktemp("bases") / f"base-{number}"
        shutil.copytree(folders[0], folder)
        tensors = load_file(folder / "model.safetensors")
        tensors[CHANGED] = tensors[CHANGED] * (1 + number)
        save_file(tensors, folder / "model.safetensors")
        folders.append(folder)
    return folders


@pytest.fixture(scope="module")
def files(bases: list[Path], checkpoints: Checkpoints, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A WDELTA voice of each Base, the first one twice (another voice)."""
    folder = tmp_path_factory.mktemp("voices")
    voice = a_voice()
    assert voice.codes is not None
    voice = replace(voice, codes=np.remainder(voice.codes, 32))
    voices = [voice, voice, voice, replace(voice, x_vector=-voice.x_vector, codes=None)]
    paths = []
    for number, (base, voice) in enumerate(zip([*bases, bases[0]], voices, strict=True)):
        paths.append(folder / f"{number}.qvoice")
        engine.save_voice(voice, paths[-1], "wdelta", engine.ModelPair(base, checkpoints.folder("tiny-custom")))
    return paths


@pytest.fixture
def custom(checkpoints: Checkpoints) -> engine.Model:
    return engine.load_model(checkpoints.folder("tiny-custom"))


def _location(path: Path) -> DeltaLocation:
    location = engine.load_voice(path).delta
    assert location is not None
    return location


def _weights_digest(model: engine.Model) -> str:
    hasher = hashlib.sha256()
    for part in (model.speaker.talker, model.speaker.predictor):
        for parameter in part.parameters():
            hasher.update(parameter.numpy().tobytes())
    return hasher.hexdigest()


def _refuse(*_: object) -> None:
    raise AssertionError("unpacked")


def test_going_back_to_a_voice_unpacks_nothing(
    custom: engine.Model, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    before, own = _weights_digest(custom), custom.speaker
    made = []
    for file in files[:3]:
        custom.prepare(engine.load_voice(file))
        made.append(custom.rebuilt.of(_location(file)))
    assert len({id(speaker) for speaker in made}) == 3
    monkeypatch.setattr(rebuilt, "rebuilding", _refuse)
    for file, speaker in zip(files[:3], made, strict=True):
        request = engine.SpeechRequest("Hello.", voice=engine.load_voice(file), max_new_tokens=3, seed=1)
        assert custom.plan(request).speaker is speaker
        assert list(custom.speak(request))
    assert custom.rebuilt.of(_location(files[3])) is made[0]  # another voice, the same weights
    assert custom.speaker is own
    assert _weights_digest(custom) == before


def test_the_least_recently_used_go_first(
    custom: engine.Model, files: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = custom.rebuilt.of(_location(files[0]))
    assert custom.rebuilt.kept_bytes == speaker_bytes(first) > 0
    custom.rebuilt.limit_bytes = 2 * speaker_bytes(first)
    second = custom.rebuilt.of(_location(files[1]))
    assert custom.rebuilt.of(_location(files[0])) is first  # now the second is the oldest
    custom.rebuilt.of(_location(files[2]))
    assert custom.rebuilt.kept_bytes <= custom.rebuilt.limit_bytes
    assert custom.rebuilt.of(_location(files[0])) is first
    assert custom.rebuilt.of(_location(files[1])) is not second
    custom.rebuilt.limit_bytes = 1
    last = custom.rebuilt.of(_location(files[0]))
    monkeypatch.setattr(rebuilt, "rebuilding", _refuse)
    assert custom.rebuilt.of(_location(files[0])) is last  # the one in use stays


def test_base_at_hand_is_used_instead_of_unpacking(
    custom: engine.Model, bases: list[Path], files: list[Path], model: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    voice = engine.load_voice(files[0])
    request = engine.SpeechRequest("Hello.", voice=voice, language="english", max_new_tokens=6, seed=1)
    unpacked = np.concatenate([chunk.samples for chunk in custom.speak(request)])
    monkeypatch.setattr(rebuilt, "rebuilding", _refuse)
    other = engine.load_model(custom.summary.folder, bases=(bases[2], Path("/nowhere"), bases[0]))
    assert np.array_equal(np.concatenate([chunk.samples for chunk in other.speak(request)]), unpacked)
    direct = replace(request, voice=replace(voice, special_rows=None, tables=None, delta=None))
    base = model("tiny-base")
    assert np.array_equal(np.concatenate([chunk.samples for chunk in base.speak(direct)]), unpacked)
    alone = engine.load_model(custom.summary.folder, bases=(bases[2],))
    with pytest.raises(AssertionError, match="unpacked"):
        alone.prepare(voice)


def test_base_is_told_by_every_tensor(bases: list[Path], files: list[Path], checkpoints: Checkpoints) -> None:
    custom = CheckpointTensors(checkpoints.folder("tiny-custom"))
    for wanted, file in enumerate(files[:3]):
        location = _location(file)
        alone = replace(location, base_digest=None, custom_voice_digest=None)  # the file without its notes
        for number, folder in enumerate(bases):
            assert rebuilds(location, custom, CheckpointTensors(folder)) == (number == wanted)
            assert rebuilds(alone, custom, CheckpointTensors(folder)) == (number == wanted)
    lying = replace(_location(files[0]), base_digest="0" * 64)
    assert not rebuilds(lying, custom, CheckpointTensors(bases[0]))


@pytest.mark.parametrize("packing", ["lz4", "zlib", "raw"])
@pytest.mark.parametrize("kind", ["random", "zeros", "periods", "text"])
def test_the_first_bytes_of_a_block(packing: str, kind: str) -> None:
    import zlib

    import lz4.block

    random = np.random.default_rng(1)
    data = {
        "random": random.bytes(5000),
        "zeros": bytes(500_000),
        "periods": random.bytes(7) * 700,
        "text": b"".join(random.choice([b"one ", b"two ", b"three "], 900)),
    }[kind]
    packed = {"lz4": lz4.block.compress(data, store_size=False), "zlib": zlib.compress(data), "raw": data}[packing]
    flag = {"lz4": 4, "zlib": 3, "raw": 0}[packing]
    for count in (1, 17, 256):
        assert sameness._first_bytes(flag, packed[:512], count) == data[:count]
    for damaged in (b"", b"\xff" * 40, b"\x00\x09\x09", b"\x1fa\x00\x00", packed[:3]):
        assert len(sameness._first_bytes(flag, damaged, 256)) <= 256


def test_cancelling_leaves_nothing_kept(custom: engine.Model, files: list[Path]) -> None:
    cancel = engine.Cancel()
    told: list[engine.Progress] = []

    def stop(progress: engine.Progress) -> None:
        told.append(progress)
        cancel.cancel()

    with pytest.raises(engine.Cancelled):
        custom.prepare(engine.load_voice(files[0]), cancel, stop)
    assert told[0].unit == "bytes"
    assert custom.rebuilt.kept_bytes == 0


def test_a_file_that_vanished_is_said_in_one_line(custom: engine.Model, files: list[Path], tmp_path: Path) -> None:
    moved = tmp_path / "moved.qvoice"
    shutil.copy(files[0], moved)
    voice = engine.load_voice(moved)
    moved.unlink()
    with pytest.raises(engine.VoiceError, match="no such file"):
        custom.prepare(voice)


def test_base_models_beside_a_model(bases: list[Path], tmp_path: Path, checkpoints: Checkpoints) -> None:
    assert bases_beside(tmp_path) == ()
    for name, source in (("a", bases[0]), ("b", checkpoints.folder("tiny-custom")), ("c", bases[0])):
        (tmp_path / name).mkdir()
        shutil.copy(source / "config.json", tmp_path / name)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "config.json").write_text("{}", encoding="utf-8")
    assert bases_beside(tmp_path / "b") == (tmp_path / "a", tmp_path / "c")
    assert bases_beside(tmp_path / "a") == (tmp_path / "c",)


def test_packed_weights_of_base_are_kept_and_rebuilt_ones_are_not(
    bases: list[Path], files: list[Path], checkpoints: Checkpoints
) -> None:
    folder, voice = checkpoints.folder("tiny-custom"), engine.load_voice(files[0])
    custom = engine.load_model(folder, "cpu", "int8")
    kept = set(packed_cache().iterdir())
    custom.prepare(voice)
    assert set(packed_cache().iterdir()) == kept
    request = engine.SpeechRequest("Hello.", voice=voice, language="english", max_new_tokens=6, seed=1)
    rebuilt_codes = np.concatenate([chunk.codes for chunk in custom.speak(request)])
    for _ in range(2):
        beside = engine.load_model(folder, "cpu", "int8", bases=bases[:1])
        assert np.array_equal(np.concatenate([chunk.codes for chunk in beside.speak(request)]), rebuilt_codes)
        assert len(set(packed_cache().iterdir()) - kept) == 1
