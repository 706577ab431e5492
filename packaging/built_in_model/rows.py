"""Prompt rows and the rows of frames, as ids: the very rows that `engine/text/prompt.py` builds, for whole batches.

A row is the projected embedding of a text id, plus the embedding of a codec id, plus the x-vector, plus the embeddings
of a frame's codes; each may be absent.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.model.config import ModelConfig

NONE = -1
Ints = npt.NDArray[np.int64]


@dataclass
class Layout:
    """The rows of one utterance up to its last frame; `speaker` is the x-vector's row, if it has one.

    Row `first + t` predicts frame t, and holds the codes of frame t - 1. `places` are the rows of the text's tokens.
    """

    text: list[int] = field(default_factory=list)
    codec: list[int] = field(default_factory=list)
    speaker: int = NONE
    first: int = 0
    places: Ints = field(default_factory=lambda: np.zeros(0, np.int64))

    def add(self, text: int, codec: int) -> None:
        self.text.append(text)
        self.codec.append(codec)


@dataclass(frozen=True)
class Said:
    """What a prompt is made from; `speaker_id` is a preset's codec id, otherwise there is an x-vector."""

    role: list[int]
    instruct: list[int]
    text: list[int]
    language: int | None
    speaker_id: int | None
    streamed: bool


def lay_out(said: Said, frames: int, config: ModelConfig) -> Layout:
    """The rows of a prompt and of `frames` frames after it."""
    out, c = Layout(), config.talker_config
    pad, begin, end = config.tts_pad_token_id, config.tts_bos_token_id, config.tts_eos_token_id
    for token in (*said.instruct, *said.role):
        out.add(token, NONE)
    if said.language is None:
        opening = [c.codec_nothink_id, c.codec_think_bos_id, c.codec_think_eos_id]
    else:
        opening = [c.codec_think_id, c.codec_think_bos_id, said.language, c.codec_think_eos_id]
    for token in opening:
        out.add(pad, token)
    if said.speaker_id is None:
        out.speaker = len(out.text)
    out.add(pad, NONE if said.speaker_id is None else said.speaker_id)
    out.add(begin, c.codec_pad_id)
    start = len(out.text)
    tokens = [*said.text, end]
    if not said.streamed:
        for token in tokens:
            out.add(token, c.codec_pad_id)
        tokens = [pad]
    out.first = len(out.text)
    out.add(tokens[0], c.codec_bos_id)
    for frame in range(frames):
        out.add(tokens[frame + 1] if frame + 1 < len(tokens) else pad, NONE)
    out.places = start + np.arange(len(said.text))
    return out
