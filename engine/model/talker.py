"""The talker: rows in, the hidden state and the logits of each frame's first code out."""

from __future__ import annotations

from torch import Tensor, nn

from engine.model import bare
from engine.model.config import TalkerConfig
from engine.model.layers import Cache, KeyValueCache, Stack


class Talker(nn.Module):
    """`talker.model` and `talker.codec_head`, without the embeddings (see `embeddings.py`)."""

    def __init__(self, config: TalkerConfig) -> None:
        super().__init__()
        self.config = config
        self.model = Stack(config)
        self.codec_head = bare.Linear(config.hidden_size, config.vocab_size, bias=False)

    def forward(self, rows: Tensor, cache: Cache) -> Tensor:
        """Hidden states after the final norm, [batch, rows, width], of the next `rows`."""
        return self.model(rows, cache)  # type: ignore[no-any-return]

    def logits(self, hidden: Tensor) -> Tensor:
        """[batch, vocab] of code 0, from the last row's `hidden` [batch, width]."""
        return self.codec_head(hidden)  # type: ignore[no-any-return]

    def new_cache(self, batch: int, capacity: int) -> KeyValueCache:
        return KeyValueCache(self.config, batch, capacity, self.model.norm.weight)
