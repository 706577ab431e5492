"""qvoice bench: how fast a model speaks here, and how near that is to what the processor can do."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli.common import add_json, show_progress, tell
from engine.errors import RequestError
from engine.model.precisions import BYTES_PER_WEIGHT
from engine.model.runtime import usable_cores

if TYPE_CHECKING:
    from engine.bench.run import Plan

_TEXT = "The north wind and the sun were disputing which was the stronger."
_ON_CPU = tuple(name for name in BYTES_PER_WEIGHT if name != "fp16")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to `qvoice`."""
    parser = subparsers.add_parser(
        "bench",
        help="measure how fast a model speaks on this processor",
        description="Milliseconds a frame (80 ms of sound) of each part beside the least that memory or arithmetic "
        "allow, time to the first sound, loading, memory, growth; medians, each setting in a process of its own. "
        "docs/speed.md tells how to read it.",
    )
    parser.add_argument("model", metavar="MODEL", type=Path, help="a model folder")
    parser.add_argument("--precision", choices=_ON_CPU, nargs="+", default=list(_ON_CPU))
    parser.add_argument("--cores", metavar="N", type=int, nargs="+", default=_cores(), help="hold it to N cores")
    parser.add_argument("--runs", metavar="N", type=int, default=5, help="of which the median is told (default: 5)")
    parser.add_argument("--frames", metavar="N", type=int, default=25, help="frames a run speaks (default: 25)")
    parser.add_argument("--text", default=_TEXT)
    parser.add_argument("--against", choices=["official"], help="turn by turn with the official package, in float32")
    parser.add_argument("--official-python", metavar="FILE", type=Path, help="Python of an environment that has it")
    parser.add_argument("--quality", action="store_true", help="instead: codes and states of each against fp32")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Measure, and print what came of it."""
    from engine.system.report import describe_system  # brings in much

    plan = _plan(arguments)
    system = describe_system()
    head = f"{plan.folder}\n{system['Processor']}, {system['Cores']} cores, {system['Instructions']}"
    if arguments.quality:
        from engine.bench.quality import compare, lines

        found = compare(plan, show_progress)
        tell(arguments, {"model": str(plan.folder), "system": system, "quality": found}, f"{head}\n\n{lines(found)}")
        return 0
    from engine.bench.run import run_bench
    from engine.bench.show import as_json, table

    rows = run_bench(plan, show_progress)
    tell(
        arguments, {"model": str(plan.folder), "system": system, "settings": as_json(rows)}, f"{head}\n\n{table(rows)}"
    )
    return 0


def _plan(arguments: argparse.Namespace) -> Plan:
    from engine.bench.run import Plan

    if (arguments.against is None) != (arguments.official_python is None):
        raise RequestError("--against official needs --official-python, and the other way round.")
    if arguments.runs < 1 or arguments.frames < 2 or min(arguments.cores) < 1:
        raise RequestError("Give at least one run, two frames and one core.")
    official = arguments.official_python
    return Plan(
        arguments.model,
        arguments.precision,
        arguments.cores,
        arguments.runs,
        arguments.frames,
        arguments.text,
        official,
    )


def _cores() -> list[int]:
    return sorted({1, min(2, usable_cores())})
