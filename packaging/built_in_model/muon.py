"""Muon: momentum made orthogonal for matrices of hidden layers (K. Jordan 2024), in the scaling of Liu et al. 2025.

At this size it needs about half of the steps that AdamW needs. Vectors, embeddings and heads stay with AdamW.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import torch
from torch import Tensor, nn

_MOMENTUM, _LIKE_ADAM = 0.95, 0.2  # the second brings an update to the size of one of AdamW
_A, _B, _C, _TURNS = 3.4445, -4.7750, 2.0315, 5  # of the Newton-Schulz iteration


def orthogonal(matrices: Tensor) -> Tensor:
    """About the nearest semi-orthogonal matrix of each of `matrices` [n, rows, columns], rows <= columns."""
    x: Tensor = matrices / matrices.norm(dim=(1, 2), keepdim=True).clamp(min=1e-7)
    for _ in range(_TURNS):
        square = x @ x.transpose(1, 2)
        x = torch.baddbmm(x, torch.baddbmm(square, square, square, beta=_B, alpha=_C), x, beta=_A)
    return x


class Muon:
    """An optimiser of matrices [rows, columns]; joined projections are given as (matrix, parts one above the other)."""

    def __init__(self, matrices: list[tuple[nn.Parameter, int]]) -> None:
        self.matrices = matrices
        self.momenta = [torch.zeros_like(p) for p, _ in matrices]

    @torch.no_grad()
    def step(self, rate: float) -> None:
        groups: dict[tuple[int, int], list[tuple[Tensor, Tensor]]] = defaultdict(list)
        for (parameter, parts), momentum in zip(self.matrices, self.momenta, strict=True):
            assert parameter.grad is not None
            momentum.lerp_(parameter.grad, 1 - _MOMENTUM)
            ahead = parameter.grad.lerp(momentum, _MOMENTUM)
            for value, update in zip(parameter.chunk(parts), ahead.chunk(parts), strict=True):
                wide = value.shape[0] <= value.shape[1]
                rows, columns = sorted(value.shape)
                groups[rows, columns].append((value if wide else value.T, update if wide else update.T))
        for (_, columns), pairs in groups.items():
            turned = orthogonal(torch.stack([update for _, update in pairs]))
            for (value, _), update in zip(pairs, turned, strict=True):
                value.add_(update, alpha=-rate * _LIKE_ADAM * columns**0.5)

    def state_dict(self) -> list[Tensor]:
        return self.momenta

    def load_state_dict(self, state: list[Tensor]) -> None:
        for momentum, kept in zip(self.momenta, state, strict=True):
            momentum.copy_(kept)


def hidden_matrices(*stacks: nn.Module) -> list[tuple[nn.Parameter, int]]:
    """The matrices of transformers, with how many projections each one joins."""
    joined: dict[str, Any] = {"qkv_proj": 3, "gate_up_proj": 2}
    return [
        (parameter, joined.get(name.split(".")[-2], 1))
        for stack in stacks
        for name, parameter in stack.named_parameters()
        if ".layers." in f".{name}" and parameter.ndim == 2
    ]
