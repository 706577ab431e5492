"""The trained parts compute what the engine's own parts compute."""

from __future__ import annotations

from typing import cast

import pytest
import torch
from built_in_model import dimensions, encoder
from built_in_model.modules import Average, OpenCache, TrainedSnake, prepare
from torch import nn

from engine.model.codec_decoder import CodecDecoder, SnakeBeta
from engine.model.codec_encoder import CodecEncoder
from engine.model.talker import Talker


def prepared(module: nn.Module) -> nn.Module:
    return prepare(module, torch.Generator().manual_seed(0))


def test_snake_has_the_right_gradient() -> None:
    snake = cast("TrainedSnake", prepared(SnakeBeta(3))).double()
    assert isinstance(snake, TrainedSnake)
    snake.alpha.data.uniform_(-0.5, 0.5)
    snake.beta.data.uniform_(-0.5, 0.5)
    x = torch.randn(2, 7, 3, dtype=torch.float64, requires_grad=True)

    def through(x: torch.Tensor, alpha: torch.Tensor, beta: torch.Tensor) -> torch.Tensor:
        return cast("torch.Tensor", torch.func.functional_call(snake, {"alpha": alpha, "beta": beta}, (x,)))

    assert torch.autograd.gradcheck(through, (x, snake.alpha, snake.beta))
    plain = SnakeBeta.forward(snake, x)
    torch.testing.assert_close(snake(x), plain)


@torch.inference_mode()
def test_an_open_cache_is_a_whole_pass() -> None:
    config = dimensions.model().talker_config
    talker = cast("Talker", prepared(Talker(config)))
    rows = torch.randn(2, 11, config.hidden_size)
    torch.testing.assert_close(talker(rows, OpenCache()), talker(rows, talker.new_cache(2, 4)), atol=1e-5, rtol=1e-4)


@torch.inference_mode()
def test_the_encoder_pass_is_the_engines() -> None:
    model = cast("CodecEncoder", prepared(CodecEncoder(dimensions.codec())))
    samples = 0.1 * torch.randn(2, 3 * 1920)
    whole = encoder._features(model, samples)
    for row, features in zip(samples, whole, strict=True):
        torch.testing.assert_close(features[None], model(row[None]), atol=1e-5, rtol=1e-4)


@torch.inference_mode()
def test_a_prepared_decoder_starts_quiet_and_finite() -> None:
    config = dimensions.codec().decoder_config
    decoder = cast("CodecDecoder", prepared(CodecDecoder(config)))
    sound = decoder(torch.randn(1, 4, config.codebook_dim), decoder.new_state())
    assert sound.shape == (1, 4 * 1920)
    assert bool(torch.isfinite(sound).all())
    assert float(sound.abs().max()) < 1


def test_the_average_follows_its_parameters() -> None:
    parameter = nn.Parameter(torch.zeros(1))
    average = Average([parameter], decay=0.9)
    parameter.data += 1
    for _ in range(200):
        average.update()
    assert float(average.values[0]) == pytest.approx(1.0, abs=1e-3)
