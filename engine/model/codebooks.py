"""The residual vector quantiser's tables, as the decoder uses them."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor

from engine.model.config import CodecDecoderConfig
from engine.model.weights import Tensors

_USAGE_FLOOR = 1e-5


def codebook(total: Tensor, usage: Tensor) -> Tensor:
    """The vectors [entries, dim] of a book stored as sums and counts; unused entries have a floor for a count."""
    return total / usage.clamp(min=_USAGE_FLOOR)[:, None]


class Codebooks:
    """Code frames to latents: book 0 through its projection, plus the sum of the others through theirs."""

    def __init__(self, tensors: Tensors, config: CodecDecoderConfig, device: torch.device) -> None:
        self._device = device
        self._first = _Branch(tensors, "decoder.quantizer.rvq_first.", 1, device)
        self._rest = _Branch(tensors, "decoder.quantizer.rvq_rest.", config.num_quantizers - 1, device)

    def latents(self, codes: Tensor) -> Tensor:
        """`codes` int64 [batch, frames, books] -> [batch, frames, codebook_dim]."""
        codes = codes.to(self._device)
        return self._first.decode(codes[:, :, :1]) + self._rest.decode(codes[:, :, 1:])


class _Branch:
    def __init__(self, tensors: Tensors, prefix: str, count: int, device: torch.device) -> None:
        names = [f"{prefix}vq.layers.{i}._codebook." for i in range(count)]
        self._books = [
            codebook(tensors[n + "embedding_sum"].float(), tensors[n + "cluster_usage"].float()).to(device)
            for n in names
        ]
        self._output = tensors[prefix + "output_proj.weight"][:, :, 0].float().clone().to(device)

    def decode(self, codes: Tensor) -> Tensor:
        total = self._output.new_zeros(*codes.shape[:2], self._books[0].shape[1])
        for i, book in enumerate(self._books):
            total = total + book[codes[:, :, i]]
        return F.linear(total, self._output)
