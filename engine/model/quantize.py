"""Linear layers in fewer bits, behind one constructor; which kernel computes them is decided here only.

A layer takes and gives float32 rows [..., width]. Figures of the kernels that were tried: docs/speed.md.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import torch
from torch import Tensor, nn

from engine import kernels
from engine.kernels import GROUP_BYTES, UNIT, Kind
from engine.model.native_linear import NativeLinear, Weights, four_bit_units
from engine.model.runtime import usable_cores

INT4_GROUP = 32  # weights that share a scale and an offset: 5 bits a weight all told
_INT4_TILE = 16  # torch's kernel wants outputs in whole tiles of this many rows

Parts = dict[str, Tensor]  # what a packed weight is kept as


class Int8Linear(nn.Module):
    """Weights int8 with a scale per output; rows are rounded to 7 bits on the way in, per call, by torch's kernel.

    Seven and not eight: without a dot product instruction for bytes the kernel adds pairs in 16 bits, which eight
    would overflow.
    """

    def __init__(self, parts: Parts, bias: Tensor | None) -> None:
        super().__init__()
        codes, scales = parts["codes"], parts["scales"]
        zeros = torch.zeros(len(codes), dtype=torch.int64)
        self.packed_bytes = codes.nbytes + scales.nbytes
        quantized = torch._make_per_channel_quantized_tensor(codes, scales.double(), zeros, 0)
        self._packed = torch.ops.quantized.linear_prepack(quantized, bias)

    @staticmethod
    def parts(weight: Tensor) -> Parts:
        """`weight` float32 [out, in] as codes int8 [out, in] and scales float32 [out]."""
        scales = weight.abs().amax(dim=1).clamp_min(1e-12) / 127
        codes = torch.round(weight / scales[:, None]).clamp_(-127, 127).to(torch.int8)
        return {"codes": codes, "scales": scales}

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = torch.ops.quantized.linear_dynamic(x, self._packed, True)
        return out


class Int4Linear(nn.Module):
    """Weights of 4 bits, `INT4_GROUP` of one row sharing a scale and an offset; computed by torch in bfloat16."""

    def __init__(self, parts: Parts, outputs: int, bias: Tensor | None) -> None:
        super().__init__()
        self._outputs, self._bias = outputs, bias
        self._codes = torch.ops.aten._convert_weight_to_int4pack_for_cpu(_unpacked(parts["nibbles"]), 1)
        self._scales = parts["scales"].clone()
        self.packed_bytes = self._codes.nbytes + self._scales.nbytes

    @staticmethod
    def parts(weight: Tensor) -> Parts:
        """`weight` float32 [out, in] as nibbles uint8 [tiled out, in / 2], scales bfloat16 [in / group, out, 2]."""
        codes, scales = four_bits(_in_whole_tiles(weight))
        nibbles = codes.to(torch.uint8)
        return {"nibbles": nibbles[:, ::2] | (nibbles[:, 1::2] << 4), "scales": scales.bfloat16()}

    def forward(self, x: Tensor) -> Tensor:
        rows = x.reshape(-1, x.shape[-1]).bfloat16()
        out: Tensor = torch.ops.aten._weight_int4pack_mm_for_cpu(rows, self._codes, INT4_GROUP, self._scales)
        out = out[:, : self._outputs].to(x.dtype).view(*x.shape[:-1], self._outputs)
        return out if self._bias is None else out + self._bias


def pack(precision: str, weight: Tensor) -> Parts:
    """`weight` float32 [out, in] in "int8" or "int4"; eight bits too where four cannot be cut into groups."""
    outputs, inputs = weight.shape
    if precision != "int4" or inputs % INT4_GROUP:
        return Int8Linear.parts(weight)
    if kernels.supports(Kind.INT4, outputs, inputs):
        return {"units": four_bit_units(weight)}
    return Int4Linear.parts(weight)


def fits(parts: Parts, outputs: int, inputs: int) -> bool:
    """Whether parts from a file are what a layer of these sizes needs; the kernels themselves look at nothing."""
    found = {name: (tuple(part.shape), part.dtype) for name, part in parts.items()}
    tiled = outputs + -outputs % _INT4_TILE
    if kernels.supports(Kind.INT4, outputs, inputs) and "units" in found:
        return found == {"units": ((outputs // UNIT, inputs // INT4_GROUP, GROUP_BYTES), torch.uint8)}
    return found in (
        {"codes": ((outputs, inputs), torch.int8), "scales": ((outputs,), torch.float32)},
        {
            "nibbles": ((tiled, inputs // 2), torch.uint8),
            "scales": ((inputs // INT4_GROUP, tiled, 2), torch.bfloat16),
        },
    )


def layers(work: Sequence[tuple[Parts, int, Tensor | None]]) -> Iterator[nn.Module]:
    """The layers of packed weights, outputs and biases, in order. The kernels lay weights out anew: on all cores."""
    with _quietly(), ThreadPoolExecutor(usable_cores()) as pool:
        yield from pool.map(lambda one: _layer(*one), work)


def layer(parts: Parts, outputs: int, bias: Tensor | None) -> nn.Module:
    """The layer of one packed weight."""
    (made,) = layers([(parts, outputs, bias)])
    return made


def _layer(parts: Parts, outputs: int, bias: Tensor | None) -> nn.Module:
    if "units" in parts:
        return NativeLinear(Kind.INT4, [Weights(parts["units"])], parts["units"].shape[1] * INT4_GROUP, bias)
    if "nibbles" in parts:
        return Int4Linear(parts, outputs, bias)
    inputs = parts["codes"].shape[1]
    if kernels.supports(Kind.INT8, outputs, inputs):
        return NativeLinear(Kind.INT8, [Weights(parts["codes"], parts["scales"])], inputs, bias)
    return Int8Linear(parts, bias)


def four_bits(weight: Tensor) -> tuple[Tensor, Tensor]:
    """Codes 0 .. 15, int32 [out, in], and per group a scale and the value of code 8, float32 [in / group, out, 2].

    Scales are rounded to bfloat16 before the codes are chosen: the kernel keeps them so.
    """
    groups = weight.view(len(weight), -1, INT4_GROUP)
    low, high = groups.amin(dim=-1, keepdim=True), groups.amax(dim=-1, keepdim=True)
    scale = ((high - low) / 15).clamp_min(1e-8).bfloat16().float()
    middle = (low + 8 * scale).bfloat16().float()
    codes = torch.round((groups - middle) / scale + 8).clamp_(0, 15).to(torch.int32)
    pairs = torch.cat((scale, middle), dim=-1).transpose(0, 1).contiguous()
    return codes.view(weight.shape), pairs


def _unpacked(nibbles: Tensor) -> Tensor:
    """Codes int32 [out, in]."""
    return torch.stack((nibbles & 15, nibbles >> 4), dim=-1).flatten(1).to(torch.int32)


def _in_whole_tiles(weight: Tensor) -> Tensor:
    missing = -len(weight) % _INT4_TILE
    return torch.cat((weight, weight.new_zeros(missing, weight.shape[1]))) if missing else weight


@contextmanager
def _quietly() -> Iterator[None]:
    """torch 2.13 warns that these kernels will move to another package; the version is pinned."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
