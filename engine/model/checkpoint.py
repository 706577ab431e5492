"""A model folder, opened by its own files: configurations, vocabulary, mapped weights, codec."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engine.errors import ModelError
from engine.model.config import CodecConfig, GenerationConfig, ModelConfig, read_config, read_json

_LENGTH_BYTES = 8  # a safetensors file begins with its header's length
_MAX_HEADER_BYTES = 100_000_000
_TEST_WIDTH = 512  # talkers narrower than this are random test models; the smallest released one has 1024
_DTYPE_BYTES = {
    "F64": 8,
    "I64": 8,
    "F32": 4,
    "I32": 4,
    "BF16": 2,
    "F16": 2,
    "I16": 2,
    "I8": 1,
    "U8": 1,
    "BOOL": 1,
}


@dataclass(frozen=True)
class TensorPlace:
    """Where a tensor lies: file, dtype as safetensors names it, shape."""

    file: Path
    dtype: str
    shape: tuple[int, ...]


class TensorIndex:
    """Names, dtypes and shapes of a folder's weights (`model.safetensors` or its sharded form), headers only.

    Raises `ModelError` when a file is missing, or shorter or longer than its header says.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.places: dict[str, TensorPlace] = {}
        for file in _weight_files(folder):
            self.places |= _read_header(file)

    def __contains__(self, name: str) -> bool:
        return name in self.places

    def place(self, name: str) -> TensorPlace:
        if name not in self.places:
            raise ModelError(f"{self.folder} lacks the tensor {name}. Fetch the model again.")
        return self.places[name]


@dataclass(frozen=True)
class ModelSummary:
    """What a model folder lets you do; made from JSON and headers alone, without torch."""

    folder: Path
    kind: str
    size_label: str
    width: int
    languages: tuple[str, ...]
    speakers: tuple[str, ...]
    is_test_model: bool
    weight_bytes: int

    @property
    def can_clone(self) -> bool:
        return self.kind == "base"

    @property
    def obeys_style(self) -> bool:
        return not self.style_reason

    @property
    def style_reason(self) -> str:
        """Why a style prompt has no effect here; empty where it has."""
        if self.kind == "base":
            return "Base models clone voices but were not trained to follow style prompts. Choose a CustomVoice model."
        if self.kind == "custom_voice" and self._is_small:
            return "The 0.6B CustomVoice model does not follow style prompts. Choose the 1.7B CustomVoice model."
        return ""

    @property
    def _is_small(self) -> bool:
        return self.size_label.startswith("0.6B")

    @property
    def label(self) -> str:
        kind = {"base": "Base", "custom_voice": "CustomVoice", "voice_design": "VoiceDesign"}[self.kind]
        if self.is_test_model:
            return f"Test model · {kind} (makes noise)"
        return f"{self.size_label} · {kind}"


class Checkpoint:
    """A model folder. Everything is read on first use; the weights are mapped, not copied."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise ModelError(f"{self.folder} is not a folder. Choose the folder that holds config.json.")

    @cached_property
    def config(self) -> ModelConfig:
        config = read_config(self.folder / "config.json", ModelConfig)
        if config.tts_model_type == "base" and config.speaker_encoder_config is None:
            raise ModelError(f"{self.folder / 'config.json'} is a Base model without speaker_encoder_config.")
        return config

    @cached_property
    def generation(self) -> GenerationConfig:
        path = self.folder / "generation_config.json"
        return read_config(path, GenerationConfig) if path.exists() else GenerationConfig()

    @cached_property
    def codec_folder(self) -> Path:
        return self.folder / "speech_tokenizer"

    @cached_property
    def codec_config(self) -> CodecConfig:
        return read_config(self.codec_folder / "config.json", CodecConfig)

    @cached_property
    def weights(self) -> TensorIndex:
        return TensorIndex(self.folder)

    @cached_property
    def codec_weights(self) -> TensorIndex:
        return TensorIndex(self.codec_folder)

    def summary(self) -> ModelSummary:
        """Open every file as far as its header; raises `ModelError` for the first that is missing or broken."""
        config = self.config
        for name in ("vocab.json", "merges.txt"):
            if not (self.folder / name).is_file():
                raise ModelError(f"{self.folder} has no {name}. Choose a complete Qwen3-TTS model folder.")
        files = {place.file for index in (self.weights, self.codec_weights) for place in index.places.values()}
        assert self.codec_config.decode_upsample_rate
        talker = config.talker_config
        sizes = {"0b6": "0.6B", "1b7": "1.7B"}
        return ModelSummary(
            folder=self.folder,
            kind=config.tts_model_type,
            size_label=sizes.get(config.tts_model_size, config.tts_model_size),
            width=talker.hidden_size,
            languages=tuple(name for name in talker.codec_language_id if not name.endswith("_dialect")),
            speakers=tuple(talker.spk_id),
            is_test_model=talker.hidden_size < _TEST_WIDTH,
            weight_bytes=sum(file.stat().st_size for file in files),
        )


def summarize_model(folder: str | Path) -> ModelSummary:
    """What the model in `folder` is and can do; reads headers only. Raises `ModelError`."""
    return Checkpoint(folder).summary()


def _weight_files(folder: Path) -> list[Path]:
    single, index = folder / "model.safetensors", folder / "model.safetensors.index.json"
    if single.is_file():
        return [single]
    if not index.is_file():
        raise ModelError(f"{folder} has no model.safetensors. Choose a complete Qwen3-TTS model folder.")
    listed = read_json(index)
    names = listed.get("weight_map") if isinstance(listed, dict) else None
    if not isinstance(names, dict) or not all(isinstance(n, str) and n == Path(n).name for n in names.values()):
        raise ModelError(f"{index} has no usable weight_map. Fetch the model again.")
    return [folder / name for name in sorted(set(names.values()))]


def _read_header(file: Path) -> dict[str, TensorPlace]:
    """The tensors a safetensors file lists, after comparing each length with the file's own."""
    try:
        size = file.stat().st_size
        with file.open("rb") as stream:
            (length,) = struct.unpack("<Q", stream.read(_LENGTH_BYTES))
            if length > min(_MAX_HEADER_BYTES, size - _LENGTH_BYTES):
                raise ValueError("the header is longer than the file")
            header = json.loads(stream.read(length))
        return {
            name: _place(file, entry, size - _LENGTH_BYTES - length)
            for name, entry in header.items()
            if name != "__metadata__"
        }
    except FileNotFoundError as error:
        raise ModelError(f"{file.parent} has no {file.name}. Fetch the model again.") from error
    except (OSError, ValueError, KeyError, TypeError, AttributeError, struct.error) as error:
        raise ModelError(f"{file} is cut short or broken ({error}). Fetch the model again.") from error


def _place(file: Path, entry: dict[str, object], payload_bytes: int) -> TensorPlace:
    shape, offsets, dtype = entry["shape"], entry["data_offsets"], entry["dtype"]
    if not isinstance(shape, list) or not isinstance(offsets, list) or dtype not in _DTYPE_BYTES:
        raise ValueError("an entry of its header is malformed")
    count = 1
    for extent in shape:
        count *= int(extent)
    begin, end = int(offsets[0]), int(offsets[1])
    if not 0 <= begin <= end <= payload_bytes or end - begin != count * _DTYPE_BYTES[str(dtype)]:
        raise ValueError("the file ends before its tensors do")
    return TensorPlace(file, str(dtype), tuple(int(extent) for extent in shape))
