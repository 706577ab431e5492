"""Memory: how much there is, and how much a model will take before it is loaded."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final

from engine import kernels
from engine.hub.catalogue import CODEC_BYTES, TEXT_TABLE_BYTES, ReleasedModel
from engine.model.checkpoint import Checkpoint
from engine.model.precisions import BYTES_PER_WEIGHT, PACKED

_PROGRAM_BYTES: Final = 500_000_000  # interpreter, torch and window, measured on Linux: 0.35 to 0.5 GB
_SPEAKING_BYTES: Final = 300_000_000  # keys, values and the codec's state over a long take
_KEPT_FREE_BYTES: Final = 500_000_000  # left to everything else on the machine


@dataclass(frozen=True)
class Memory:
    """Bytes of memory in the machine, and of those that can be had without swapping."""

    total: int
    available: int


def memory_bytes() -> Memory:
    """What there is now."""
    import psutil

    found = psutil.virtual_memory()
    return Memory(int(found.total), int(found.available))


@dataclass(frozen=True)
class Forecast:
    """What a model will take in one precision. `loaded_bytes` stay while it is loaded; `peak_bytes` while it loads."""

    precision: str
    loaded_bytes: int
    peak_bytes: int

    def fits(self, memory: Memory) -> bool:
        return self.peak_bytes + _KEPT_FREE_BYTES <= memory.available


def forecast(folder: str | Path, precision: str) -> Forecast:
    """From the headers of the files alone. `precision` is a key of `BYTES_PER_WEIGHT`. Raises `ModelError`.

    The text table stays as it is stored and mapped; the codec and the speaker encoder are always float32.
    """
    checkpoint = Checkpoint(folder)
    weights = text = encoder = largest = 0
    for name in checkpoint.weights:
        count = checkpoint.weights.place(name).size_bytes // 2
        if name.endswith("text_embedding.weight"):
            text = count * 2
        elif name.startswith("speaker_encoder."):
            encoder += count * 4
        else:
            weights += count
            largest = max(largest, count)
    codec = checkpoint.codec_weights.size_bytes
    loaded = int(weights * BYTES_PER_WEIGHT[precision]) + text + encoder + codec + _PROGRAM_BYTES + _SPEAKING_BYTES
    packing = weights if precision in PACKED and not kernels.available() else 0  # torch's kernels lay weights out anew
    return Forecast(precision, loaded, loaded + packing + largest * 8)


def forecast_released(model: ReleasedModel, precision: str) -> Forecast:
    """The same for a model that is not here yet, from its published size."""
    weights = (model.main_bytes - TEXT_TABLE_BYTES) // 2
    loaded = int(weights * BYTES_PER_WEIGHT[precision]) + TEXT_TABLE_BYTES + CODEC_BYTES
    return Forecast(precision, loaded + _PROGRAM_BYTES + _SPEAKING_BYTES, loaded + _PROGRAM_BYTES + _SPEAKING_BYTES)
