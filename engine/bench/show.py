"""What was measured, as a table and as JSON."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engine.bench.run import Row

_Cell = Callable[[Row], str]


def _number(name: str, digits: int = 0) -> _Cell:
    return lambda row: "–" if row.figures.get(name) is None else f"{row.figures[name]:.{digits}f}"


def _of_limit(*names: str) -> _Cell:
    """The sum of some parts over the sum of their limits."""

    def cell(row: Row) -> str:
        limit = sum(row.figures[f"{name.split('_')[0]}_limit_ms"] for name in names)
        return f"{sum(row.figures[f'{name}_ms'] for name in names) / limit:.2f}"

    return cell


_COLUMNS: dict[str, _Cell] = {
    "weights": lambda row: row.precision,
    "cores": lambda row: str(row.cores),
    "first load s": _number("first_load_seconds", 1),
    "load s": _number("load_seconds", 1),
    "prefill ms": _number("prefill_ms"),
    "talker ms": _number("talker_ms"),
    "limit": _number("talker_limit_ms"),
    "predictor ms": _number("predictor_ms"),
    "limit ": _number("predictor_limit_ms"),
    "both/limit": _of_limit("talker", "predictor"),
    "codec ms 1": _number("codec_1_ms"),
    "4": _number("codec_4_ms"),
    "25": _number("codec_25_ms"),
    "limit  ": _number("codec_limit_ms"),
    "25/limit": _of_limit("codec_25"),
    "first sound s": _number("first_sound_seconds", 2),
    "rtf": _number("realtime_factor", 2),
    "cpu rtf": _number("cpu_realtime_factor", 2),
    "peak GB": _number("peak_gb", 1),
}
_AGAINST: dict[str, _Cell] = {
    "official rtf": lambda row: f"{row.official['realtime_factor']:.2f}",
    "cpu rtf ": lambda row: f"{row.official['cpu_realtime_factor']:.2f}",
    "load s ": lambda row: f"{row.official['load_seconds']:.1f}",
    "peak GB ": lambda row: f"{row.official['peak_gb']:.1f}",
    "times as fast": lambda row: f"{row.ratio:.2f}",
    "by cpu": lambda row: f"{row.cpu_ratio:.2f}",
}


def table(rows: Sequence[Row]) -> str:
    """A line a setting; then cloning and growth, which hardly depend on the setting, of the first row."""
    columns = _COLUMNS | (_AGAINST if all(row.ratio is not None for row in rows) else {})
    lines = [list(columns), *([cell(row) for cell in columns.values()] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    text = ["  ".join(cell.rjust(width) for cell, width in zip(line, widths, strict=True)) for line in lines]
    return "\n".join([*text, "", *_others(rows)])


def _others(rows: Sequence[Row]) -> list[str]:
    lines = []
    for row in rows:
        grown = {name: value for name, value in row.figures.items() if name.startswith("talker_at_")}
        steps = ", ".join(f"{value:.0f} at {name.split('_')[2]}" for name, value in grown.items())
        lines.append(f"talker ms by frame, {row.precision}, {row.cores} cores: {steps}")
    for row in rows:
        if "clone_vector_seconds" in row.figures:
            vector, codes = row.figures["clone_vector_seconds"], row.figures["clone_codes_seconds"]
            lines.append(f"30 s clip, {row.cores} cores: to a vector in {vector:.2f} s, to codes in {codes:.2f} s")
    return lines


def as_json(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """All figures; names end in their unit."""
    return [
        {
            "precision": row.precision, "cores": row.cores, **row.figures,
            "official": row.official or None, "times_as_fast_as_official": row.ratio,
            "times_as_fast_by_cpu": row.cpu_ratio,
        }
        for row in rows
    ]  # fmt: skip
