"""The code predictor: from the talker's hidden state and code 0 of a frame to codes 1 .. 15.

A small model may have heads that are all zero from some codebook on. Their logits are zero whatever the state is, so
the stack is not run for them; their codes are drawn all the same, so that one seed draws the official code's codes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import torch
from torch import Tensor, nn

from engine.model import bare
from engine.model.config import TalkerConfig
from engine.model.layers import KeyValueCache, Stack

Pick = Callable[[Tensor], Tensor]  # logits [batch, codebook_size] -> codes int64 [batch]


class _Codes(Stack):
    """`code_predictor.model`: the stack, and an embedding per codebook (of the talker's width, not its own)."""

    def __init__(self, config: TalkerConfig) -> None:
        predictor = config.code_predictor_config
        super().__init__(predictor)
        self.codec_embedding = nn.ModuleList(
            bare.Embedding(predictor.vocab_size, config.hidden_size) for _ in range(config.num_code_groups - 1)
        )


class CodePredictor(nn.Module):
    """`talker.code_predictor`."""

    def __init__(self, config: TalkerConfig) -> None:
        super().__init__()
        predictor = config.code_predictor_config
        self.config = predictor
        self.model = _Codes(config)
        self.lm_head = nn.ModuleList(
            bare.Linear(predictor.hidden_size, predictor.vocab_size, bias=False)
            for _ in range(config.num_code_groups - 1)
        )
        same = predictor.hidden_size == config.hidden_size
        self.small_to_mtp_projection = nn.Identity() if same else bare.Linear(config.hidden_size, predictor.hidden_size)

    @cached_property
    def asked(self) -> int:
        """How many heads, from the first one on, can say anything; asked once, of weights that do not change."""
        last = len(self.lm_head)
        while last and self._is_empty(self.lm_head[last - 1]):
            last -= 1
        return last

    def _is_empty(self, head: nn.Module) -> bool:
        """Whether `head`, whatever holds its weights, gives zeros only; one row answers for almost every other."""
        like = self.model.norm.weight
        if bool(head(like.new_ones(1, like.shape[0])).any()):
            return False
        return not bool(head(torch.eye(like.shape[0], dtype=like.dtype, device=like.device)).any())

    def forward(self, hidden: Tensor, first_row: Tensor, cache: KeyValueCache, pick: Pick) -> tuple[Tensor, Tensor]:
        """One frame.

        `hidden` [batch, width] of the talker, `first_row` [batch, width] the talker's embedding of code 0. `cache`
        is emptied first: every frame starts afresh. Returns codes 1 .. 15, int64 [batch, 15] where `pick` put them,
        and the sum of their embeddings [batch, width], which the talker's next row needs.
        """
        cache.reset()
        rows = torch.stack((hidden, first_row), dim=1)
        codes, total = [], torch.zeros_like(first_row)
        silent = hidden.new_zeros(len(hidden), self.config.vocab_size)  # logits of the heads that are not asked
        for place, (head, embedding) in enumerate(zip(self.lm_head, self.model.codec_embedding, strict=True)):
            if place < self.asked:
                state = self.model(self.small_to_mtp_projection(rows), cache)
                code = pick(head(state[:, -1]))
            else:
                code = pick(silent)
            row = embedding(code.to(rows.device))
            total = total + row
            codes.append(code)
            rows = row[:, None]
        return torch.stack(codes, dim=1), total

    def embed(self, codes: Tensor) -> Tensor:
        """The sum of the embeddings of codes 1 .. 15, int64 [rows, 15] -> [rows, width]."""
        codes = codes.to(self.model.norm.weight.device)
        parts = [table(codes[:, i]) for i, table in enumerate(self.model.codec_embedding)]
        return torch.stack(parts).sum(dim=0)

    def new_cache(self, batch: int) -> KeyValueCache:
        return KeyValueCache(self.config, batch, len(self.lm_head) + 1, self.model.norm.weight)
