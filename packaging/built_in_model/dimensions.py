"""Every dimension of the built-in model, as the `config.json` files that are shipped and trained from."""

from __future__ import annotations

from typing import Any

import msgspec

from built_in_model.books import BOOKS, ENTRIES, INNER
from engine.model.config import CodecConfig, ModelConfig

WIDTH = 256  # of the talker, and of the x-vector
_TEXT_VOCABULARY = 1024  # of which the last are the special ids
IM_START, IM_END, TTS_PAD, TTS_BOS, TTS_EOS = (_TEXT_VOCABULARY - 16 + i for i in range(5))
_CONTROL = ENTRIES + 100  # codec ids from here on are no codes
SPEAKERS = {"clara": ENTRIES + 900, "victor": ENTRIES + 901, "nora": ENTRIES + 902, "ewan": ENTRIES + 903}
# What the talker and the code predictor have in common.
_STACK: dict[str, Any] = {
    "intermediate_size": 512,
    "num_attention_heads": 4,
    "num_key_value_heads": 4,
    "rms_norm_eps": 1e-6,
    "rope_theta": 10_000,
    "hidden_act": "silu",
    "attention_bias": False,
    "sliding_window": None,
    "num_code_groups": BOOKS,
}


def codec_config() -> dict[str, Any]:
    """`speech_tokenizer/config.json`."""
    return {
        "architectures": ["Qwen3TTSTokenizerV2Model"],
        "model_type": "qwen3_tts_tokenizer_12hz",
        "encoder_valid_num_quantizers": BOOKS,
        "input_sample_rate": 24_000,
        "output_sample_rate": 24_000,
        "decode_upsample_rate": 1920,
        "encode_downsample_rate": 1920,
        "decoder_config": {
            "latent_dim": 192,
            "codebook_dim": 2 * INNER,
            "codebook_size": ENTRIES,
            "decoder_dim": 128,
            "hidden_size": 192,
            "intermediate_size": 384,
            "head_dim": 48,
            "num_attention_heads": 4,
            "num_key_value_heads": 4,
            "num_hidden_layers": 2,
            "num_quantizers": BOOKS,
            "num_semantic_quantizers": 1,
            "rms_norm_eps": 1e-5,
            "rope_theta": 10_000,
            "semantic_codebook_size": 4096,
            "sliding_window": 72,
            "upsample_rates": [8, 5, 4, 3],
            "upsampling_ratios": [2, 2],
            "vector_quantization_hidden_dimension": 512,
            "hidden_act": "silu",
            "attention_bias": False,
            "layer_scale_initial_scale": 0.01,
            "max_position_embeddings": 8000,
        },
        "encoder_config": {
            "audio_channels": 1,
            "codebook_dim": INNER,
            "codebook_size": ENTRIES,
            "compress": 2,
            "dilation_growth_rate": 2,
            "head_dim": 32,
            "hidden_size": 128,
            "intermediate_size": 256,
            "kernel_size": 7,
            "last_kernel_size": 3,
            "norm_eps": 1e-5,
            "num_attention_heads": 4,
            "num_filters": 8,
            "num_hidden_layers": 2,
            "num_key_value_heads": 4,
            "num_quantizers": BOOKS,
            "num_residual_layers": 1,
            "num_semantic_quantizers": 1,
            "residual_kernel_size": 3,
            "rope_theta": 10_000.0,
            "sampling_rate": 24_000,
            "sliding_window": 250,
            "upsampling_ratios": [8, 6, 5, 4],
            "use_causal_conv": True,
            "use_conv_shortcut": False,
            "hidden_act": "gelu",
            "vector_quantization_hidden_dimension": INNER,
            "max_position_embeddings": 8000,
            "upsample_groups": 128,
        },
    }


def model_config(kind: str) -> dict[str, Any]:
    """`config.json` of the Base ("base") or the CustomVoice ("custom_voice") model."""
    config = {
        "architectures": ["Qwen3TTSForConditionalGeneration"],
        "model_type": "qwen3_tts",
        "tokenizer_type": "qwen3_tts_tokenizer_12hz",
        "tts_model_size": "1b7",
        "tts_model_type": kind,
        "im_start_token_id": IM_START,
        "im_end_token_id": IM_END,
        "tts_pad_token_id": TTS_PAD,
        "tts_bos_token_id": TTS_BOS,
        "tts_eos_token_id": TTS_EOS,
        "talker_config": _talker(kind),
    }
    if kind == "base":
        config["speaker_encoder_config"] = {
            "enc_dim": WIDTH,
            "sample_rate": 24_000,
            "enc_channels": [64, 64, 64, 64, 192],
            "enc_attention_channels": 32,
            "enc_se_channels": 32,
        }
    return config


def _talker(kind: str) -> dict[str, Any]:
    custom = kind == "custom_voice"
    return {
        "model_type": "qwen3_tts_talker",
        **_STACK,
        "hidden_size": WIDTH,
        "num_hidden_layers": 4,
        "head_dim": 64,
        "codec_pad_id": _CONTROL,
        "codec_bos_id": _CONTROL + 1,
        "codec_eos_token_id": _CONTROL + 2,
        "codec_think_id": _CONTROL + 6,
        "codec_nothink_id": _CONTROL + 7,
        "codec_think_bos_id": _CONTROL + 8,
        "codec_think_eos_id": _CONTROL + 9,
        "codec_language_id": {"english": ENTRIES + 2},
        "spk_id": SPEAKERS if custom else {},
        "spk_is_dialect": dict.fromkeys(SPEAKERS, False) if custom else {},
        "rope_scaling": {"interleaved": True, "mrope_section": [12, 10, 10], "rope_type": "default", "type": "default"},
        "max_position_embeddings": 32_768,
        "text_hidden_size": 256,
        "text_vocab_size": _TEXT_VOCABULARY,
        "vocab_size": ENTRIES + 1024,
        "code_predictor_config": {
            "model_type": "qwen3_tts_talker_code_predictor",
            **_STACK,
            "hidden_size": 192,
            "num_hidden_layers": 2,
            "head_dim": 48,
            "rope_scaling": None,
            "vocab_size": ENTRIES,
            "max_position_embeddings": 65_536,
        },
    }


def codec() -> CodecConfig:
    """The codec's configuration, as the engine reads it."""
    return msgspec.convert(codec_config(), CodecConfig)


def model(kind: str = "base") -> ModelConfig:
    """The model's configuration, as the engine reads it."""
    return msgspec.convert(model_config(kind), ModelConfig)
