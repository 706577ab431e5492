"""Heads that are all zero are not asked, and nothing of what is drawn changes by it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
import torch
from torch import Tensor

from engine.model.code_predictor import CodePredictor
from engine.speech.sampling import Sampler

_SEED = 5


def predictor_with(model: Any, silent: Iterable[int]) -> CodePredictor:
    """Of random weights, but heads `silent` zero."""
    predictor = CodePredictor(model("tiny-mtp-custom").speaker.talker.config)
    random = torch.Generator().manual_seed(_SEED)
    for weight in predictor.parameters():
        weight.data.normal_(0, 0.3, generator=random)
    for place in silent:
        predictor.lm_head[place].get_parameter("weight").data.zero_()
    return predictor


def said_by(predictor: CodePredictor, sampler: Sampler) -> tuple[Tensor, Tensor, Tensor, int]:
    """Codes, their rows' sum, the state of chance afterwards; how often the stack ran."""
    chance, runs = torch.Generator().manual_seed(_SEED), list[int]()
    width = predictor.model.codec_embedding[0].get_parameter("weight").shape[1]
    hidden, first = torch.randn(2, 3, width, generator=torch.Generator().manual_seed(_SEED))
    hook = predictor.model.register_forward_hook(lambda *_: runs.append(1))
    codes, rows = predictor(hidden, first, predictor.new_cache(3), lambda logits: sampler.draw(logits, chance))
    hook.remove()
    return codes, rows, chance.get_state(), len(runs)


@torch.inference_mode()
@pytest.mark.parametrize("sampler", [Sampler(True, 0.9, 50, 1.0), Sampler(True, 0.2, 5, 0.9), Sampler(False, 1, 0, 1)])
def test_what_zero_heads_say_is_drawn_without_the_stack(model: Any, sampler: Sampler) -> None:
    """Their embeddings are not zero here, and are summed all the same."""
    quick, slow = (predictor_with(model, range(6, 15)) for _ in range(2))
    vars(slow)["asked"] = 15
    said, expected = said_by(quick, sampler), said_by(slow, sampler)
    assert (said[3], expected[3]) == (6, 15)
    for one, other in zip(said[:3], expected[:3], strict=True):
        assert torch.equal(one, other)


@torch.inference_mode()
@pytest.mark.parametrize(("silent", "asked"), [((), 15), ((3, 13), 15), ((3, 14), 14), (range(15), 0)])
def test_only_the_last_heads_are_left_out(model: Any, silent: Iterable[int], asked: int) -> None:
    assert predictor_with(model, silent).asked == asked


@torch.inference_mode()
def test_a_head_of_one_small_weight_is_asked(model: Any) -> None:
    predictor = predictor_with(model, [14])
    weight = predictor.lm_head[14].get_parameter("weight").data
    weight[3, 0], weight[3, 1] = 1e-4, -1e-4  # a row of ones would not show it
    assert predictor.asked == 15
