"""Prompt rows for every mode: each row is a text-side row plus a codec-side row, unless one side is empty.

The layout is the official code's, compared row by row in `tests/engine/test_goldens.py`.
"""

from __future__ import annotations

from dataclasses import dataclass

import torch
from torch import Tensor

from engine.errors import RequestError
from engine.model.config import ModelConfig, TalkerConfig
from engine.model.embeddings import Embeddings

AUTO = "auto"


@dataclass(frozen=True, eq=False)
class Reference:
    """What in-context cloning adds: the transcript's ids, and each reference frame's embedding [frames, width]."""

    text_ids: list[int]
    frame_rows: Tensor


@dataclass(frozen=True, eq=False)
class PromptParts:
    """Ids and rows that a prompt is laid out from.

    `role_ids` opens the assistant's turn, `speaker` [width] is the speaker's row or x-vector, if there is one.
    """

    role_ids: list[int]
    text_ids: list[int]
    instruct_ids: list[int]
    language_id: int | None
    speaker: Tensor | None
    reference: Reference | None
    streamed_text: bool


@dataclass(frozen=True, eq=False)
class Prompt:
    """`rows` [rows, width] go in at once; then each frame takes a row of `trailing` [n, width], and `pad` after it."""

    rows: Tensor
    trailing: Tensor
    pad: Tensor

    def text_row(self, frame: int) -> Tensor:
        """The text-side row [width] to add after frame `frame` (from 0)."""
        return self.trailing[frame] if frame < len(self.trailing) else self.pad


def language_id(config: TalkerConfig, language: str, speaker: str | None) -> int | None:
    """The codec id of `language`, None for auto; two presets speak a dialect where Chinese or auto is asked for.

    Raises `RequestError` for a language the model does not list. Dialects cannot be chosen by name.
    """
    name = language.lower()
    listed = [known for known in config.codec_language_id if not known.endswith("_dialect")]
    if name != AUTO and name not in listed:
        raise RequestError(
            f"This model does not speak {language!r}. Choose auto or one of: {', '.join(sorted(listed))}."
        )
    dialect = config.spk_is_dialect.get(speaker.lower(), False) if speaker else False
    if isinstance(dialect, str) and name in (AUTO, "chinese"):
        return config.codec_language_id[dialect]
    return None if name == AUTO else config.codec_language_id[name]


def build_prompt(parts: PromptParts, embeddings: Embeddings, config: ModelConfig) -> Prompt:
    """Lay out `parts`: instruction, role, codec prefix, speaker, then the text in the way its mode asks for."""
    talker, e = config.talker_config, embeddings
    head = [e.text_rows(parts.instruct_ids)] if parts.instruct_ids else []
    head += [e.text_rows(parts.role_ids), _codec_prefix(parts, e, talker)]
    body, trailing = _body(parts, e, talker)
    return Prompt(torch.cat([*head, body]), trailing, e.pad)


def _codec_prefix(parts: PromptParts, e: Embeddings, talker: TalkerConfig) -> Tensor:
    if parts.language_id is None:
        ids = [talker.codec_nothink_id, talker.codec_think_bos_id, talker.codec_think_eos_id]
    else:
        ids = [talker.codec_think_id, talker.codec_think_bos_id, parts.language_id, talker.codec_think_eos_id]
    rows = [e.codec_rows(ids)]
    if parts.speaker is not None:
        rows.append(parts.speaker[None])
    thinking = torch.cat(rows) + e.pad
    return torch.cat((thinking, e.bos[None] + e.codec_rows([talker.codec_pad_id])))


def _body(parts: PromptParts, e: Embeddings, talker: TalkerConfig) -> tuple[Tensor, Tensor]:
    pad, bos = e.codec_rows([talker.codec_pad_id]), e.codec_rows([talker.codec_bos_id])
    if parts.reference is not None:
        text = torch.cat((e.text_rows([*parts.reference.text_ids, *parts.text_ids]), e.eos[None]))
        return _in_context(text, torch.cat((bos, parts.reference.frame_rows)), pad, e, parts.streamed_text)
    if parts.streamed_text:
        text = torch.cat((e.text_rows(parts.text_ids), e.eos[None]))
        return text[:1] + bos, text[1:]
    text = torch.cat((e.text_rows(parts.text_ids), e.eos[None])) + pad
    return torch.cat((text, e.pad[None] + bos)), e.pad[None]


def _in_context(text: Tensor, frames: Tensor, pad: Tensor, e: Embeddings, streamed: bool) -> tuple[Tensor, Tensor]:
    """Transcript, text and reference frames: row by row together, or one after the other."""
    if not streamed:
        return torch.cat((text + pad, frames + e.pad)), e.pad[None]
    if len(text) > len(frames):
        return text[: len(frames)] + frames, text[len(frames) :]
    filled = torch.cat((text, e.pad.expand(len(frames) - len(text), -1)))
    return filled + frames, e.pad[None]
