"""Reference results as they lie in a folder: `reference.json`, and a safetensors file a case unless it holds all.

In the short form there are no files: integers stand in `reference.json` as lists, arrays as statistics.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError
from safetensors.torch import load_file
from torch import Tensor

from engine.errors import QVoiceError


class GoldensError(QVoiceError):
    """Reference results that are missing, damaged, or made for another model."""


@dataclass(frozen=True)
class Statistics:
    """What the short form keeps of an array; `head` and `tail` are rounded to six decimals."""

    shape: tuple[int, ...]
    mean: float
    rms: float
    min: float
    max: float
    head: tuple[float, ...]
    tail: tuple[float, ...]

    @classmethod
    def of(cls, value: Tensor) -> Statistics:
        flat = value.detach().float().flatten()
        rms = float(flat.pow(2).mean().sqrt())
        head, tail = tuple(flat[:8].tolist()), tuple(flat[-8:].tolist())
        return cls(tuple(value.shape), float(flat.mean()), rms, float(flat.min()), float(flat.max()), head, tail)

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Statistics:
        mean, rms, least, most = (float(value[key]) for key in ("mean", "rms", "min", "max"))
        head, tail = (tuple(float(number) for number in value[key]) for key in ("head", "tail"))
        return cls(tuple(int(extent) for extent in value["shape"]), mean, rms, least, most, head, tail)


Wanted = Tensor | Statistics


@dataclass(frozen=True, eq=False)
class Case:
    """One case: what `reference.json` says of it, and its arrays by name."""

    name: str
    facts: Mapping[str, Any]
    arrays: Mapping[str, Wanted]

    def integers(self, name: str) -> Tensor:
        """An integer array, which both forms hold in full. Raises `GoldensError` if the case lacks it."""
        value = self.arrays.get(name)
        if not isinstance(value, Tensor) or value.is_floating_point():
            raise GoldensError(f"Case {self.name} holds no {name}. Make the reference results again.")
        return value


@dataclass(frozen=True)
class Goldens:
    """A folder of reference results; arrays are read case by case."""

    folder: Path
    facts: Mapping[str, Any]

    @classmethod
    def open(cls, folder: Path) -> Goldens:
        """Raises `GoldensError` where there is nothing to compare with."""
        path = folder / "reference.json"
        try:
            facts = json.loads(path.read_text(encoding="utf-8"))
        except OSError as error:
            raise GoldensError(
                f"{path} cannot be read ({error.strerror}). Choose a folder of reference results."
            ) from error
        except ValueError as error:
            raise GoldensError(f"{path} is not JSON ({error}). Make the reference results again.") from error
        cases = facts.get("cases") if isinstance(facts, dict) else None
        if not isinstance(cases, dict) or not cases or not all(isinstance(case, dict) for case in cases.values()):
            raise GoldensError(f"{path} lists no cases. Make the reference results again.")
        return cls(folder, facts)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self.facts["cases"])

    @property
    def made_by(self) -> str:
        """Package and versions the results come from, as far as they are told."""
        parts = [str(self.facts.get("package", "an unknown package"))]
        parts += [f"{key} {self.facts[key]}" for key in ("torch", "transformers") if key in self.facts]
        return ", ".join(parts)

    def choose(self, names: Sequence[str]) -> tuple[str, ...]:
        """`names`, or all where none is given. Raises `GoldensError` for one that is not there."""
        unknown = [name for name in names if name not in self.names]
        if unknown:
            raise GoldensError(f"{self.folder} has no case {', '.join(unknown)}. It has: {', '.join(self.names)}.")
        return tuple(names) or self.names

    def case(self, name: str) -> Case:
        """One case with its arrays. Raises `GoldensError`."""
        facts = self.facts["cases"][name]
        try:
            arrays = {key: value for key, entry in facts.items() if (value := _array(entry)) is not None}
        except (KeyError, TypeError, ValueError) as error:
            raise GoldensError(f"{self.folder / 'reference.json'}: case {name} is damaged ({error!r}).") from error
        return Case(name, facts, arrays or self._file(name))

    def clip_facts(self) -> tuple[float, str | None] | None:
        """Length and SHA-256 of the recording the cases were made with, where a case tells them."""
        for facts in self.facts["cases"].values():
            if "clip_seconds" in facts:
                return float(facts["clip_seconds"]), facts.get("clip_sha256")
        return None

    def _file(self, name: str) -> dict[str, Wanted]:
        path = self.folder / f"{name}.safetensors"
        if not path.is_file():
            raise GoldensError(f"{path} is not there, but reference.json lists it. Make the reference results again.")
        try:
            return dict(load_file(path))
        except (SafetensorError, OSError) as error:
            raise GoldensError(f"{path} cannot be read ({error}). Make the reference results again.") from error


def _array(entry: Any) -> Wanted | None:
    """An entry that stands for an array in the short form: statistics, or codes as lists of lists."""
    if isinstance(entry, dict) and "shape" in entry:
        return Statistics.from_json(entry)
    if isinstance(entry, list) and entry and isinstance(entry[0], list):
        return torch.tensor(entry, dtype=torch.int32)
    return None
