"""From logits to codes: pure functions, the generator passed in.

Order and arithmetic are the official code's (transformers' logits processors), so that one seed draws the same
codes one for one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import torch
from torch import Tensor

from engine.model.config import GenerationConfig
from engine.speech.request import SamplerSettings, Sampling

_BARRED = float("-inf")
_EOS_HELD_BACK_TOKENS = 2  # the model may not end before it has spoken this many tokens


@dataclass(frozen=True)
class Sampler:
    """One sampler's settings with nothing left open."""

    do_sample: bool
    temperature: float
    top_k: int
    top_p: float

    def draw(self, logits: Tensor, generator: torch.Generator) -> Tensor:
        """Codes int64 [batch] from float32 logits [batch, vocab]: the best, or a draw."""
        if not self.do_sample:
            return logits.argmax(dim=-1)
        logits = _keep_top_p(_keep_top_k(logits / self.temperature, self.top_k), self.top_p)
        return torch.multinomial(torch.softmax(logits, dim=-1), 1, generator=generator)[:, 0]


def resolve(sampling: Sampling, defaults: GenerationConfig) -> tuple[Sampler, Sampler, float]:
    """The talker's and the predictor's samplers and the repetition penalty: asked for, else the checkpoint's."""
    d = defaults
    talker = _resolve(sampling.talker, d.do_sample, d.temperature, d.top_k, d.top_p)
    predictor = _resolve(
        sampling.predictor,
        d.subtalker_dosample,
        d.subtalker_temperature,
        d.subtalker_top_k,
        d.subtalker_top_p,
    )
    penalty = sampling.repetition_penalty
    return talker, predictor, d.repetition_penalty if penalty is None else penalty


def _resolve(asked: SamplerSettings, do_sample: bool, temperature: float, top_k: int, top_p: float) -> Sampler:
    return Sampler(
        do_sample if asked.do_sample is None else asked.do_sample,
        temperature if asked.temperature is None else asked.temperature,
        top_k if asked.top_k is None else asked.top_k,
        top_p if asked.top_p is None else asked.top_p,
    )


@dataclass(frozen=True)
class FirstCodeRules:
    """What may not be drawn as code 0: control ids, an end too early; and the penalty on what was drawn before."""

    eos_id: int
    control_ids: range
    codec_eos_id: int
    penalty: float

    def apply(self, logits: Tensor, produced: Iterable[int], count: int) -> Tensor:
        """`logits` [1, vocab] under the rules, after `count` tokens of which `produced` are the distinct ones."""
        logits = logits.clone()
        before = torch.tensor(sorted(produced), dtype=torch.int64)
        if self.penalty != 1.0 and len(before):
            scores = logits[:, before]
            logits[:, before] = torch.where(scores < 0, scores * self.penalty, scores / self.penalty)
        if count < _EOS_HELD_BACK_TOKENS:
            logits[:, self.eos_id] = _BARRED
        kept = logits[:, self.codec_eos_id].clone()
        logits[:, self.control_ids.start : self.control_ids.stop] = _BARRED
        logits[:, self.codec_eos_id] = kept
        return logits


def _keep_top_k(logits: Tensor, top_k: int) -> Tensor:
    """Bar all below the k-th largest; equals of it stay. 0 keeps all."""
    if top_k <= 0 or top_k >= logits.shape[-1]:
        return logits
    smallest = torch.topk(logits, top_k).values[..., -1:]
    return logits.masked_fill(logits < smallest, _BARRED)


def _keep_top_p(logits: Tensor, top_p: float) -> Tensor:
    """Bar the tail whose probabilities together are at most 1 - top_p; the best one always stays."""
    if top_p >= 1.0:
        return logits
    ascending, order = torch.sort(logits, descending=False)
    tail = torch.softmax(ascending, dim=-1).cumsum(dim=-1) <= 1 - top_p
    tail[..., -1:] = False
    return logits.masked_fill(tail.scatter(1, order, tail), _BARRED)
