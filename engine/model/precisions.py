"""The precisions a model can compute in, and what a weight of its layers takes in each."""

from __future__ import annotations

from typing import Final

BYTES_PER_WEIGHT: Final = {
    "fp32": 4.0,
    "bf16": 2.0,
    "fp16": 2.0,
    "int8": 1.01,  # and a scale per output
    "int4": 0.625,  # and a scale and an offset per 32 weights
}
PACKED: Final = ("int8", "int4")
CHOICES: Final = ("auto", *BYTES_PER_WEIGHT)
