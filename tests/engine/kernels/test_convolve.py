"""The codec's kernels: as torch computes them, and the same bits for any rows beside, threads and instruction set."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest
import torch
import torch.nn.functional as F  # noqa: N812
from torch import Tensor

import engine
from engine import kernels
from engine.kernels import Instructions
from engine.model.row_conv import RowConv, elu, snake
from tests.conftest import Checkpoints

pytestmark = pytest.mark.skipif(not kernels.available(), reason="no C compiler when the project was installed")

# inputs, outputs, taps, dilation, rows
SHAPES = [(1, 16, 7, 1, 20), (32, 48, 7, 3, 11), (96, 1, 7, 1, 33), (24, 80, 1, 1, 600), (160, 64, 2, 9, 5)]


@pytest.fixture(autouse=True)
def _as_found() -> Iterator[None]:
    threads = kernels.threads()
    yield
    kernels.set_threads(threads)
    kernels.choose(Instructions.BEST)


def drawn(*shape: int) -> Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(sum(shape)))


def exact(rows: Tensor, weight: Tensor, bias: Tensor, dilation: int) -> Tensor:
    return F.conv1d(rows.double().transpose(1, 2), weight.double(), bias.double(), dilation=dilation).transpose(1, 2)


@pytest.mark.parametrize(("inputs", "outputs", "taps", "dilation", "count"), SHAPES)
def test_a_convolution(inputs: int, outputs: int, taps: int, dilation: int, count: int) -> None:
    weight, bias = drawn(outputs, inputs, taps) / (inputs * taps) ** 0.5, drawn(outputs)
    conv = RowConv(weight, bias, dilation)
    rows = drawn(2, count + conv.reach, inputs)
    wanted = exact(rows, weight, bias, dilation)
    assert torch.allclose(conv(rows).double(), wanted, atol=2e-5)
    before = drawn(2, count, outputs)
    assert torch.allclose(conv(rows, before.clone()).double(), wanted + before, atol=2e-5)


@pytest.mark.parametrize(("inputs", "outputs", "taps", "dilation", "count"), SHAPES)
def test_the_same_bits_whoever_computes(inputs: int, outputs: int, taps: int, dilation: int, count: int) -> None:
    conv = RowConv(drawn(outputs, inputs, taps), drawn(outputs), dilation)
    rows = drawn(1, count + conv.reach, inputs)
    kernels.set_threads(1)
    wanted = conv(rows)
    first = count // 3
    parts = torch.cat((conv(rows[:, : first + conv.reach]), conv(rows[:, first:])), dim=1)
    assert torch.equal(parts, wanted)
    for most, threads in itertools.product(Instructions, (1, 3)):
        kernels.choose(most)
        kernels.set_threads(threads)
        assert torch.equal(conv(rows), wanted), (most, threads)


def test_a_reversed_convolution() -> None:
    weight, rows = drawn(16, 8, 3), drawn(1, 10, 8)
    assert torch.equal(RowConv(weight, None, reverse=True)(rows), RowConv(weight.flip(-1), None)(rows))


def test_activations() -> None:
    x, alpha, gain = 6 * drawn(2, 70, 24), drawn(24).exp(), drawn(24).exp()
    wanted = x.double() + gain.double() * torch.sin(alpha.double() * x.double()).square()
    found = snake(x, alpha, gain, torch.empty_like(x))
    torchs = x + gain * torch.sin(alpha * x).square()  # whose angle is as little exact
    assert (found - wanted).abs().max() < 2 * (torchs - wanted).abs().max()
    curved = elu(x, torch.empty_like(x))
    assert torch.allclose(curved.double(), F.elu(x.double()), atol=3e-7)
    for most in Instructions:
        kernels.choose(most)
        assert torch.equal(snake(x, alpha, gain, torch.empty_like(x)), found)
        assert torch.equal(elu(x, torch.empty_like(x)), curved)


@torch.inference_mode()
def test_the_codec_is_torchs(checkpoints: Checkpoints, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = checkpoints.folder("tiny-base")
    codes = torch.randint(0, 16, (9, 16), generator=torch.Generator().manual_seed(1))
    samples = drawn(24_000).numpy() * 0.1
    ours = engine.load_model(folder, "cpu", "fp32").codec
    monkeypatch.setattr(kernels, "_name", "none")
    torchs = engine.load_model(folder, "cpu", "fp32").codec
    assert torch.equal(ours.encode(samples), torchs.encode(samples))
    whole = torch.from_numpy(torchs.new_stream().push(codes))
    stream = ours.new_stream()
    pieces = [torch.from_numpy(stream.push(part)) for part in codes.split([1, 2, 6])]
    assert torch.allclose(torch.cat(pieces), whole, atol=1e-5)
    assert torch.allclose(torch.cat(pieces), torch.from_numpy(ours.new_stream().push(codes)), atol=1e-5)
