"""The outcome as a table for people and as plain values for JSON."""

from __future__ import annotations

import math
from typing import Any

from engine.parity.measure import Finding, Quantity, decibels
from engine.parity.quantities import STAGES
from engine.parity.run import Outcome, Row

_HEAD = ("", "stage", "compared", "cases", "values", "largest difference", "limit", "where")


def table(outcome: Outcome) -> str:
    """Rows stage by stage, and a last line that says how it ended."""
    lines = [_HEAD, *(_cells(row) for row in outcome.rows)]
    covered = {row.quantity.stage for row in outcome.rows}
    lines += [("-", stage, "in no case", "0", "0", "-", "-", "") for stage in STAGES if stage not in covered]
    widths = [max(len(cells[i]) for cells in lines) for i in range(len(_HEAD))]
    text = "\n".join(_line(cells, widths) for cells in lines)
    return f"{text}\n\n{_verdict(outcome)}"


def as_json(outcome: Outcome) -> dict[str, Any]:
    """The same as plain values; what is not finite is null."""
    stages = []
    for stage in STAGES:
        rows = [row for row in outcome.rows if row.quantity.stage == stage]
        passed = all(row.passed for row in rows) if rows else None
        stages.append({"stage": stage, "passed": passed, "quantities": [_row_json(row) for row in rows]})
    return {"passed": outcome.passed, "cases": outcome.cases, "stages": stages}


def _cells(row: Row) -> tuple[str, ...]:
    quantity, told = row.quantity, row.told
    return (
        "ok" if row.passed else "FAIL",
        quantity.stage,
        quantity.name,
        str(row.cases),
        f"{row.values:,}",
        _difference(quantity, row.largest),
        f"{quantity.limit:g}" if quantity.kind != "sound" else f"> {decibels(quantity.limit):.0f} dB",
        _where(told) if told.place else "",
    )


def _line(cells: tuple[str, ...], widths: list[int]) -> str:
    words = ("", "stage", "compared", "where")
    parts = zip(_HEAD, cells, widths, strict=True)
    return "  ".join(cell.ljust(w) if name in words else cell.rjust(w) for name, cell, w in parts).rstrip()


def _difference(quantity: Quantity, difference: float) -> str:
    if math.isinf(difference):
        return "not comparable"
    if difference == 0:
        return "0"
    if quantity.kind == "equal":
        return f"{difference:.0f}"
    return f"{decibels(difference):.1f} dB" if quantity.kind == "sound" else f"{difference:.2g}"


def _where(finding: Finding) -> str:
    place = ", ".join(f"{axis} {index}" for axis, index in finding.place.items())
    if finding.passed or finding.found is None:
        return f"{finding.case}: {place}"
    return f"{finding.case}: {place} ({finding.found:.7g}, not {finding.wanted:.7g})"


def _verdict(outcome: Outcome) -> str:
    compared = f"{outcome.cases} cases, {sum(row.values for row in outcome.rows):,} values"
    if outcome.passed:
        return f"Every stage passes: {compared}."
    first = next(row for row in outcome.rows if not row.passed)
    failed = ", ".join(outcome.failed_stages)
    return f"Failed: {failed} ({compared}). Look at {first.quantity.name} first: {_where(first.told)}."


def _row_json(row: Row) -> dict[str, Any]:
    quantity, told = row.quantity, row.told
    facts: dict[str, Any] = {
        "name": quantity.name,
        "passed": row.passed,
        "kind": quantity.kind,
        "cases": row.cases,
        "values": row.values,
        "largest_difference": _finite(row.largest),
        "limit": quantity.limit,
    }
    if quantity.kind == "sound":
        facts["snr_db"] = _finite(decibels(row.largest)) if math.isfinite(row.largest) else None
    if told.place:
        place = {"case": told.case, **told.place}
        facts["where"] = place | {"found": _finite(told.found), "official": _finite(told.wanted)}
    return facts


def _finite(value: float | None) -> float | None:
    return value if value is not None and math.isfinite(value) else None
