"""What every training does alike: its options, its rate, its checkpoints."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

import torch

from engine.files import atomic_write

_LEAST = 0.03  # of the rate, at the end of a run that lets it fall


def run_options(stage: str, text: str | None, minutes: float, rate: float) -> argparse.ArgumentParser:
    """A parser with what all runs can be told."""
    parser = argparse.ArgumentParser(prog=stage, description=text)
    parser.add_argument("--minutes", type=float, default=minutes)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--device", default="cpu")
    return parser


def add_anneal(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--anneal", action="store_true", help="let the rate fall to nothing within the time")


def save_state(state: object, path: Path) -> None:
    """Write what `torch.load` reads again; a run that is stopped here leaves the checkpoint before."""
    with atomic_write(path) as file:
        torch.save(state, file)


class Pace:
    """How long a run lasts, steps or minutes, and its rate: `warm` steps of rise, then even or falling to its end."""

    def __init__(self, rate: float, first: int, steps: int, minutes: float, warm: int, anneal: bool) -> None:
        self._rate, self._first, self._steps = rate, first, steps
        self._seconds, self._warm, self._anneal = 60 * minutes, warm, anneal
        self._begun = time.monotonic()

    def goes_on(self, step: int) -> bool:
        return step < self._steps and time.monotonic() - self._begun < self._seconds

    def rate_at(self, step: int) -> float:
        since = step - self._first
        rate = self._rate * min(1.0, (since + 1) / self._warm)
        if not self._anneal:
            return rate
        done = max(since / max(1, self._steps - self._first), (time.monotonic() - self._begun) / self._seconds)
        return rate * max(_LEAST, 1 - done)
