"""What causal convolutions carry from one piece of a stream to the next."""

from __future__ import annotations

import torch
from torch import Tensor, nn


class Tails:
    """The last inputs of every layer; rows are [batch, places in time, channels]."""

    def __init__(self) -> None:
        self._tails: dict[nn.Module, Tensor] = {}

    def extend(self, layer: nn.Module, x: Tensor, count: int) -> Tensor:
        """`x` [batch, n, channels] with the `count` inputs before it in front (zeros at the start)."""
        if count == 0:
            return x
        joined = torch.cat((self.tail(layer, x, count), x), dim=1)
        self.keep(layer, joined, count)
        return joined

    def tail(self, layer: nn.Module, x: Tensor, count: int) -> Tensor:
        """The `count` inputs of `layer` before `x`."""
        tail = self._tails.get(layer)
        return x.new_zeros(x.shape[0], count, x.shape[2]) if tail is None else tail

    def keep(self, layer: nn.Module, joined: Tensor, count: int) -> None:
        """Remember the last `count` inputs of `layer`, not all that they are a part of."""
        self._tails[layer] = joined[:, -count:].clone()
