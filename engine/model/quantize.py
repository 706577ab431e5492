"""Linear layers in fewer bits, behind one constructor; which kernel computes them is decided here only.

A layer takes and gives float32 rows [..., width]. Figures of the kernels that were tried: docs/speed.md.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import torch
from torch import Tensor, nn

INT4_GROUP = 32  # weights that share a scale and an offset: 5 bits a weight all told
_INT4_TILE = 16  # torch's kernel wants outputs in whole tiles of this many rows

Pack = Callable[[Tensor, Tensor | None], nn.Module]  # weight [out, in] and bias float32 -> a layer


class Int8Linear(nn.Module):
    """Weights int8 with a scale per output; rows are rounded to 7 bits on the way in, per call, by torch's kernel.

    Seven and not eight: without a dot product instruction for bytes the kernel adds pairs in 16 bits, which eight
    would overflow.
    """

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        scales = (weight.abs().amax(dim=1).clamp_min(1e-12) / 127).double()
        codes = torch.round(weight / scales[:, None].float()).clamp_(-127, 127).to(torch.int8)
        zeros = torch.zeros(len(weight), dtype=torch.int64)
        self.packed_bytes = codes.numel() + 8 * len(scales)
        with _quietly():
            quantized = torch._make_per_channel_quantized_tensor(codes, scales, zeros, 0)
            self._packed = torch.ops.quantized.linear_prepack(quantized, bias)

    def forward(self, x: Tensor) -> Tensor:
        out: Tensor = torch.ops.quantized.linear_dynamic(x, self._packed, True)
        return out


class Int4Linear(nn.Module):
    """Weights of 4 bits, `INT4_GROUP` of one row sharing a scale and an offset; computed by torch in bfloat16."""

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self._outputs = len(weight)
        codes, scales_and_offsets = four_bits(_in_whole_tiles(weight))
        self._codes = torch.ops.aten._convert_weight_to_int4pack_for_cpu(codes, 1)
        self._scales = scales_and_offsets.bfloat16()
        self._bias = bias
        self.packed_bytes = self._codes.nbytes + self._scales.nbytes

    def forward(self, x: Tensor) -> Tensor:
        rows = x.reshape(-1, x.shape[-1]).bfloat16()
        out: Tensor = torch.ops.aten._weight_int4pack_mm_for_cpu(rows, self._codes, INT4_GROUP, self._scales)
        out = out[:, : self._outputs].to(x.dtype).view(*x.shape[:-1], self._outputs)
        return out if self._bias is None else out + self._bias


def pack_int4(weight: Tensor, bias: Tensor | None) -> nn.Module:
    """Four bits, or eight for a weight that cannot be cut into groups."""
    return Int4Linear(weight, bias) if weight.shape[1] % INT4_GROUP == 0 else Int8Linear(weight, bias)


PACKS: dict[str, Pack] = {"int8": Int8Linear, "int4": pack_int4}


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


def _in_whole_tiles(weight: Tensor) -> Tensor:
    missing = -len(weight) % _INT4_TILE
    return torch.cat((weight, weight.new_zeros(missing, weight.shape[1]))) if missing else weight


@contextmanager
def _quietly() -> Iterator[None]:
    """torch 2.13 warns that these kernels will move to another package; the version is pinned."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield
