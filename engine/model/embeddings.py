"""What turns ids into rows: the text side with its projection, and the codec side of the talker.

Kept apart from the talker's layers because a Standard voice file replaces exactly this part.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor

from engine.errors import VoiceError
from engine.model.config import ModelConfig
from engine.model.device import Placement
from engine.model.weights import Tensors, tensor_of
from engine.voice.voice import SourceTables, SpecialRows, Voice

_TEXT = "talker.model.text_embedding.weight"
_CODEC = "talker.model.codec_embedding.weight"
_PROJECTION = "talker.text_projection.linear_"


@dataclass(frozen=True, eq=False)
class TextProjection:
    """fc2(silu(fc1(x))): from the text side's width to the talker's."""

    fc1_weight: Tensor
    fc1_bias: Tensor
    fc2_weight: Tensor
    fc2_bias: Tensor

    def __call__(self, rows: Tensor) -> Tensor:
        return F.linear(F.silu(F.linear(rows, self.fc1_weight, self.fc1_bias)), self.fc2_weight, self.fc2_bias)


@dataclass(frozen=True, eq=False)
class Embeddings:
    """`text` [text_vocab, text_width] as stored and where it lies (rows are converted when looked up), `codec` [vocab,
    width] where and as the model computes.

    `special` [3, width] are the projected rows of tts_pad, tts_bos and tts_eos, which every prompt uses.
    """

    text: Tensor
    projection: TextProjection
    codec: Tensor
    special: Tensor

    @classmethod
    def load(cls, tensors: Tensors, config: ModelConfig, placement: Placement) -> Embeddings:
        def part(name: str) -> Tensor:
            return placement.put(tensors[_PROJECTION + name])

        projection = TextProjection(part("fc1.weight"), part("fc1.bias"), part("fc2.weight"), part("fc2.bias"))
        return cls._complete(tensors[_TEXT], projection, placement.put(tensors[_CODEC]), config)

    @classmethod
    def _complete(cls, text: Tensor, projection: TextProjection, codec: Tensor, config: ModelConfig) -> Embeddings:
        ids = torch.tensor([config.tts_pad_token_id, config.tts_bos_token_id, config.tts_eos_token_id])
        return cls(text, projection, codec, projection(text[ids].to(codec)))

    def text_rows(self, ids: list[int]) -> Tensor:
        """[len(ids), width]: the projected rows of text-side ids."""
        return self.projection(self.text[torch.tensor(ids, dtype=torch.int64)].to(self.codec))

    def codec_rows(self, ids: list[int]) -> Tensor:
        """[len(ids), width] of codec-side ids of the talker's own table."""
        return self.codec[torch.tensor(ids, dtype=torch.int64, device=self.codec.device)]

    @property
    def pad(self) -> Tensor:
        return self.special[0]

    @property
    def bos(self) -> Tensor:
        return self.special[1]

    @property
    def eos(self) -> Tensor:
        return self.special[2]

    def with_voice(self, voice: Voice, config: ModelConfig) -> Embeddings:
        """These embeddings with what a Standard file overrides (TPAD, WOVR), as the C engine applies it."""
        out = self if voice.tables is None else self._with_tables(voice.tables, config)
        return out if voice.special_rows is None else out._with_special(voice.special_rows)

    def _with_tables(self, tables: SourceTables, config: ModelConfig) -> Embeddings:
        found, wanted = tables.fc2_weight.shape, tuple(self.projection.fc2_weight.shape)
        if found != wanted or tables.codec_rows.shape[1] != self.codec.shape[1]:
            raise VoiceError(f"The voice carries tables of {found}, this model has {wanted}. Save it as Light instead.")
        codec = self.codec.clone()
        codec[: len(tables.codec_rows)] = tensor_of(tables.codec_rows).to(codec)
        projection = TextProjection(
            tensor_of(tables.fc1_weight).to(codec),
            torch.from_numpy(tables.fc1_bias).to(codec),
            tensor_of(tables.fc2_weight).to(codec),
            torch.from_numpy(tables.fc2_bias).to(codec),
        )
        return self._complete(self.text, projection, codec, config)

    def _with_special(self, rows: SpecialRows) -> Embeddings:
        special = torch.stack([torch.from_numpy(row) for row in (rows.pad, rows.bos, rows.eos)])
        return replace(self, special=special.to(self.codec))
