"""A model folder, opened by its own files: configurations, vocabulary, mapped weights, codec."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from engine.errors import ModelError
from engine.model.config import CodecConfig, GenerationConfig, ModelConfig, read_config
from engine.model.tensor_index import TensorIndex

_TEST_WIDTH = 512  # talkers narrower than this are random test models; the smallest released one has 1024


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
            weight_bytes=self.weights.size_bytes + self.codec_weights.size_bytes,
        )


def bases_beside(folder: Path) -> tuple[Path, ...]:
    """The Base models in the folder that `folder` lies in, itself left out."""
    found = []
    for config in sorted(folder.absolute().parent.glob("*/config.json")):
        try:
            is_base = Checkpoint(config.parent).config.tts_model_type == "base"
        except ModelError:  # another program's folder
            continue
        if is_base and not config.parent.samefile(folder):
            found.append(config.parent)
    return tuple(found)


def summarize_model(folder: str | Path) -> ModelSummary:
    """What the model in `folder` is and can do; reads headers only. Raises `ModelError`."""
    return Checkpoint(folder).summary()
