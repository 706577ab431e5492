"""How far a result of ours is from the reference, and where."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import torch
from torch import Tensor

from engine.parity.goldens import Statistics, Wanted

_ROUNDING = 5e-7  # `head` and `tail` of statistics have six decimals
_PEAK = 10  # rounding's own peaks stay well below this multiple of its rms

Kind = Literal["equal", "absolute", "relative", "sound"]
Place = Mapping[str, int | str]


@dataclass(frozen=True)
class Quantity:
    """Something that is compared, and how far apart it may be.

    `kind` says what a difference is: "equal" the number of values that differ; "absolute" the largest distance;
    "relative" the distance over the reference's norm; "sound" the same, told in dB.
    """

    stage: str
    name: str
    kind: Kind
    limit: float

    def passes(self, difference: float) -> bool:
        """Whether `difference` is within the limit; a sound must be strictly better than its own."""
        return difference < self.limit if self.kind == "sound" else difference <= self.limit


@dataclass(frozen=True)
class Finding:
    """One comparison. `place` is where the limit is first passed, or else where the largest difference lies.

    `found` and `wanted` are the two values there; `values` says how many were compared.
    """

    quantity: Quantity
    case: str
    values: int
    difference: float
    place: Place
    found: float | None = None
    wanted: float | None = None

    @property
    def passed(self) -> bool:
        return self.quantity.passes(self.difference)


def compare(
    quantity: Quantity, case: str, found: Tensor, wanted: Wanted, axes: Sequence[str], first: int = 0
) -> Finding:
    """`found` against `wanted`, an array or its statistics.

    `axes` names each dimension for the place; `first` is added to the place in the first one.
    """
    found, shape = found.detach().cpu(), wanted.shape
    if tuple(found.shape) != tuple(shape):
        reason: Place = {"shape": f"{list(found.shape)} instead of {list(shape)}"}
        return Finding(quantity, case, math.prod(shape), math.inf, reason)
    if isinstance(wanted, Statistics):
        return _compare_statistics(quantity, case, Statistics.of(found), wanted)
    a, b = found.double(), wanted.double()
    apart = torch.nan_to_num((a - b).abs(), nan=math.inf)
    difference = _size(quantity.kind, apart, b)
    if difference == 0:
        return Finding(quantity, case, apart.numel(), 0.0, {})
    flat = int(apart.argmax())
    if not quantity.passes(difference):
        over = apart.flatten() > _allowed(quantity, b)
        flat = int(over.int().argmax()) if bool(over.any()) else flat
    index = [int(i) for i in torch.unravel_index(torch.tensor(flat), apart.shape)]
    place: Place = dict(zip(axes, (index[0] + first, *index[1:]), strict=True))
    values = (float(a.flatten()[flat]), float(b.flatten()[flat]))
    return Finding(quantity, case, apart.numel(), difference, place, *values)


def compare_number(quantity: Quantity, case: str, found: float, wanted: float, name: str) -> Finding:
    """Two numbers, a length or a level; `name` says of what."""
    apart = abs(found - wanted)
    relative = apart / max(abs(wanted), 1e-12)
    difference = {"equal": float(apart != 0), "absolute": apart}.get(quantity.kind, relative)
    return Finding(quantity, case, 1, difference, {} if not apart else {"value": name}, found, wanted)


def decibels(difference: float) -> float:
    """A distance over the reference's norm as a signal-to-difference ratio in dB."""
    return math.inf if difference == 0 else -20 * math.log10(difference)


def _size(kind: Kind, apart: Tensor, wanted: Tensor) -> float:
    if kind == "equal":
        return float(torch.count_nonzero(apart))
    if kind == "absolute":
        return float(apart.max())
    return float(apart.norm()) / max(float(wanted.norm()), 1e-12)


def _allowed(quantity: Quantity, wanted: Tensor) -> float:
    """How far one value may be off before it is the one to look at."""
    if quantity.kind in ("equal", "absolute"):
        return quantity.limit
    return _PEAK * quantity.limit * float(wanted.pow(2).mean().sqrt())


def _compare_statistics(quantity: Quantity, case: str, found: Statistics, wanted: Statistics) -> Finding:
    """The largest distance of any number told, of numbers over 1 as a part of them.

    (The largest value of a prompt is about 7.5: there the official code's own results on two machines are 3e-6 apart.)
    Relative kinds take mean and rms over the reference's rms, and the other numbers, which are values of the array, as
    a sample of it: the rms of their distances.
    """
    pairs: list[tuple[str, float, float, float]] = [
        (name, getattr(found, name), getattr(wanted, name), 0.0) for name in ("mean", "rms", "min", "max")
    ]
    for side, ours, theirs in (("head", found.head, wanted.head), ("tail", found.tail, wanted.tail)):
        pairs += [(f"{side}[{i}]", a, b, _ROUNDING) for i, (a, b) in enumerate(zip(ours, theirs, strict=True))]
    apart = [max(0.0, abs(a - b) - rounding) for _, a, b, rounding in pairs]
    apart = [math.inf if math.isnan(value) else value for value in apart]
    mean, rms, *values = apart
    if quantity.kind == "absolute":
        apart = [value / max(1.0, abs(pair[2])) for value, pair in zip(apart, pairs, strict=True)]
        difference = max(apart)
    else:
        difference = max(mean, rms, math.hypot(*values) / math.sqrt(len(values))) / max(wanted.rms, 1e-12)
    worst = apart.index(max(apart))
    place: Place = {} if apart[worst] == 0 else {"statistic": pairs[worst][0]}
    return Finding(quantity, case, len(pairs), difference, place, pairs[worst][1], pairs[worst][2])
