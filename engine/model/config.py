"""Every dimension of a model, from its `config.json` files. Unknown keys are ignored, missing ones are named.

The official configuration classes have defaults that no released model uses, so nothing here has a default that
the released files leave to chance; the speaker encoder's are the official ones, which the files do rely on.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from engine.errors import ModelError

_MOST_JSON_BYTES = 64 << 20

Count = Annotated[int, msgspec.Meta(gt=0, le=1 << 24)]
TokenId = Annotated[int, msgspec.Meta(ge=0, le=1 << 24)]
Kind = Literal["base", "custom_voice", "voice_design"]

LANGUAGES = ("chinese", "english", "german", "italian", "portuguese", "spanish", "japanese", "korean", "french",
             "russian")  # fmt: skip


class StackConfig(msgspec.Struct, frozen=True, kw_only=True):
    """A transformer: widths, heads, and its normalisation and rotation constants."""

    hidden_size: Count
    intermediate_size: Count
    num_hidden_layers: Count
    num_attention_heads: Count
    num_key_value_heads: Count
    head_dim: Count
    rms_norm_eps: float
    rope_theta: float

    @property
    def heads_per_key(self) -> int:
        return self.num_attention_heads // self.num_key_value_heads

    def __post_init__(self) -> None:
        if self.num_attention_heads % self.num_key_value_heads:
            raise ValueError("num_attention_heads must be a multiple of num_key_value_heads")


class PredictorConfig(StackConfig, frozen=True, kw_only=True):
    """The code predictor: a small transformer over the codebooks of one frame."""

    vocab_size: Count


class TalkerConfig(StackConfig, frozen=True, kw_only=True):
    """The talker and the ids of its codec vocabulary."""

    vocab_size: Count
    text_vocab_size: Count
    text_hidden_size: Count
    num_code_groups: Count
    codec_pad_id: TokenId
    codec_bos_id: TokenId
    codec_eos_token_id: TokenId
    codec_think_id: TokenId
    codec_nothink_id: TokenId
    codec_think_bos_id: TokenId
    codec_think_eos_id: TokenId
    codec_language_id: dict[str, TokenId]
    code_predictor_config: PredictorConfig
    spk_id: dict[str, TokenId] = {}
    spk_is_dialect: dict[str, bool | str] = {}


class SpeakerEncoderConfig(msgspec.Struct, frozen=True, kw_only=True):
    """ECAPA-TDNN. The released files give `enc_dim` and `sample_rate` and rely on the official defaults."""

    enc_dim: Count
    sample_rate: Count = 24000
    mel_dim: Count = 128
    enc_channels: tuple[Count, ...] = (512, 512, 512, 512, 1536)
    enc_kernel_sizes: tuple[Count, ...] = (5, 3, 3, 3, 1)
    enc_dilations: tuple[Count, ...] = (1, 2, 3, 4, 1)
    enc_attention_channels: Count = 128
    enc_res2net_scale: Count = 8
    enc_se_channels: Count = 128


class ModelConfig(msgspec.Struct, frozen=True, kw_only=True):
    """`config.json` of a model folder."""

    tts_model_type: Kind
    tts_model_size: str
    im_start_token_id: TokenId
    im_end_token_id: TokenId
    tts_pad_token_id: TokenId
    tts_bos_token_id: TokenId
    tts_eos_token_id: TokenId
    talker_config: TalkerConfig
    speaker_encoder_config: SpeakerEncoderConfig | None = None


class GenerationConfig(msgspec.Struct, frozen=True, kw_only=True):
    """`generation_config.json`; what is absent has the official code's defaults."""

    do_sample: bool = True
    temperature: float = 0.9
    top_k: int = 50
    top_p: float = 1.0
    repetition_penalty: float = 1.05
    subtalker_dosample: bool = True
    subtalker_temperature: float = 0.9
    subtalker_top_k: int = 50
    subtalker_top_p: float = 1.0
    max_new_tokens: int = 2048


class CodecDecoderConfig(StackConfig, frozen=True, kw_only=True):
    """Codes to waveform: quantiser, windowed transformer, upsampler."""

    latent_dim: Count
    codebook_dim: Count
    codebook_size: Count
    decoder_dim: Count
    num_quantizers: Count
    sliding_window: Count
    upsample_rates: tuple[Count, ...]
    upsampling_ratios: tuple[Count, ...]


class CodecEncoderConfig(msgspec.Struct, frozen=True, kw_only=True):
    """Waveform to codes: Mimi."""

    hidden_size: Count
    intermediate_size: Count
    num_hidden_layers: Count
    num_attention_heads: Count
    num_key_value_heads: Count
    head_dim: Count
    norm_eps: float
    rope_theta: float
    audio_channels: Count
    num_filters: Count
    kernel_size: Count
    last_kernel_size: Count
    residual_kernel_size: Count
    compress: Count
    dilation_growth_rate: Count
    num_residual_layers: Count
    upsampling_ratios: tuple[Count, ...]
    codebook_dim: Count
    codebook_size: Count
    num_quantizers: Count
    num_semantic_quantizers: Count
    vector_quantization_hidden_dimension: Count

    @property
    def stack(self) -> StackConfig:
        """Its transformer's dimensions, in the terms the shared attention takes."""
        return StackConfig(
            hidden_size=self.hidden_size,
            intermediate_size=self.intermediate_size,
            num_hidden_layers=self.num_hidden_layers,
            num_attention_heads=self.num_attention_heads,
            num_key_value_heads=self.num_key_value_heads,
            head_dim=self.head_dim,
            rms_norm_eps=self.norm_eps,
            rope_theta=self.rope_theta,
        )


class CodecConfig(msgspec.Struct, frozen=True, kw_only=True):
    """`speech_tokenizer/config.json`."""

    encoder_valid_num_quantizers: Count
    output_sample_rate: Count
    decode_upsample_rate: Count
    encode_downsample_rate: Count
    decoder_config: CodecDecoderConfig
    encoder_config: CodecEncoderConfig


Config = TypeVar("Config", bound=msgspec.Struct)


def read_json(path: Path) -> dict[str, Any]:
    """The object in a JSON file of a model folder. Raises `ModelError` when it is missing or broken."""
    try:
        if path.stat().st_size > _MOST_JSON_BYTES:
            raise ModelError(f"{path}: too large to be what its name says. Fetch the model again.")
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise ModelError(f"{path.parent} has no {path.name}. Choose a complete Qwen3-TTS model folder.") from error
    except OSError as error:
        raise ModelError(f"{path}: could not be read: {error.strerror}. Choose a complete model folder.") from error
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path}: is not valid JSON. Fetch the model again.") from error
    if not isinstance(value, dict):
        raise ModelError(f"{path}: is not a JSON object. Fetch the model again.")
    return value


def read_config(path: Path, kind: type[Config]) -> Config:
    """`path` as a `kind`. Raises `ModelError` naming the key that is missing or of the wrong type."""
    try:
        return msgspec.convert(read_json(path), kind)
    except (msgspec.ValidationError, ValueError) as error:
        raise ModelError(f"{path} is not of a Qwen3-TTS 12 Hz model: {error}.") from error
