"""The precisions a model can compute in, and what a weight of its layers takes in each."""

from __future__ import annotations

from typing import Final

from engine import kernels

BYTES_PER_WEIGHT: Final = {
    "fp32": 2.0 if kernels.available() else 4.0,  # on a CPU; the kernels read bf16 weights as they are stored
    "bf16": 2.0,
    "fp16": 2.0,
    "int8": 1.01,  # and a scale per output
    "int4": 0.5625 if kernels.available() else 0.625,  # and a scale (without the kernels an offset too) per 32 weights
}
PACKED: Final = ("int8", "int4")
CHOICES: Final = ("auto", *BYTES_PER_WEIGHT)
