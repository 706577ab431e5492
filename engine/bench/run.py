"""The bench: measuring processes, asked turn by turn, and the medians of what they say."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import IO, Any, Self

from engine.errors import ModelError
from engine.model.precisions import PACKED
from engine.progress import Progress, Report, no_report

Figures = dict[str, Any]

_ROOT = Path(__file__).resolve().parents[2]  # where `engine` lies
_ENDS_WITHIN_SECONDS = 30


@dataclass(frozen=True)
class Plan:
    """What to measure: the engine in each precision, held to each number of cores."""

    folder: Path
    precisions: Sequence[str]
    cores: Sequence[int]
    runs: int
    frames: int
    text: str
    official_python: Path | None = None


@dataclass
class Row:
    """What one way of computing came to. `ratio` is the official package's time over its own, turn by turn, and
    `cpu_ratio` that of the processor's time, which other programs change less."""

    precision: str
    cores: int
    figures: Figures = field(default_factory=dict)
    official: Figures = field(default_factory=dict)
    ratio: float | None = None
    cpu_ratio: float | None = None


def run_bench(plan: Plan, report: Report = no_report) -> list[Row]:
    """Measure everything of `plan`. Raises `ModelError` with a process's last words if one fails."""
    rows = [Row(precision, cores) for cores in plan.cores for precision in plan.precisions]
    for done, row in enumerate(rows):
        report(Progress(f"bench {row.precision}, {row.cores} cores", done, len(rows), "settings"))
        _measure(plan, row)
    report(Progress("bench", len(rows), len(rows), "settings"))
    return rows


def _measure(plan: Plan, row: Row) -> None:
    if row.precision in PACKED:
        with Worker(plan, row) as first:  # packs the weights, if that was not done before
            row.figures["first_load_seconds"] = first.loaded["load_seconds"]
    with ExitStack() as stack:
        own = stack.enter_context(Worker(plan, row))
        official = stack.enter_context(Worker(plan, row, plan.official_python)) if plan.official_python else None
        turns, others = [], []
        for _ in range(plan.runs):
            turns.append(own.ask("speak"))
            if official is not None:
                others.append(official.ask("speak"))
        row.figures |= own.loaded | _medians(turns)
        spoken = row.figures["peak_gb"]
        for what in ("parts", "limits", "growth"):
            row.figures |= own.ask(what)
        if own.loaded["can_clone"]:
            row.figures |= _medians([own.ask("clone") for _ in range(plan.runs)])
        row.figures["peak_gb"] = spoken  # of loading and speaking, which is what a person does
        if official is not None:
            row.official = official.loaded | _medians(others)
            row.ratio = _times_as_fast("realtime_factor", turns, others)
            row.cpu_ratio = _times_as_fast("cpu_realtime_factor", turns, others)


class Worker:
    """A measuring process, and what it said of its loading."""

    def __init__(self, plan: Plan, row: Row, official_python: Path | None = None) -> None:
        settings = {
            "folder": str(plan.folder), "precision": row.precision, "text": plan.text, "frames": plan.frames,
            "cores": row.cores, "official": official_python is not None,
        }  # fmt: skip
        self._words: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 - closed in `__exit__`
        there = os.environ.get("PYTHONPATH")
        environment = {name: value for name, value in os.environ.items() if name != "OMP_NUM_THREADS"}
        environment["PYTHONPATH"] = os.pathsep.join([str(_ROOT), *([there] if there else [])])
        self._process = subprocess.Popen(  # noqa: S603 - our own words, and the Python that was asked for
            [str(official_python or sys.executable), "-m", "engine.bench.worker", json.dumps(settings)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._words, env=environment, text=True,
        )  # fmt: skip
        self.loaded: Figures = {}

    def __enter__(self) -> Self:
        try:
            self.loaded = self._answer()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()
        try:
            self._process.wait(_ENDS_WITHIN_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._words.close()

    def ask(self, what: str) -> Figures:
        """One of the subject's measurements."""
        assert self._process.stdin is not None
        self._process.stdin.write(what + "\n")
        self._process.stdin.flush()
        return self._answer()

    def _answer(self) -> Figures:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            self._process.wait(_ENDS_WITHIN_SECONDS)
            self._words.seek(0)
            last = self._words.read().decode(errors="replace").strip().splitlines()[-1:] or ["without a word"]
            raise ModelError(f"A measuring process ended: {last[0]}")
        answer: Figures = json.loads(line)
        return answer


def _times_as_fast(name: str, turns: Sequence[Figures], others: Sequence[Figures]) -> float:
    return float(median(there[name] / here[name] for here, there in zip(turns, others, strict=True)))


def _medians(turns: Sequence[Figures]) -> Figures:

    return {name: median(turn[name] for turn in turns) for name in turns[0]}
