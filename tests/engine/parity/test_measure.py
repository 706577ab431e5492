"""Differences and places, on arrays small enough to see."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
import torch

from engine.parity import quantities as q
from engine.parity.goldens import Statistics
from engine.parity.measure import Quantity, compare, compare_number, decibels

ABSOLUTE = Quantity("prompt", "rows", "absolute", 1e-4)
RELATIVE = Quantity("prompt", "vector", "relative", 1e-5)
SOUND = Quantity("codec", "sound", "sound", 1e-5)
EQUAL = Quantity("codes", "codes", "equal", 0)


def noise(*shape: int) -> torch.Tensor:
    return torch.randn(shape, generator=torch.Generator().manual_seed(3))


@pytest.mark.parametrize("quantity", [ABSOLUTE, RELATIVE, SOUND])
def test_the_same_array_has_no_difference_and_no_place(quantity: Quantity):
    found = compare(quantity, "case", noise(4, 5), noise(4, 5), ("row", "column"))
    assert (found.difference, found.place, found.values, found.passed) == (0, {}, 20, True)
    assert decibels(found.difference) == math.inf


def test_codes_that_differ_are_counted_and_the_first_is_told():
    wanted = torch.zeros(6, 16, dtype=torch.int32)
    found = wanted.clone()
    found[2, 9] = found[4, 0] = 7
    result = compare(EQUAL, "case", found, wanted, ("frame", "codebook"))
    assert (result.difference, result.place) == (2, {"frame": 2, "codebook": 9})
    assert (result.found, result.wanted, result.passed) == (7, 0, False)


def test_within_the_limit_the_largest_is_told_and_beyond_it_the_first():
    wanted = noise(4, 5)
    near = wanted.clone()
    near[1, 1] += 2e-5
    near[3, 0] += 5e-5
    within = compare(ABSOLUTE, "case", near, wanted, ("row", "column"))
    assert (within.passed, within.place) == (True, {"row": 3, "column": 0})
    near[0, 4] += 2e-4
    near[2, 2] += 3e-4
    beyond = compare(ABSOLUTE, "case", near, wanted, ("row", "column"))
    assert (beyond.passed, beyond.place) == (False, {"row": 0, "column": 4})
    assert beyond.difference == pytest.approx(3e-4, rel=1e-2)


@pytest.mark.parametrize("quantity", [ABSOLUTE, RELATIVE, SOUND])
def test_what_is_not_a_number_never_passes(quantity: Quantity):
    found = noise(8)
    found[5] = math.nan
    result = compare(quantity, "case", found, noise(8), ("sample",), first=100)
    assert (result.passed, result.place) == (False, {"sample": 105})


def test_another_shape_never_passes():
    result = compare(EQUAL, "case", torch.zeros(3, 16), torch.zeros(4, 16), ("frame", "codebook"))
    assert (result.passed, result.place) == (False, {"shape": "[3, 16] instead of [4, 16]"})


def test_sound_is_measured_in_decibels_below_the_reference():
    wanted = noise(10_000)
    result = compare(SOUND, "case", wanted * (1 + 1e-3), wanted, ("sample",))
    assert decibels(result.difference) == pytest.approx(60, abs=0.01)
    assert not result.passed
    assert compare(SOUND, "case", wanted * (1 + 5e-6), wanted, ("sample",)).passed


def test_one_sample_is_found_among_the_rounding_of_others():
    wanted = noise(10_000)
    found = wanted + 4e-6 * noise(10_000).flip(0)
    assert compare(SOUND, "case", found, wanted, ("sample",)).passed
    found[7_000] += 0.1
    assert compare(SOUND, "case", found, wanted, ("sample",)).place == {"sample": 7_000}


@pytest.mark.parametrize("quantity", [ABSOLUTE, RELATIVE, SOUND])
def test_statistics_of_the_same_array_agree(quantity: Quantity):
    value = noise(30, 4)
    facts = Statistics.of(value)
    rounded = replace(facts, head=tuple(round(x, 6) for x in facts.head), tail=tuple(round(x, 6) for x in facts.tail))
    result = compare(quantity, "case", value, rounded, ("row", "column"))
    assert (result.passed, result.values) == (True, 20)


@pytest.mark.parametrize("quantity", [ABSOLUTE, RELATIVE, SOUND])
@pytest.mark.parametrize("field", ["mean", "rms", "min", "max", "head", "tail"])
def test_every_statistic_is_compared(field: str, quantity: Quantity):
    value = noise(30, 4)
    facts = Statistics.of(value)
    kept = getattr(facts, field)
    moved = (*kept[:2], kept[2] + 1e-3, *kept[3:]) if isinstance(kept, tuple) else kept + 1e-3
    result = compare(quantity, "case", value, replace(facts, **{field: moved}), ("row", "column"))
    assert not result.passed
    assert str(result.place["statistic"]).startswith(field)


def test_statistics_of_another_shape_never_pass():
    result = compare(ABSOLUTE, "case", noise(4, 30), Statistics.of(noise(30, 4)), ("row", "column"))
    assert (result.passed, result.place) == (False, {"shape": "[4, 30] instead of [30, 4]"})


def test_numbers_are_compared_by_their_kind():
    assert compare_number(q.LENGTH, "case", 100, 100, "samples").passed
    assert not compare_number(q.LENGTH, "case", 100, 101, "samples").passed
    level = compare_number(q.LEVEL, "case", 0.100002, 0.1, "rms")
    assert (level.passed, level.place) == (False, {"value": "rms"})
    assert level.difference == pytest.approx(2e-5, rel=1e-2)


def test_every_stage_has_a_quantity():
    assert {quantity.stage for quantity in q.QUANTITIES} == set(q.STAGES)
    assert len({quantity.name for quantity in q.QUANTITIES}) == len(q.QUANTITIES)
