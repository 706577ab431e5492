"""The C kernels: near the exact product, and the same bits whatever the rows, the threads and the instruction set."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Iterator

import pytest
import torch
from torch import Tensor

from engine import kernels
from engine.kernels import Instructions, Kind
from engine.model.native_linear import NativeLinear, Weights, four_bit_units
from engine.model.quantize import layer, pack

pytestmark = pytest.mark.skipif(not kernels.available(), reason="no C compiler when the project was installed")

SIZES = ((96, 32), (64, 96), (160, 1024))
ROWS = (1, 2, 3, 4, 5, 9)


@pytest.fixture(autouse=True)
def _as_found() -> Iterator[None]:
    threads = kernels.threads()
    yield
    kernels.set_threads(threads)
    kernels.choose(Instructions.BEST)


def linear(kind: Kind, outputs: int, inputs: int) -> tuple[NativeLinear, Tensor]:
    """A layer of random weights, and the weights it stands for, float64."""
    weight = torch.randn(outputs, inputs, generator=torch.Generator().manual_seed(outputs + inputs)) * 0.02
    if kind == Kind.BF16:
        return NativeLinear(kind, [Weights(weight.bfloat16())], inputs, None), weight.bfloat16().double()
    parts = pack("int8" if kind == Kind.INT8 else "int4", weight)
    made = layer(parts, outputs, None)
    assert isinstance(made, NativeLinear)
    if kind == Kind.INT8:
        return made, parts["codes"].double() * parts["scales"].double()[:, None]
    return made, made(torch.eye(inputs)).T.double()


def rows_of(count: int, inputs: int) -> Tensor:
    return torch.randn(count, inputs, generator=torch.Generator().manual_seed(count))


def decibels(exact: Tensor, found: Tensor) -> float:
    return float(20 * torch.log10(exact.norm() / (exact - found).norm()))


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize(("outputs", "inputs"), SIZES)
def test_near_the_exact_product(kind: Kind, outputs: int, inputs: int) -> None:
    made, weight = linear(kind, outputs, inputs)
    rows = rows_of(5, inputs)
    assert decibels(rows.double() @ weight.T, made(rows)) > (38 if kind == Kind.INT4 else 120)  # int4: rows in 8 bits


def test_four_bits_keep_what_they_can() -> None:
    weight = torch.randn(64, 128, generator=torch.Generator().manual_seed(1))
    made = layer({"units": four_bit_units(weight)}, 64, None)
    found = made(torch.eye(128)).T
    step = weight.view(64, 4, 32).abs().amax(dim=-1) / 8
    assert bool(((found - weight).view(64, 4, 32).abs() <= 1.02 * step[..., None]).all())
    assert decibels(weight, found) > 19


@pytest.mark.parametrize("kind", Kind)
def test_a_row_is_the_same_in_company(kind: Kind) -> None:
    for (outputs, inputs), count in itertools.product(SIZES, ROWS):
        made, _ = linear(kind, outputs, inputs)
        rows = rows_of(count, inputs)
        assert torch.equal(made(rows), torch.cat([made(row[None]) for row in rows]))


@pytest.mark.parametrize("kind", Kind)
def test_the_same_with_every_instruction_set_and_any_threads(kind: Kind) -> None:
    for outputs, inputs in SIZES:
        made, _ = linear(kind, outputs, inputs)
        rows = rows_of(6, inputs)
        kernels.set_threads(1)
        wanted = made(rows)
        for most, threads in itertools.product(Instructions, (1, 2, 5)):
            kernels.choose(most)
            kernels.set_threads(threads)
            assert torch.equal(made(rows), wanted), (most, threads)


def test_outputs_that_make_no_whole_unit() -> None:
    weight = torch.randn(37, 48).bfloat16()
    rows = rows_of(3, 48)
    found = NativeLinear(Kind.BF16, [Weights(weight[:5]), Weights(weight[5:])], 48, torch.ones(37))(rows)
    assert decibels(rows.double() @ weight.double().T + 1, found) > 120


def test_a_row_of_zeros_and_of_what_is_not_finite() -> None:
    for kind in (Kind.BF16, Kind.INT8, Kind.INT4):
        made, _ = linear(kind, 96, 32)
        assert bool((made(torch.zeros(1, 32)) == 0).all())
        rows = torch.full((2, 32), 1e30)
        rows[1] = torch.inf
        made(rows)  # whatever comes out, nothing breaks


def test_two_callers_at_once_do_not_disturb_each_other() -> None:
    kernels.set_threads(3)
    layers = [linear(Kind.BF16, 160, 1024)[0], linear(Kind.INT4, 160, 1024)[0]]
    rows = rows_of(2, 1024)
    wanted = [made(rows) for made in layers]
    wrong: list[int] = []

    def work(which: int) -> None:
        wrong.extend(which for _ in range(200) if not torch.equal(layers[which](rows), wanted[which]))

    callers = [threading.Thread(target=work, args=(which,)) for which in (0, 1, 0)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not wrong
