"""What is computed from the models, against the tensors as torch reads them."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from engine.errors import ModelError
from engine.voice.pair import ModelPair
from engine.voice.tensors import CheckpointTensors
from tests.conftest import Checkpoints

BASES = ["tiny-base", "tiny-mtp-base"]


def _copy(checkpoints: Checkpoints, name: str, folder: Path) -> Path:
    folder.mkdir()
    for file in ("config.json", "model.safetensors"):
        shutil.copy(checkpoints.folder(name) / file, folder / file)
    return folder


@pytest.mark.parametrize("name", BASES)
def test_special_rows(checkpoints: Checkpoints, name: str) -> None:
    folder = checkpoints.folder(name)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    weights = {key: value.float() for key, value in load_file(folder / "model.safetensors").items()}
    rows = ModelPair(folder).special_rows
    prefix = "talker.text_projection.linear_fc"
    for part in ("pad", "bos", "eos"):
        row = weights["talker.model.text_embedding.weight"][config[f"tts_{part}_token_id"]]
        hidden = torch.nn.functional.linear(row, weights[f"{prefix}1.weight"], weights[f"{prefix}1.bias"])
        hidden = torch.nn.functional.silu(hidden)
        wanted = torch.nn.functional.linear(hidden, weights[f"{prefix}2.weight"], weights[f"{prefix}2.bias"])
        torch.testing.assert_close(torch.from_numpy(getattr(rows, part)), wanted, rtol=1e-5, atol=1e-6)
        assert wanted.abs().max() > 0.1


@pytest.mark.parametrize("name", BASES)
def test_source_tables(checkpoints: Checkpoints, name: str) -> None:
    folder = checkpoints.folder(name)
    weights = load_file(folder / "model.safetensors")
    tables = ModelPair(folder).tables

    def bits(key: str) -> np.ndarray:
        return weights[key].view(torch.int16).numpy().view(np.uint16)

    prefix = "talker.text_projection.linear_fc"
    np.testing.assert_array_equal(tables.fc1_weight, bits(f"{prefix}1.weight"))
    np.testing.assert_array_equal(tables.fc2_weight, bits(f"{prefix}2.weight"))
    np.testing.assert_array_equal(tables.fc1_bias, weights[f"{prefix}1.bias"].float().numpy())
    np.testing.assert_array_equal(tables.fc2_bias, weights[f"{prefix}2.bias"].float().numpy())
    np.testing.assert_array_equal(tables.codec_rows, bits("talker.model.codec_embedding.weight")[:128])


def test_sharded_checkpoint(checkpoints: Checkpoints, tmp_path: Path) -> None:
    folder = _copy(checkpoints, "tiny-base", tmp_path / "sharded")
    weights = load_file(folder / "model.safetensors")
    halves = {"a.safetensors": sorted(weights)[::2], "b.safetensors": sorted(weights)[1::2]}
    for file, names in halves.items():
        save_file({name: weights[name] for name in names}, folder / file)
    index = {"weight_map": {name: file for file, names in halves.items() for name in names}}
    (folder / "model.safetensors").unlink()
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    whole = ModelPair(checkpoints.folder("tiny-base")).tables
    for name, array in vars(ModelPair(folder).tables).items():
        np.testing.assert_array_equal(array, getattr(whole, name))


def test_a_pair_is_two_models_of_one_size(checkpoints: Checkpoints) -> None:
    base, custom = checkpoints.folder("tiny-base"), checkpoints.folder("tiny-custom")
    assert "talker.codec_head.weight" in ModelPair(base, custom).custom_voice_tensors
    with pytest.raises(ModelError, match=r"tiny-mtp-custom is of width 96, tiny-base of width 64"):
        _ = ModelPair(base, checkpoints.folder("tiny-mtp-custom")).custom_voice_tensors
    with pytest.raises(ModelError, match="this is a base model; the CustomVoice"):
        _ = ModelPair(base, base).custom_voice_tensors
    with pytest.raises(ModelError, match="this is a custom_voice model; the Base"):
        _ = ModelPair(custom, custom).custom_voice_tensors
    with pytest.raises(ModelError, match="Choose its folder"):
        _ = ModelPair(base).custom_voice_tensors


def test_a_pair_of_other_depth(checkpoints: Checkpoints, tmp_path: Path) -> None:
    custom = _copy(checkpoints, "tiny-custom", tmp_path / "deep")
    config = json.loads((custom / "config.json").read_text(encoding="utf-8"))
    config["talker_config"]["num_hidden_layers"] = 4
    (custom / "config.json").write_text(json.dumps(config), encoding="utf-8")
    with pytest.raises(ModelError, match=r"differ in layers"):
        _ = ModelPair(checkpoints.folder("tiny-base"), custom).custom_voice_tensors


def test_a_tensor_missing_or_of_another_shape(checkpoints: Checkpoints, tmp_path: Path) -> None:
    custom = _copy(checkpoints, "tiny-custom", tmp_path / "custom")
    weights = load_file(custom / "model.safetensors")
    name = "talker.model.layers.1.mlp.up_proj.weight"
    short = weights | {name: weights[name][:-1].contiguous()}
    save_file(short, custom / "model.safetensors")
    base = checkpoints.folder("tiny-base")
    with pytest.raises(ModelError, match=r"up_proj.weight has the shape \(95, 64\)"):
        _ = ModelPair(base, custom).custom_voice_tensors
    del short[name]
    save_file(short, custom / "model.safetensors")
    with pytest.raises(ModelError, match=r"up_proj.weight are missing"):
        _ = ModelPair(base, custom).custom_voice_tensors


def test_weights_of_another_kind(checkpoints: Checkpoints, tmp_path: Path) -> None:
    base = _copy(checkpoints, "tiny-base", tmp_path / "base")
    weights = {name: value.half() for name, value in load_file(base / "model.safetensors").items()}
    save_file(weights, base / "model.safetensors")
    with pytest.raises(ModelError, match="F16, bf16 is needed"):
        _ = ModelPair(base).tables


@pytest.mark.parametrize(
    "entry",
    [
        {"dtype": "BF16", "shape": [4], "data_offsets": [0, 9]},
        {"dtype": "BF16", "shape": [4], "data_offsets": [0, 1 << 60]},
        {"dtype": "BF16", "shape": [-4], "data_offsets": [0, 8]},
        {"dtype": "BF16", "shape": [4], "data_offsets": [8, 0]},
        {"dtype": "BF16", "shape": "4", "data_offsets": [0]},
        {"dtype": "BF16"},
        7,
    ],
)
def test_a_weight_file_that_lies(tmp_path: Path, entry: object) -> None:
    header = json.dumps({"tensor": entry}).encode()
    (tmp_path / "model.safetensors").write_bytes(struct.pack("<Q", len(header)) + header + bytes(8))
    with pytest.raises(ModelError, match="cut short or damaged"):
        CheckpointTensors(tmp_path)


@pytest.mark.parametrize("data", [b"", b"1234567", struct.pack("<Q", 1 << 62) + b"{}", struct.pack("<Q", 2) + b"[]"])
def test_a_weight_file_that_is_none(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "model.safetensors").write_bytes(data)
    with pytest.raises(ModelError, match="cut short or damaged"):
        CheckpointTensors(tmp_path)


def test_folders_that_are_no_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"has no config\.json"):
        _ = ModelPair(tmp_path).shape
    (tmp_path / "config.json").write_text("{", encoding="utf-8")
    with pytest.raises(ModelError, match="not valid JSON"):
        _ = ModelPair(tmp_path).shape
    (tmp_path / "config.json").write_text('{"talker_config": {}}', encoding="utf-8")
    with pytest.raises(ModelError, match="missing required field"):
        _ = ModelPair(tmp_path).shape
    index = {"weight_map": {"a": "../elsewhere.safetensors"}}
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(ModelError, match="outside its folder"):
        CheckpointTensors(tmp_path)
