"""Weighted k-means, for codebooks."""

from __future__ import annotations

import torch
from torch import Tensor


def nearest(points: Tensor, centres: Tensor, chunk: int = 65_536) -> Tensor:
    """int64 [n]: which centre each of `points` [n, d] is nearest to."""
    offset = 0.5 * centres.pow(2).sum(1)
    parts = [points[at : at + chunk] for at in range(0, len(points), chunk)]
    return torch.cat([(part @ centres.T - offset).argmax(1) for part in parts])


def kmeans(points: Tensor, weights: Tensor, count: int, rounds: int, generator: torch.Generator) -> Tensor:
    """[count, d]; centres that lose all their points move to points that are drawn anew."""
    centres = points[torch.multinomial(weights, min(count, len(points)), generator=generator)]
    if len(centres) < count:
        centres = torch.cat([centres, centres.new_zeros(count - len(centres), centres.shape[1])])
    for turn in range(rounds):
        chosen = nearest(points, centres)
        mass = torch.zeros(count).index_add_(0, chosen, weights)
        sums = torch.zeros_like(centres).index_add_(0, chosen, points * weights[:, None])
        centres = torch.where(mass[:, None] > 0, sums / mass.clamp(min=1e-9)[:, None], centres)
        empty = (mass <= 0).nonzero()[:, 0]
        if len(empty) and turn < rounds - 2:
            error = (points - centres[nearest(points, centres)]).pow(2).sum(1) * weights
            if float(error.sum()) > 0:
                centres[empty] = points[torch.multinomial(error + 1e-12, len(empty), True, generator=generator)]
    return centres
