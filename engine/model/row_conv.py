"""Convolutions over rows by the kernels of `engine/kernels`, their weights laid out once.

Rows are [batch, places in time, channels], so that a place and its neighbours lie beside each other: a tap of a
convolution is a product of the rows where they are, and nothing is copied.
"""

from __future__ import annotations

import math

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor

from engine import kernels
from engine.kernels import LANES


class RowConv:
    """A convolution without padding, stride 1, on the CPU in float32. Each row as it comes out alone."""

    def __init__(self, weight: Tensor, bias: Tensor | None, dilation: int = 1, *, reverse: bool = False) -> None:
        """`weight` [outputs, inputs, taps] as torch has it; outputs may be several dimensions, in any strides.

        `reverse`: its first tap is of the last place, not of the first.
        """
        *leading, self.inputs, self._taps = weight.shape
        self.outputs = math.prod(leading)
        self._dilation, self.reach = dilation, (self._taps - 1) * dilation
        tap_step, first = weight.stride(-1), 0
        if reverse:
            tap_step, first = -tap_step, (self._taps - 1) * tap_step
        starts = torch.tensor(first)
        for size, step in zip(leading, weight.stride(), strict=False):
            starts = starts[..., None] + torch.arange(size) * step
        starts = F.pad(starts.flatten(), (0, -self.outputs % LANES), value=-1)
        self._weights = weight.new_empty(len(starts), self.inputs, self._taps)
        kernels.lay_out(
            weight.data_ptr(), starts.data_ptr(), weight.stride(-2), tap_step,
            len(starts), self.inputs, self._taps, self._weights.data_ptr(),
        )  # fmt: skip
        self._bias = weight.new_zeros(len(starts))
        if bias is not None:
            self._bias[: self.outputs] = bias

    def __call__(self, rows: Tensor, plus: Tensor | None = None) -> Tensor:
        """`rows` [batch, n + reach, inputs] -> [batch, n, outputs]; with `plus` added to it, in its place."""
        rows, count, width = rows.contiguous(), rows.shape[1] - self.reach, len(self._bias)
        in_place = plus is not None and width == self.outputs
        out = plus if in_place else rows.new_empty(len(rows), count, width)
        assert out is not None
        assert out.is_contiguous()
        for one, made in zip(rows, out, strict=True):
            kernels.convolve(
                one.data_ptr(), count, self.inputs, self._taps, self._dilation, self._weights.data_ptr(),
                self._bias.data_ptr(), made.data_ptr(), width, in_place,
            )  # fmt: skip
        out = out[..., : self.outputs].contiguous()
        return out if plus is None or in_place else plus + out


def snake(x: Tensor, alpha: Tensor, gain: Tensor, out: Tensor) -> Tensor:
    """x + gain sin^2(alpha x) over rows [batch, n, channels], into `out`, whose rows must follow each other."""
    for one, made in zip(x.contiguous(), out, strict=True):
        kernels.snake(one.data_ptr(), one.shape[0], one.shape[1], alpha.data_ptr(), gain.data_ptr(), made.data_ptr())
    return out


def elu(x: Tensor, out: Tensor) -> Tensor:
    """x, or e^x - 1 where that is negative, over rows [batch, n, channels], likewise."""
    for one, made in zip(x.contiguous(), out, strict=True):
        kernels.elu(one.data_ptr(), one.shape[0], one.shape[1], made.data_ptr())
    return out
