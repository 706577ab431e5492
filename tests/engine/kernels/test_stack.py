"""A stack in one call gives what the modules give, alone and in company, and grows its cache as they do."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor

import engine
from engine import kernels
from engine.model.layers import KeyValueCache, Stack, Together
from engine.model.native_stack import NativeStack
from tests.conftest import Checkpoints

pytestmark = pytest.mark.skipif(not kernels.available(), reason="no C compiler when the project was installed")


@pytest.fixture(scope="module")
def stack(checkpoints: Checkpoints) -> Stack:
    made: Stack = engine.load_model(checkpoints.folder("tiny-custom"), "cpu", "fp32").speaker.talker.model
    return made


def rows_of(stack: Stack, batch: int, count: int) -> Tensor:
    shape = (batch, count, stack.config.hidden_size)
    return torch.randn(shape, generator=torch.Generator().manual_seed(batch + count))


def by_modules(stack: Stack, rows: Tensor, cache: KeyValueCache) -> Tensor:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stack, "_in_one_call", None)
        return stack(rows, cache)


def new_cache(stack: Stack, batch: int = 1, capacity: int = 4) -> KeyValueCache:
    return KeyValueCache(stack.config, batch, capacity, stack.norm.weight)


def test_a_loaded_stack_is_one_call(stack: Stack) -> None:
    assert isinstance(stack._native(), NativeStack)


@torch.inference_mode()
def test_as_the_modules_compute_it(stack: Stack) -> None:
    cache, other = new_cache(stack), new_cache(stack)
    for count in (5, 1, 1, 3, 1):  # past the capacity, with many rows and with one
        rows = rows_of(stack, 1, count)
        assert torch.allclose(stack(rows, cache), by_modules(stack, rows, other), atol=2e-5)
    assert cache.length == other.length == 11
    assert torch.allclose(cache.rows(), other.rows(), atol=2e-5)


@torch.inference_mode()
def test_a_batch(stack: Stack) -> None:
    cache, other = new_cache(stack, batch=3), new_cache(stack, batch=3)
    for count in (2, 1, 1):
        rows = rows_of(stack, 3, count)
        assert torch.allclose(stack(rows, cache), by_modules(stack, rows, other), atol=2e-5)


@torch.inference_mode()
def test_streams_together_are_what_they_are_alone(stack: Stack) -> None:
    caches, alone = [new_cache(stack) for _ in range(3)], [new_cache(stack) for _ in range(3)]
    for length, (one, other) in enumerate(zip(caches, alone, strict=True)):
        stack(rows_of(stack, 1, length + 1), one)
        stack(rows_of(stack, 1, length + 1), other)
    for _ in range(3):
        rows = rows_of(stack, 3, 1)
        found = stack(rows, Together(caches))
        wanted = torch.cat([stack(rows[i : i + 1], cache) for i, cache in enumerate(alone)])
        assert torch.equal(found, wanted)


@torch.inference_mode()
def test_what_is_given_stays_as_it_is(stack: Stack) -> None:
    rows = rows_of(stack, 1, 2)
    before = rows.clone()
    stack(rows, new_cache(stack))
    assert torch.equal(rows, before)
