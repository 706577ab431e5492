"""Packed weights: near the weights they stand for, kept on disk, packed again where the kept file is broken."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

import engine
from engine.model import packed_store
from engine.model.quantize import fits, layer, pack
from engine.places import packed_cache


@pytest.mark.parametrize(("precision", "decibels"), [("int8", 30.0), ("int4", 18.0)])
@pytest.mark.parametrize("shape", [(96, 96), (130, 64), (7, 32), (48, 100)])
@pytest.mark.parametrize("with_bias", [False, True])
def test_a_packed_layer_is_near_its_weight(precision: str, decibels: float, shape, with_bias: bool) -> None:
    torch.manual_seed(1)
    weight, rows = torch.randn(shape) * 0.02, torch.randn(2, 3, shape[1])
    bias = torch.randn(shape[0]) if with_bias else None
    exact = torch.nn.functional.linear(rows, weight, bias)
    made = layer(pack(precision, weight), shape[0], bias)(rows)
    assert made.shape == exact.shape
    assert 20 * torch.log10(exact.norm() / (made - exact).norm()) > decibels


def test_a_row_of_zeros_stays_zero() -> None:
    weight = torch.zeros(32, 32)
    for precision in ("int8", "int4"):
        assert layer(pack(precision, weight), 32, None)(torch.ones(1, 32)).abs().max() < 1e-6


def test_what_does_not_fit_is_seen_before_a_kernel_reads_it() -> None:
    for precision in ("int8", "int4"):
        parts = pack(precision, torch.randn(64, 64))
        assert fits(parts, 64, 64)
        assert not fits(parts, 128, 64)
        assert not fits(parts, 64, 128)
        for name, part in parts.items():
            assert not fits({**parts, name: part[:1]}, 64, 64)
            assert not fits({**parts, name: part.double()}, 64, 64)
            assert not fits({"other": part}, 64, 64)
    assert not fits({}, 64, 64)


def codes_of(folder: Path, precision: str) -> np.ndarray:
    model = engine.load_model(folder, precision=precision)
    request = engine.SpeechRequest("Hello.", speaker="ryan", seed=1, max_new_tokens=8)
    return np.concatenate([chunk.codes for chunk in model.speak(request)])


@pytest.mark.parametrize("precision", ["int8", "int4"])
def test_a_second_load_takes_what_the_first_packed(checkpoints, monkeypatch, precision: str) -> None:
    folder = checkpoints.folder("tiny-mtp-custom")
    first = codes_of(folder, precision)
    (kept,) = packed_cache().iterdir()

    def never(*_: object) -> None:
        raise AssertionError("packed a second time")

    with monkeypatch.context() as patched:
        patched.setattr(packed_store, "pack", never)
        assert np.array_equal(codes_of(folder, precision), first)
    assert [path.name for path in packed_cache().iterdir()] == [kept.name]


@pytest.mark.parametrize("damage", ["cut", "empty", "noise", "wrong shapes", "a layer less"])
def test_a_broken_file_is_packed_again(checkpoints, damage: str) -> None:
    folder = checkpoints.folder("tiny-custom")
    first = codes_of(folder, "int8")
    (kept,) = packed_cache().iterdir()
    whole = kept.read_bytes()
    tensors = load_file(kept)
    name = next(name for name in tensors if name.endswith("o_proj:codes"))
    if damage == "wrong shapes":
        tensors[name] = tensors[name][:4].contiguous()
        save_file(tensors, kept, {"layers": str(len(tensors))})
    elif damage == "a layer less":
        del tensors[name]
        save_file(tensors, kept, {"layers": str(len(tensors) + 1)})
    else:
        kept.write_bytes({"cut": whole[:-100], "empty": b"", "noise": b"\xff" * 400}[damage])
    assert np.array_equal(codes_of(folder, "int8"), first)


def test_another_checkpoint_has_a_file_of_its_own(checkpoints) -> None:
    codes_of(checkpoints.folder("tiny-custom"), "int8")
    codes_of(checkpoints.folder("tiny-mtp-custom"), "int8")
    codes_of(checkpoints.folder("tiny-custom"), "int4")
    assert len(list(packed_cache().iterdir())) == 3


def test_a_cache_that_cannot_be_written_is_done_without(checkpoints) -> None:
    packed_cache().parent.mkdir(parents=True, exist_ok=True)
    packed_cache().write_text("a file where the folder should be")
    assert len(codes_of(checkpoints.folder("tiny-custom"), "int8")) > 0


def test_the_oldest_go_when_there_are_too_many(checkpoints, monkeypatch) -> None:
    monkeypatch.setattr(packed_store, "KEPT_BYTES", 1)
    codes_of(checkpoints.folder("tiny-custom"), "int8")
    codes_of(checkpoints.folder("tiny-custom"), "int4")
    (left,) = packed_cache().iterdir()
    assert "int4" in left.name
