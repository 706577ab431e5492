"""Configurations: the released sizes, and small ones whose every number differs from the released one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LANGUAGES = {"chinese": 7, "english": 2, "german": 5, "italian": 22, "portuguese": 23, "spanish": 6,
             "japanese": 10, "korean": 16, "french": 13, "russian": 21}  # fmt: skip
DIALECTS = {"beijing_dialect": 26, "sichuan_dialect": 14}
SPEAKERS = {"serena": 1018, "vivian": 1017, "uncle_fu": 962, "ryan": 1013, "aiden": 813, "ono_anna": 825,
            "sohee": 816, "eric": 827, "dylan": 830}  # fmt: skip
SPEAKER_DIALECTS = {"eric": "sichuan_dialect", "dylan": "beijing_dialect"}
CONTROL_IDS = {"codec_pad_id": 100, "codec_bos_id": 101, "codec_eos_token_id": 102, "codec_think_id": 106,
               "codec_nothink_id": 107, "codec_think_bos_id": 108, "codec_think_eos_id": 109}  # fmt: skip
CONTROL_ROWS = 1024  # rows of the codec embedding above the code values

GENERATION = {
    "do_sample": True, "repetition_penalty": 1.05, "temperature": 0.9, "top_p": 1.0, "top_k": 50,
    "subtalker_dosample": True, "subtalker_temperature": 0.9, "subtalker_top_p": 1.0, "subtalker_top_k": 50,
    "max_new_tokens": 8192,
}  # fmt: skip


@dataclass(frozen=True)
class Stack:
    """One transformer's dimensions."""

    hidden: int
    inter: int
    layers: int
    heads: int
    kv_heads: int
    head_dim: int

    def config(self) -> dict[str, Any]:
        return {
            "hidden_size": self.hidden, "intermediate_size": self.inter, "num_hidden_layers": self.layers,
            "num_attention_heads": self.heads, "num_key_value_heads": self.kv_heads, "head_dim": self.head_dim,
            "rms_norm_eps": 1e-06, "rope_theta": 1000000, "hidden_act": "silu", "attention_bias": False,
            "sliding_window": None, "num_code_groups": 16,
        }  # fmt: skip


@dataclass(frozen=True)
class Size:
    """One model size: `label` as in config.json, the two stacks, and the widths around them."""

    label: str
    talker: Stack
    predictor: Stack
    sections: tuple[int, int, int]
    text_hidden: int
    books: int
    real: bool


SIZES = {
    "0.6b": Size("0b6", Stack(1024, 3072, 28, 16, 8, 128), Stack(1024, 3072, 5, 16, 8, 128), (24, 20, 20),
                 2048, 2048, real=True),
    "1.7b": Size("1b7", Stack(2048, 6144, 28, 16, 8, 128), Stack(1024, 3072, 5, 16, 8, 128), (24, 20, 20),
                 2048, 2048, real=True),
    "tiny": Size("0b6", Stack(64, 96, 3, 4, 2, 32), Stack(64, 112, 2, 4, 2, 32), (6, 5, 5),
                 80, 128, real=False),
    "tiny-mtp": Size("1b7", Stack(96, 128, 2, 4, 2, 32), Stack(64, 112, 2, 4, 2, 32), (6, 5, 5),
                     80, 128, real=False),
}  # fmt: skip


def main_config(size: Size, kind: str, vocab: dict[str, int]) -> dict[str, Any]:
    """`config.json`: control, language and speaker ids lie above the code values, as in the released models."""
    first_special = len(vocab)
    config: dict[str, Any] = {
        "architectures": ["Qwen3TTSForConditionalGeneration"],
        "model_type": "qwen3_tts",
        "tokenizer_type": "qwen3_tts_tokenizer_12hz",
        "tts_model_size": size.label,
        "tts_model_type": kind,
        "assistant_token_id": vocab.get("assistant", 77091),
        "im_start_token_id": first_special + 1,
        "im_end_token_id": first_special + 2,
        "tts_pad_token_id": first_special + 28,
        "tts_bos_token_id": first_special + 29,
        "tts_eos_token_id": first_special + 30,
        "talker_config": _talker_config(size, kind, text_vocab(vocab, size)),
    }
    if kind == "base":
        config["speaker_encoder_config"] = {"enc_dim": size.talker.hidden, "sample_rate": 24000}
        if not size.real:
            config["speaker_encoder_config"] |= {
                "enc_channels": [32, 32, 32, 32, 96], "enc_attention_channels": 12, "enc_se_channels": 16,
            }  # fmt: skip
    return config


def text_vocab(vocab: dict[str, int], size: Size) -> int:
    from tests.checkpoints.vocabulary import SPECIAL_TOKENS

    return 151936 if size.real else -(-(len(vocab) + len(SPECIAL_TOKENS)) // 64) * 64


def _talker_config(size: Size, kind: str, text_vocab_size: int) -> dict[str, Any]:
    custom = kind == "custom_voice"
    languages = LANGUAGES | (DIALECTS if custom else {})
    speakers = SPEAKERS if custom else {}

    def above_codes(ids: dict[str, int]) -> dict[str, int]:
        return {name: size.books + number for name, number in ids.items()}

    return (
        size.talker.config()
        | above_codes(CONTROL_IDS)
        | {
            "model_type": "qwen3_tts_talker",
            "codec_language_id": above_codes(languages),
            "spk_id": above_codes(speakers),
            "spk_is_dialect": {name: SPEAKER_DIALECTS.get(name, False) for name in speakers},
            "rope_scaling": {"interleaved": True, "mrope_section": list(size.sections),
                             "rope_type": "default", "type": "default"},
            "max_position_embeddings": 32768, "text_hidden_size": size.text_hidden,
            "text_vocab_size": text_vocab_size, "vocab_size": size.books + CONTROL_ROWS,
            "code_predictor_config": size.predictor.config()
            | {"model_type": "qwen3_tts_talker_code_predictor", "rope_scaling": None, "vocab_size": size.books,
               "max_position_embeddings": 65536},
        }
    )  # fmt: skip


def codec_config(size: Size) -> dict[str, Any]:
    """`speech_tokenizer/config.json`, with the unused keys that the released file has."""
    decoder: dict[str, Any] = {
        "latent_dim": 1024, "codebook_dim": 512, "codebook_size": 2048, "decoder_dim": 1536, "hidden_size": 512,
        "intermediate_size": 1024, "head_dim": 64, "num_attention_heads": 16, "num_key_value_heads": 16,
        "num_hidden_layers": 8, "num_quantizers": 16, "num_semantic_quantizers": 1, "rms_norm_eps": 1e-05,
        "rope_theta": 10000, "semantic_codebook_size": 4096, "sliding_window": 72, "upsample_rates": [8, 5, 4, 3],
        "upsampling_ratios": [2, 2], "vector_quantization_hidden_dimension": 512, "hidden_act": "silu",
        "attention_bias": False, "layer_scale_initial_scale": 0.01, "max_position_embeddings": 8000,
    }  # fmt: skip
    encoder: dict[str, Any] = {
        "audio_channels": 1, "codebook_dim": 256, "codebook_size": 2048, "compress": 2, "dilation_growth_rate": 2,
        "head_dim": 64, "hidden_size": 512, "intermediate_size": 2048, "kernel_size": 7, "last_kernel_size": 3,
        "norm_eps": 1e-05, "num_attention_heads": 8, "num_filters": 64, "num_hidden_layers": 8,
        "num_key_value_heads": 8, "num_quantizers": 32, "num_residual_layers": 1, "num_semantic_quantizers": 1,
        "residual_kernel_size": 3, "rope_theta": 10000.0, "sampling_rate": 24000, "sliding_window": 250,
        "upsampling_ratios": [8, 6, 5, 4], "use_causal_conv": True, "use_conv_shortcut": False, "hidden_act": "gelu",
        "vector_quantization_hidden_dimension": 256, "max_position_embeddings": 8000, "upsample_groups": 512,
    }  # fmt: skip
    if not size.real:
        decoder |= {
            "latent_dim": 40, "codebook_dim": 32, "codebook_size": size.books, "decoder_dim": 64, "hidden_size": 32,
            "intermediate_size": 48, "head_dim": 16, "num_attention_heads": 4, "num_key_value_heads": 4,
            "num_hidden_layers": 2, "sliding_window": 10,
        }  # fmt: skip
        encoder |= {
            "codebook_dim": 16, "codebook_size": size.books, "head_dim": 16, "hidden_size": 32,
            "intermediate_size": 64, "num_attention_heads": 2, "num_filters": 4, "num_hidden_layers": 2,
            "num_key_value_heads": 2, "num_quantizers": 20, "sliding_window": 6, "upsample_groups": 32,
            "vector_quantization_hidden_dimension": 16,
        }  # fmt: skip
    return {
        "architectures": ["Qwen3TTSTokenizerV2Model"], "model_type": "qwen3_tts_tokenizer_12hz",
        "encoder_valid_num_quantizers": 16, "input_sample_rate": 24000, "output_sample_rate": 24000,
        "decode_upsample_rate": 1920, "encode_downsample_rate": 1920,
        "decoder_config": decoder, "encoder_config": encoder,
    }  # fmt: skip
