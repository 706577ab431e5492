"""Where a model computes and how precisely, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from engine.errors import ModelError
from engine.model.precisions import PACKED

Device = Literal["auto", "cpu", "cuda", "mps"]
Precision = Literal["auto", "fp32", "bf16", "fp16", "int8", "int4"]

_DTYPES = {
    "fp32": torch.float32,
    "bf16": torch.bfloat16,
    "fp16": torch.float16,
    **dict.fromkeys(PACKED, torch.float32),  # rows; the weights are packed
}
_NAMES = {"cpu": "CPU", "cuda": "CUDA", "mps": "Apple GPU"}


@dataclass(frozen=True)
class Placement:
    """Where and how precisely talker and code predictor compute. The codec and the speaker encoder stay float32.

    `dtype` is that of rows and embeddings; with `precision` int8 or int4 the layers' weights are packed besides.
    """

    device: torch.device
    precision: str
    reason: str

    @property
    def dtype(self) -> torch.dtype:
        return _DTYPES[self.precision]

    @property
    def packs(self) -> bool:
        """Whether the layers' weights are packed (see `quantize.py`)."""
        return self.precision in PACKED

    @property
    def label(self) -> str:
        """As the status line shows it."""
        return f"{_NAMES[self.device.type]} · {self.precision}"

    def put(self, tensor: Tensor) -> Tensor:
        """`tensor` on the device, in the model's precision."""
        return tensor.to(self.device, self.dtype)


def choose_placement(device: str = "auto", precision: str = "auto") -> Placement:
    """The device and precision to use; what is "auto" is chosen by what is there.

    A GPU is taken where torch finds one. On a CPU the exact float32 is chosen: bfloat16 without hardware for it is
    slower wherever more than one row is computed at once. Raises `ModelError` for what this computer has not.
    """
    kind, why = _choose_device(device)
    if precision != "auto" and precision not in _DTYPES:
        raise ModelError(f"Precision {precision!r} is not known. Choose auto, {', '.join(_DTYPES)}.")
    if precision in PACKED and kind != "cpu":
        raise ModelError(f"{precision} is computed on the CPU only. Choose bf16 on {_NAMES[kind]}, or the device cpu.")
    name, because = _choose_precision(kind, precision)
    if kind == "cuda" and name == "fp32":
        torch.backends.cudnn.allow_tf32 = False  # ten bits of mantissa are not float32
    return Placement(torch.device(kind), name, f"{why}; {because}.")


def _choose_device(asked: str) -> tuple[str, str]:
    found = {"cuda": torch.cuda.is_available(), "mps": torch.backends.mps.is_available(), "cpu": True}
    if asked == "auto":
        kind = next(name for name, here in found.items() if here)
        return kind, {"cuda": "an NVIDIA GPU is here", "mps": "an Apple GPU is here", "cpu": "no GPU is here"}[kind]
    if asked not in found:
        raise ModelError(f"Device {asked!r} is not known. Choose auto, {', '.join(found)}.")
    if not found[asked]:
        raise ModelError(f"This computer has no {_NAMES[asked]} that torch can use. Choose auto or cpu.")
    return asked, f"{_NAMES[asked]} was asked for"


def _choose_precision(kind: str, asked: str) -> tuple[str, str]:
    if asked != "auto":
        return asked, f"{asked} was asked for"
    if kind == "cuda" and torch.cuda.is_bf16_supported():
        return "bf16", "bf16 is what the weights are stored in, and this GPU computes it"
    return "fp32", "fp32 is exact; int8 and int4 are faster and less exact"
