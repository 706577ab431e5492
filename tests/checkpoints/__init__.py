"""Random checkpoints in the released layout: right names, shapes and dtypes, meaningless values.

    python -m tests.checkpoints tiny base FOLDER
    python -m tests.checkpoints 0.6b base FOLDER --tiktoken qwen.tiktoken

The values are those of the checkpoints that the official results in `tests/data/goldens` were made with: each tensor
depends only on (seed, tensor name). CustomVoice and VoiceDesign are Base plus a small step, as fine-tunes are.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file

from tests.checkpoints import layout, presets, values, vocabulary

SEED = 20260


def write_checkpoint(preset: str, kind: str, folder: Path, tiktoken: Path | None = None) -> Path:
    """Write checkpoint `preset` ("tiny", "tiny-mtp", "0.6b", "1.7b") of `kind` into `folder`."""
    size = presets.SIZES[preset]
    vocab, merges = vocabulary.real(tiktoken) if tiktoken else vocabulary.tiny()
    vocabulary.write(folder, vocab, merges)
    config = presets.main_config(size, kind, vocab)
    codec = presets.codec_config(size)
    write_json(folder / "config.json", config)
    write_json(folder / "generation_config.json", presets.GENERATION)
    write_json(folder / "speech_tokenizer" / "config.json", codec)
    save_file(_main_tensors(config, kind), folder / "model.safetensors", {"format": "pt"})
    shapes = layout.codec_decoder(codec["decoder_config"]) | layout.codec_encoder(codec["encoder_config"])
    tensors = {name: values.tensor(name, shape, SEED) for name, shape in shapes.items()}
    save_file(tensors, folder / "speech_tokenizer" / "model.safetensors", {"format": "pt"})
    return folder


def _main_tensors(config: dict[str, Any], kind: str) -> dict[str, torch.Tensor]:
    shapes = layout.talker(config)
    if kind == "base":
        shapes |= layout.speaker_encoder(config)
    out = {}
    for name, shape in shapes.items():
        value = values.tensor(name, shape, SEED).to(torch.bfloat16)
        out[name] = value if kind == "base" else values.stepped(value, f"{kind} {name}", SEED)
    return out


def write_json(path: Path, value: dict[str, Any]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
