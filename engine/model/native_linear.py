"""A linear layer over `engine/kernels`: weights in 16, 8 or 4 bits, rows float32."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import torch
from torch import Tensor, nn

from engine import kernels
from engine.kernels import GROUP, GROUP_BYTES, UNIT, Kind

MOST_PIECES = 3  # of a layer in a stack: queries, keys and values


class Weights(NamedTuple):
    """Of some outputs, as `kernels.Kind` says."""

    codes: Tensor
    scales: Tensor | None = None

    @property
    def outputs(self) -> int:
        return len(self.codes) * UNIT if self.codes.dtype == torch.uint8 else len(self.codes)


class NativeLinear(nn.Module):
    """x @ weight.T + bias over rows float32 [..., in]; each row as it comes out alone.

    `pieces` are weights of outputs one after the other: of a checkpoint's separate tensors one layer is made without
    copying them, mapped ones included. They are held as long as the layer.
    """

    rows_apart = True

    def __init__(self, kind: Kind, pieces: Sequence[Weights], in_features: int, bias: Tensor | None) -> None:
        super().__init__()
        self.in_features, self.out_features = in_features, sum(piece.outputs for piece in pieces)
        self._kind, self._bias = int(kind), bias
        self._held = [Weights(codes.contiguous(), scales) for codes, scales in pieces]
        self.packed_bytes = sum(tensor.nbytes for piece in self._held for tensor in piece if tensor is not None)
        self._places: list[tuple[int, int, int, int]] = []  # weights, scales, outputs, how far into a row of results
        at = 0
        for piece in self._held:
            scales = 0 if piece.scales is None else piece.scales.data_ptr()
            self._places.append((piece.codes.data_ptr(), scales, piece.outputs, 4 * at))
            at += piece.outputs

    @property
    def fits_a_stack(self) -> bool:
        """Whether `pieces` says all of it."""
        whole = all(piece.outputs % UNIT == 0 for piece in self._held)
        return whole and self._bias is None and len(self._places) <= MOST_PIECES

    def pieces(self) -> list[tuple[int, int, int, int]]:
        """Kind, outputs, address of weights and of scales (0: none) of each piece; as `piece` in stack.h."""
        return [(self._kind, outputs, weights, scales) for weights, scales, outputs, _ in self._places]

    def forward(self, x: Tensor) -> Tensor:
        x = x.contiguous()
        out = x.new_empty((*x.shape[:-1], self.out_features))
        rows, begin = x.numel() // self.in_features, out.data_ptr()
        for weights, scales, outputs, place in self._places:
            kernels.product(
                self._kind, x.data_ptr(), rows, self.in_features,
                begin + place, self.out_features, weights, scales, outputs,
            )  # fmt: skip
        return out if self._bias is None else out.add_(self._bias)


def four_bit_units(weight: Tensor) -> Tensor:
    """`weight` float32 [out, in] as uint8 [out / UNIT, in / GROUP, GROUP_BYTES].

    A group's largest weight is -8 steps of its scale, so the scale carries that weight's sign turned round. The nibble
    of input 8 q + b of a group is low in byte [q, output, b], that of input 8 q + 4 + b high.
    """
    outputs, inputs = weight.shape
    groups = weight.view(outputs, inputs // GROUP, GROUP)
    largest = groups.gather(-1, groups.abs().argmax(dim=-1, keepdim=True))
    scale = (largest / -8).bfloat16()
    steps = scale.float()
    codes = torch.round(groups / torch.where(steps == 0, 1.0, steps)).clamp_(-8, 7).add_(8).to(torch.uint8)
    parts = codes.view(-1, UNIT, inputs // GROUP, 4, 2, 4)  # unit, output, group, q, low or high, b
    nibbles = (parts[..., 0, :] | (parts[..., 1, :] << 4)).permute(0, 2, 3, 1, 4).flatten(2)
    scales = scale.view(-1, UNIT, inputs // GROUP).transpose(1, 2).contiguous().view(torch.uint8)
    units = torch.cat((nibbles, scales), dim=-1)
    assert units.shape[-1] == GROUP_BYTES
    return units
