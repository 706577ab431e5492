"""Run every case of a folder of reference results through a model, and sum up stage by stage."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import torch

from engine.errors import QVoiceError
from engine.model.model import Model
from engine.parity.generation import compare_generation
from engine.parity.goldens import Case, Goldens, GoldensError
from engine.parity.measure import Finding, Quantity
from engine.parity.parts import compare_parts
from engine.parity.quantities import QUANTITIES, STAGES
from engine.parity.subject import Subject
from engine.progress import Progress, Report, no_report


@dataclass(frozen=True)
class Row:
    """All comparisons of one quantity. `told` is the first that failed, or else the furthest apart."""

    quantity: Quantity
    findings: tuple[Finding, ...]

    @property
    def cases(self) -> int:
        return len({finding.case for finding in self.findings})

    @property
    def values(self) -> int:
        return sum(finding.values for finding in self.findings)

    @property
    def largest(self) -> float:
        return max(finding.difference for finding in self.findings)

    @property
    def passed(self) -> bool:
        return all(finding.passed for finding in self.findings)

    @property
    def told(self) -> Finding:
        failed = (finding for finding in self.findings if not finding.passed)
        return next(failed, max(self.findings, key=lambda finding: finding.difference))


@dataclass(frozen=True)
class Outcome:
    """What came of a run: a row for each quantity that some case tells of."""

    cases: int
    findings: tuple[Finding, ...]

    @cached_property
    def rows(self) -> tuple[Row, ...]:
        rows = (Row(q, tuple(f for f in self.findings if f.quantity is q)) for q in QUANTITIES)
        return tuple(row for row in rows if row.findings)

    @property
    def failed_stages(self) -> tuple[str, ...]:
        failed = {row.quantity.stage for row in self.rows if not row.passed}
        return tuple(stage for stage in STAGES if stage in failed)

    @property
    def passed(self) -> bool:
        return not self.failed_stages


def run_parity(model: Model, goldens: Goldens, names: Sequence[str] = (), report: Report = no_report) -> Outcome:
    """Compare `model` with the cases `names`, or all. Raises `GoldensError` for what cannot be compared."""
    chosen = goldens.choose(names)
    subject = Subject(model, goldens)
    findings: list[Finding] = []
    for done, name in enumerate(chosen):
        report(Progress(name, done, len(chosen), "cases"))
        findings += _compare(subject, goldens.case(name))
    report(Progress("done", len(chosen), len(chosen), "cases"))
    return Outcome(len(chosen), tuple(findings))


@torch.inference_mode()
def _compare(subject: Subject, case: Case) -> list[Finding]:
    spoken = "method" in case.facts
    try:
        found = list(compare_generation(subject, case) if spoken else compare_parts(subject, case))
    except GoldensError:
        raise
    except QVoiceError as error:
        raise GoldensError(f"Case {case.name} cannot be run with {subject.model.summary.folder}: {error}") from error
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        place = subject.goldens.folder
        raise GoldensError(f"{place}: case {case.name} cannot be compared ({error!r}). Make it again.") from error
    if not found:
        raise GoldensError(f"{subject.goldens.folder}: case {case.name} holds nothing to compare. Make it again.")
    return found
