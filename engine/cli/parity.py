"""qvoice parity: does this engine give what the official implementation gave?"""

from __future__ import annotations

import argparse
import platform
from pathlib import Path

import engine
from engine.cli.common import add_json, add_placement, show_progress, tell


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to `qvoice`."""
    parser = subparsers.add_parser(
        "parity",
        help="compare a model's results with the official implementation's, stage by stage",
        description="Run every case of a folder of reference results (see docs/parity.md) and show the differences. "
        "Exit code 1 if a stage fails.",
    )
    parser.add_argument("model", metavar="MODEL", type=Path, help="the model folder the results were made with")
    parser.add_argument("goldens", metavar="GOLDENS", type=Path, help="a folder with reference.json")
    parser.add_argument("--case", metavar="NAME", nargs="+", action="extend", default=[], help="only these cases")
    add_placement(parser)
    add_json(parser)
    parser.set_defaults(run=run, device="cpu", precision="fp32")  # as the results were made


def run(arguments: argparse.Namespace) -> int:
    """Compare, and print what came of it."""
    from engine.parity.goldens import Goldens
    from engine.parity.run import run_parity
    from engine.parity.show import as_json, table

    goldens = Goldens.open(arguments.goldens)
    goldens.choose(arguments.case)
    model = engine.load_model(arguments.model, arguments.device, arguments.precision, report=show_progress)
    outcome = run_parity(model, goldens, arguments.case, show_progress)
    here = f"{model.placement.label}, {_versions()}"
    facts = {
        "model": str(arguments.model),
        "goldens": str(arguments.goldens),
        "made_by": goldens.made_by,
        "here": here,
        **as_json(outcome),
    }
    head = f"model      {arguments.model}\nreference  {arguments.goldens} ({goldens.made_by})\nhere       {here}"
    tell(arguments, facts, f"{head}\n\n{table(outcome)}")
    return 0 if outcome.passed else 1


def _versions() -> str:
    """Versions and machine, which the last digits depend on."""
    import torch

    threads = torch.get_num_threads()
    return (
        f"torch {torch.__version__}, {threads} thread{'s' if threads > 1 else ''}, "
        f"Python {platform.python_version()}, {platform.system()} {platform.machine()}"
    )
