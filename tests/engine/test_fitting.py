"""What does not fit into memory is refused, or loaded in fewer bits, before memory is spent."""

from __future__ import annotations

import pytest

import engine
from engine.model.device import choose_placement
from engine.system.fitting import fit_placement
from engine.system.memory import Memory, forecast


def room_for(folder, precision: str) -> Memory:
    """Just enough for `precision`."""
    need = forecast(folder, precision).peak_bytes + 500_000_000
    return Memory(64 << 30, need)


def test_where_there_is_room_nothing_changes(checkpoints) -> None:
    folder, placement = checkpoints.folder("tiny-base"), choose_placement("cpu", "fp32")
    assert fit_placement(folder, placement, "auto", Memory(64 << 30, 32 << 30)) is placement


def test_auto_takes_fewer_bits_and_says_why(checkpoints) -> None:
    folder, placement = checkpoints.folder("tiny-base"), choose_placement("cpu", "auto")
    chosen = fit_placement(folder, placement, "auto", room_for(folder, "int8"))
    assert chosen.precision == "int8"
    assert "fp32 would take" in chosen.reason


def test_what_a_person_chose_is_refused_with_advice(checkpoints) -> None:
    folder = checkpoints.folder("tiny-base")
    with pytest.raises(engine.ModelError, match="Choose int8"):
        fit_placement(folder, choose_placement("cpu", "fp32"), "fp32", room_for(folder, "int8"))


def test_nothing_fits(checkpoints, monkeypatch) -> None:
    folder = checkpoints.folder("tiny-base")
    monkeypatch.setattr("engine.system.fitting.memory_bytes", lambda: Memory(1 << 30, 1 << 28))
    with pytest.raises(engine.ModelError, match="Choose a smaller model"):
        engine.load_model(folder)
