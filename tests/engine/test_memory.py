"""A forecast of memory, from headers alone."""

from __future__ import annotations

import pytest

import engine
from engine.hub.catalogue import RELEASED, recommended, together_bytes
from engine.model.precisions import BYTES_PER_WEIGHT
from engine.system.memory import Memory, forecast, memory_bytes


def test_this_machine_has_memory() -> None:
    found = memory_bytes()
    assert 0 < found.available <= found.total


def test_fewer_bits_take_less(checkpoints) -> None:
    folder = checkpoints.folder("tiny-base")
    found = {name: forecast(folder, name).loaded_bytes for name in BYTES_PER_WEIGHT}
    assert found["fp32"] >= found["bf16"] == found["fp16"] > found["int8"] > found["int4"]


def test_what_does_not_fit_is_known_before(checkpoints) -> None:
    need = forecast(checkpoints.folder("tiny-base"), "fp32")
    assert need.fits(Memory(64 << 30, 32 << 30))
    assert not need.fits(Memory(64 << 30, need.peak_bytes))


def test_a_broken_folder_is_said(tmp_path) -> None:
    with pytest.raises(engine.ModelError, match="has no model"):
        forecast(tmp_path, "fp32")


def test_recommendations() -> None:
    gib = 1 << 30
    assert [m.name for m in recommended(16 * gib, 100 * gib)] == ["1.7b-base", "1.7b-custom-voice"]
    assert [m.name for m in recommended(8 * gib, 100 * gib)] == ["0.6b-base", "0.6b-custom-voice"]
    assert [m.name for m in recommended(16 * gib, 6 * gib)] == ["0.6b-base", "0.6b-custom-voice"]
    assert recommended(16 * gib, 100 * gib, lambda _: 20.0)[0].size_label == "0.6B"
    assert recommended(2 * gib, 100 * gib) == ()
    assert recommended(16 * gib, 2 * gib) == ()
    pair = (RELEASED[0], RELEASED[1])
    assert together_bytes(pair) < sum(model.total_bytes for model in pair)
