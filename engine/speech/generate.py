"""The frame loop: prompt rows in, frames of codes out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.model.code_predictor import CodePredictor
from engine.model.config import TalkerConfig
from engine.model.embeddings import Embeddings
from engine.model.talker import Talker
from engine.progress import Cancel
from engine.speech.sampling import FirstCodeRules, Sampler
from engine.text.prompt import Prompt


@dataclass(frozen=True, eq=False)
class Speaker:
    """The parts of a model that make codes. `embeddings` may carry a voice's own tables."""

    talker: Talker
    predictor: CodePredictor
    embeddings: Embeddings


@dataclass(frozen=True)
class LoopSettings:
    """Samplers and limits of one run of the loop. `eos_id` None takes the model's."""

    first: Sampler
    rest: Sampler
    penalty: float
    max_new_tokens: int
    eos_id: int | None = None

    def rules(self, config: TalkerConfig) -> FirstCodeRules:
        controls = range(config.code_predictor_config.vocab_size, config.vocab_size)
        eos = config.codec_eos_token_id
        return FirstCodeRules(eos if self.eos_id is None else self.eos_id, controls, eos, self.penalty)


def generate_frames(
    speaker: Speaker, prompt: Prompt, settings: LoopSettings, generator: torch.Generator, cancel: Cancel
) -> Iterator[Tensor]:
    """Frames of codes int64 [codebooks], until the model ends or `max_new_tokens - 1` frames are out.

    The official code computes a frame's codes 1 .. 15 at the start of the next step, so N tokens give N - 1 frames;
    the last token is drawn all the same, which keeps the random stream in step. Codes are drawn on the CPU in float32
    whatever the model computes in, so that one seed means one stream of chance. Raises `Cancelled` between frames.
    """
    talker, predictor = speaker.talker, speaker.predictor
    rules = settings.rules(talker.config)
    cache = talker.new_cache(1, capacity=len(prompt.rows) + 128)
    frame_cache = predictor.new_cache(1)
    produced: set[int] = set()
    hidden = talker(prompt.rows[None], cache)[:, -1]

    def pick(logits: Tensor) -> Tensor:
        return settings.rest.draw(logits.float().cpu(), generator)

    for frame in range(settings.max_new_tokens):
        cancel.check()
        logits = rules.apply(talker.logits(hidden).float().cpu(), produced, frame)
        first = settings.first.draw(logits, generator)
        token = int(first)
        if token == rules.eos_id or frame == settings.max_new_tokens - 1:
            return
        produced.add(token)
        first_row = speaker.embeddings.codec[first.to(hidden.device)]
        rest, rest_rows = predictor(hidden, first_row, frame_cache, pick)
        yield torch.cat((first[:, None], rest), dim=1)[0]
        row = first_row + rest_rows + prompt.text_row(frame)
        hidden = talker(row[:, None], cache)[:, -1]
