"""Captured steps: what is captured computes the same; on a GPU the captured whole gives the same codes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

import engine
from engine.model import graphs
from engine.model.graphs import PredictorSteps, TalkerSteps
from tests.conftest import Checkpoints


class Launched:
    """In the place of a capture, where there is no GPU: the step itself."""

    made = 0

    def __init__(self, work: Callable[[], Tensor], pool: object) -> None:
        Launched.made += 1
        self.replay = work


class Picks:
    """Codes that do not depend on the logits, which are kept."""

    def __init__(self) -> None:
        self.seen: list[Tensor] = []

    def __call__(self, logits: Tensor) -> Tensor:
        self.seen.append(logits.clone())
        return torch.tensor([len(self.seen) * 7 % logits.shape[1]])


@pytest.fixture
def launched(monkeypatch: pytest.MonkeyPatch) -> type[Launched]:
    monkeypatch.setattr(graphs, "Graph", Launched)
    monkeypatch.setattr(graphs, "_LEAST_ROWS", 8)
    Launched.made = 0
    return Launched


@torch.inference_mode()
@pytest.mark.parametrize("prompt_rows", [3, 8, 13])
def test_static_steps_of_the_talker_are_its_steps(model: Any, launched: type[Launched], prompt_rows: int) -> None:
    """Over several sizes of the static cache, and after another stream."""
    talker = model("tiny-custom").speaker.talker
    rows = torch.randn(40, talker.config.hidden_size, generator=torch.Generator().manual_seed(2))
    steps = TalkerSteps(talker, None)
    for _ in range(2):
        prompt, plain = talker.new_cache(1, 4), talker.new_cache(1, 4)
        for cache in (prompt, plain):
            talker(rows[None, :prompt_rows], cache)
        for row in rows[prompt_rows:]:
            expected = talker(row[None, None], plain)[:, -1]
            torch.testing.assert_close(steps.step(row, prompt), expected, atol=1e-4, rtol=1e-4)
    assert launched.made == {3: 4, 8: 3, 13: 3}[prompt_rows]  # 8, 16, 32, 64 rows: each once


@torch.inference_mode()
@pytest.mark.parametrize("name", ["tiny-custom", "tiny-mtp-custom"])
def test_static_steps_of_the_predictor_are_its_steps(model: Any, launched: type[Launched], name: str) -> None:
    speaker = model(name).speaker
    width = speaker.talker.config.hidden_size
    steps = PredictorSteps(speaker.predictor, width, None)
    random = torch.Generator().manual_seed(3)
    for _ in range(2):
        hidden, first = (torch.randn(1, width, generator=random) for _ in range(2))
        picks = (Picks(), Picks())
        plain = speaker.predictor(hidden, first, speaker.predictor.new_cache(1), picks[0])
        stepped = steps(hidden, first, picks[1])
        assert torch.equal(plain[0], stepped[0])
        torch.testing.assert_close(plain[1], stepped[1])
        for one, other in zip(picks[0].seen, picks[1].seen, strict=True):
            torch.testing.assert_close(one, other, atol=1e-5, rtol=1e-5)
    assert launched.made == 15


def test_there_are_none_without_a_gpu(model: Any) -> None:
    assert model("tiny-custom").speaker.graphs.steps() is None


@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA GPU on this machine")
def test_captured_steps_give_the_same_codes(checkpoints: Checkpoints, monkeypatch: pytest.MonkeyPatch) -> None:
    custom: Any = engine.load_model(checkpoints.folder("tiny-custom"), "cuda", "fp32")
    request = engine.SpeechRequest("Hello there.", speaker="ryan", seed=1, max_new_tokens=40)
    assert custom.speaker.graphs.steps() is not None
    captured = np.concatenate([chunk.codes for chunk in custom.speak(request)])
    monkeypatch.setattr(custom.speaker.graphs, "steps", lambda: None)
    plain = np.concatenate([chunk.codes for chunk in custom.speak(request)])
    assert np.array_equal(captured, plain)


@pytest.mark.skipif(not torch.backends.mps.is_available(), reason="no Apple GPU on this machine")
def test_an_apple_gpu_speaks_without_them(checkpoints: Checkpoints) -> None:
    custom: Any = engine.load_model(checkpoints.folder("tiny-custom"), "mps", "fp32")
    assert custom.speaker.graphs.steps() is None
    request = engine.SpeechRequest("Hello there.", speaker="ryan", seed=1, max_new_tokens=10)
    assert np.isfinite(np.concatenate([chunk.samples for chunk in custom.speak(request)])).all()
