"""A precision that fits into memory, or a refusal with advice, before anything is loaded."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

from engine.errors import ModelError
from engine.model.device import Placement
from engine.system.memory import Memory, forecast, memory_bytes

_SMALLER: Final = ("int8", "int4")  # in the order of what they keep


def fit_placement(folder: Path, placement: Placement, asked: str, memory: Memory | None = None) -> Placement:
    """`placement`, or one of fewer bits where the person asked for "auto" and there is no room for it.

    Only memory of the computer itself is looked at; a GPU refuses by itself. Raises `ModelError` where nothing fits,
    instead of leaving it to the system to end the program.
    """
    if placement.device.type != "cpu":
        return placement
    memory = memory or memory_bytes()
    wanted = forecast(folder, placement.precision)
    if wanted.fits(memory):
        return placement
    need = f"{placement.precision} would take {_gb(wanted.peak_bytes)} of memory, {_gb(memory.available)} are free"
    fitting = [name for name in _SMALLER if forecast(folder, name).fits(memory)]
    if fitting and asked == "auto":
        return replace(placement, precision=fitting[0], reason=f"{need}; so {fitting[0]}.")
    advice = f"Choose {fitting[0]}" if fitting else "Choose a smaller model"
    raise ModelError(f"{folder.name}: {need}. {advice}, or close other programs first.")


def _gb(count: int) -> str:
    return f"{count / 1e9:.1f} GB"
