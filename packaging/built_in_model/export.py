"""Stage `export`: what the runs have learnt, as the model folders that the engine loads."""

from __future__ import annotations

import argparse
import json
import shutil
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from torch import Tensor, nn

from built_in_model import books, decoder, dimensions, encoder, speaker, tokens
from built_in_model.modules import wear
from built_in_model.paths import RUNS, WORK
from built_in_model.talker import Network
from engine.model.layers import Attention, GatedMLP

FOLDER = WORK / "model"
# Sharp on purpose: the teacher is a machine that always says a text in one way.
_GENERATION = {
    "do_sample": True,
    "temperature": 0.3,
    "top_p": 0.9,
    "top_k": 10,
    "repetition_penalty": 1.0,
    "subtalker_dosample": True,
    "subtalker_temperature": 0.2,
    "subtalker_top_p": 0.9,
    "subtalker_top_k": 5,
    "max_new_tokens": 1024,
}


def named(module: nn.Module, prefix: str) -> dict[str, Tensor]:
    """The module's parameters by their names in a released file: joined projections are taken apart."""
    out: dict[str, Tensor] = {}
    joined: dict[str, tuple[tuple[str, int], ...]] = {}
    for name, part in module.named_modules():
        if isinstance(part, Attention):
            c = part.config
            sizes = (c.num_attention_heads * c.head_dim, *[c.num_key_value_heads * c.head_dim] * 2)
            joined[f"{name}.qkv_proj.weight"] = tuple(zip(("q_proj", "k_proj", "v_proj"), sizes, strict=True))
        if isinstance(part, GatedMLP):
            half = part.gate_up_proj.out_features // 2
            joined[f"{name}.gate_up_proj.weight"] = (("gate_proj", half), ("up_proj", half))
    for name, value in module.named_parameters():
        if name in joined:
            at = 0
            for part_name, size in joined[name]:
                out[prefix + name.replace(name.split(".")[-2], part_name)] = value.data[at : at + size]
                at += size
        else:
            out[prefix + name] = value.data
    return out


def averaged_network(path: Path) -> Network:
    """The talker of a run with its averaged weights."""
    state = torch.load(path, map_location="cpu")
    network = Network()
    wear(network, state["average"])
    return network


def talker_tensors(network: Network) -> dict[str, Tensor]:
    out = named(network.talker, "talker.") | named(network.predictor, "talker.code_predictor.")
    out["talker.model.text_embedding.weight"] = network.text.data
    out["talker.model.codec_embedding.weight"] = network.codec.data
    for name, layer in (("fc1", network.fc1), ("fc2", network.fc2)):
        out[f"talker.text_projection.linear_{name}.weight"] = layer.weight.data
        out[f"talker.text_projection.linear_{name}.bias"] = layer.bias.data
    return out


def codec_tensors(student: decoder.Student, fitted: dict[str, Any]) -> dict[str, Tensor]:
    """Decoder, its codebooks (those of empty books are zero) and the encoder with its own."""
    out = named(student.decoder, "decoder.")
    inner, ones = books.INNER, torch.ones(books.ENTRIES)
    for branch, first, count in (("first", 0, 1), ("rest", 1, books.BOOKS - 1)):
        prefix = f"decoder.quantizer.rvq_{branch}."
        for i in range(count):
            used = first + i < books.EFFECTIVE
            table = student.tables.data[first + i] if used else torch.zeros(books.ENTRIES, inner)
            out[f"{prefix}vq.layers.{i}._codebook.embedding_sum"] = table.clone()
            out[f"{prefix}vq.layers.{i}._codebook.cluster_usage"] = ones.clone()
        place = torch.zeros(2 * inner, inner, 1)
        place[inner * first : inner * first + inner, :, 0] = torch.eye(inner)
        out[prefix + "output_proj.weight"] = place
        out[prefix + "input_proj.weight"] = place.transpose(0, 1).contiguous()
    return out | encoder.tensors(fitted)


def write(folder: Path, kind: str, model: dict[str, Tensor], codec: dict[str, Tensor]) -> int:
    """One model folder, in bfloat16; returns its bytes."""
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "speech_tokenizer").mkdir(parents=True)

    def put(name: str, value: dict[str, Any]) -> None:
        (folder / name).write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")

    put("config.json", dimensions.model_config(kind))
    put("generation_config.json", _GENERATION)
    put("tokenizer_config.json", {"tokenizer_class": "Qwen2Tokenizer", "add_prefix_space": False})
    put("speech_tokenizer/config.json", dimensions.codec_config())
    for name in ("vocab.json", "merges.txt"):
        shutil.copy(tokens.FOLDER / name, folder / name)
    save_file(_halved(model), folder / "model.safetensors")
    save_file(_halved(codec), folder / "speech_tokenizer" / "model.safetensors")
    return sum(p.stat().st_size for p in folder.rglob("*") if p.is_file())


def _halved(tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    return {name: value.to(torch.bfloat16).contiguous() for name, value in tensors.items()}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="export", description=__doc__)
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--talker", default="talker")
    parser.add_argument("--custom", default="custom_voice")
    asked = parser.parse_args(arguments)
    torch.set_num_threads(1)
    codec = codec_tensors(decoder.averaged(), torch.load(books.PATH))
    listener = named(speaker.load().encoder, "speaker_encoder.")
    base = talker_tensors(averaged_network(RUNS / f"{asked.talker}.pt"))
    print(f"base: {write(asked.folder / 'base', 'base', base | listener, codec) / 1e6:.1f} MB")
    custom = RUNS / f"{asked.custom}.pt"
    if custom.exists():
        model = talker_tensors(averaged_network(custom))
        print(f"custom_voice: {write(asked.folder / 'custom_voice', 'custom_voice', model, codec) / 1e6:.1f} MB")
    return 0
