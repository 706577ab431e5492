"""No network anywhere on the way from a folder to speech; folders may be called anything."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from safetensors.torch import load_file, save_file

import engine

_WITHOUT_SOCKETS = """
import socket, sys
def refuse(*_, **__):
    raise AssertionError("a socket was opened")
socket.socket.connect = socket.create_connection = socket.getaddrinfo = refuse
import engine, numpy as np
from pathlib import Path
base, custom, out = map(Path, sys.argv[1:])
clip = engine.clip_from_samples(np.random.default_rng(1).normal(0, 0.1, 72_000).astype(np.float32), engine.SAMPLE_RATE)
voice = engine.load_model(base).clone(clip, "What was said.", "english", "Ann")
engine.save_voice(voice, out, "wdelta", engine.ModelPair(base, custom))
loaded = engine.load_voice(out)
chunks = list(engine.load_model(custom).speak(engine.SpeechRequest("Hello.", voice=loaded, seed=1, max_new_tokens=6)))
assert "huggingface_hub" not in sys.modules
print(sum(len(chunk.samples) for chunk in chunks))
"""


@pytest.mark.parametrize("name", ["models", "Modèles d'été 语音 (2)"])
def test_clone_save_and_speak_with_sockets_blocked(checkpoints, tmp_path: Path, name: str) -> None:
    root = tmp_path / name
    for kind in ("base", "custom"):
        shutil.copytree(checkpoints.folder(f"tiny-{kind}"), root / kind)
    environment = {key: value for key, value in os.environ.items() if not key.startswith("HF_")}
    command = [sys.executable, "-c", _WITHOUT_SOCKETS, root / "base", root / "custom", root / "Ann's voice.qvoice"]
    done = subprocess.run(list(map(str, command)), capture_output=True, text=True, env=environment, timeout=120)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


def changed(source: Path, folder: Path, part: str, name_ends: str) -> Path:
    """A copy of a model with one tensor a row shorter."""
    shutil.copytree(source, folder)
    file = folder / part / "model.safetensors"
    tensors = load_file(file)
    name = next(name for name in sorted(tensors) if name.endswith(name_ends))
    tensors[name] = tensors[name][:-1].contiguous()
    save_file(tensors, file)
    return folder


@pytest.mark.parametrize(
    ("part", "name_ends"),
    [
        ("", "code_predictor.lm_head.3.weight"),
        ("", "codec_head.weight"),
        ("speech_tokenizer", "decoder.pre_conv.conv.weight"),
    ],
)
def test_a_tensor_of_the_wrong_shape_is_named(checkpoints, tmp_path: Path, part: str, name_ends: str) -> None:
    folder = changed(checkpoints.folder("tiny-base"), tmp_path / "model", part, name_ends)
    with pytest.raises(engine.ModelError) as told:
        engine.load_model(folder)
    assert name_ends in str(told.value)
    assert "asks for" in str(told.value)


def test_a_missing_shard_is_named(checkpoints, tmp_path: Path) -> None:
    folder = tmp_path / "model"
    shutil.copytree(checkpoints.folder("tiny-base"), folder)
    (folder / "model.safetensors").rename(folder / "model-00001-of-00002.safetensors")
    index = {"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index), encoding="utf-8")
    with pytest.raises(engine.ModelError, match="model-00002-of-00002"):
        engine.summarize_model(folder)


def test_a_model_of_another_family_is_named(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama", "hidden_size": 4096}), encoding="utf-8")
    with pytest.raises(engine.ModelError, match=r"config\.json is not of a Qwen3-TTS"):
        engine.summarize_model(tmp_path)
