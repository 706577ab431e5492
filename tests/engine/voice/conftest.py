"""The C engine's files and the micro pair they came from."""

from __future__ import annotations

import json
import lzma
from pathlib import Path

import pytest

from engine.voice import delta
from engine.voice.files import load_voice
from engine.voice.pair import ModelPair
from engine.voice.tensors import CheckpointTensors
from tests.engine.voice.build import write_safetensors

C_FILES = Path(__file__).parents[2] / "data" / "c-engine-voices"


@pytest.fixture
def c_files() -> Path:
    return C_FILES


@pytest.fixture(scope="session")
def micro_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The complete file of the C engine. Shared: do not change it."""
    path = tmp_path_factory.mktemp("micro") / "micro.qvoice"
    path.write_bytes(lzma.decompress((C_FILES / "micro_full_wdelta.qvoice.xz").read_bytes()))
    return path


@pytest.fixture(scope="session")
def micro_custom(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the CustomVoice model that the micro file's differences apply to."""
    folder = tmp_path_factory.mktemp("micro-custom")
    weights = lzma.decompress((C_FILES / "micro_customvoice.safetensors.xz").read_bytes())
    (folder / "model.safetensors").write_bytes(weights)
    config = (C_FILES / "micro_customvoice_config.json").read_text(encoding="utf-8")
    (folder / "config.json").write_text(config, encoding="utf-8")
    return folder


@pytest.fixture(scope="session")
def micro_pair(tmp_path_factory: pytest.TempPathFactory, micro_file: Path, micro_custom: Path) -> ModelPair:
    """The pair the micro file was made from; Base is rebuilt from the file's own differences."""
    folder = tmp_path_factory.mktemp("micro-base")
    location = load_voice(micro_file).delta
    assert location is not None
    weights = delta.apply(location, delta.tensors_by_name(CheckpointTensors(micro_custom)))
    write_safetensors(folder / "model.safetensors", weights)
    config = json.loads((micro_custom / "config.json").read_text(encoding="utf-8"))
    config["tts_model_type"] = "base"
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return ModelPair(folder, micro_custom)
