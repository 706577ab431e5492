"""qvoice doctor: what a bug report needs to say of this computer, its models and its sound devices."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path
from typing import Any

from engine.cli.common import TEST_CUSTOM_VOICE, add_json, show_progress, tell
from engine.errors import ModelError
from engine.model.checkpoint import summarize_model
from engine.model.runtime import load_engine
from engine.places import models_folder
from engine.system.benchmark import benchmark
from engine.system.report import describe_system, without_person

_SOUND_SECONDS = 20.0


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("doctor", help="describe this computer for a bug report, without personal paths")
    parser.add_argument("--system", action="store_true", help="processor, memory, devices, models (the default)")
    parser.add_argument("--model", metavar="DIR", type=Path, action="append", default=[], help="look at this model too")
    parser.add_argument("--benchmark", action="store_true", help="let the last --model speak for ten seconds")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Describe the system; 0 also where something is broken, since saying so is the point."""
    load_engine()  # it alone knows the GPU
    facts = describe_system()
    folders = [*sorted(models_folder().glob("[!.]*/")), *arguments.model]
    facts |= {f"Model {folder.name}": _health(folder) for folder in folders}
    facts["Sound"] = _sound()
    if arguments.benchmark:
        folder = arguments.model[-1] if arguments.model else TEST_CUSTOM_VOICE
        facts["Benchmark"] = benchmark(folder, report=show_progress).text
    facts = {name: without_person(value) for name, value in facts.items()}
    width = max(map(len, facts))
    tell(arguments, dict(facts), "\n".join(f"{name:{width}}  {value}" for name, value in facts.items()))
    return 0


def _health(folder: Path) -> str:
    try:
        return f"{summarize_model(folder).label}: whole, as far as its headers tell"
    except ModelError as error:
        return str(error)


def _sound() -> str:
    """Asked of the studio in a process of its own: a broken audio driver must not take the report with it."""
    command = [sys.executable, "-m", "app.diagnose.sound"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_SOUND_SECONDS, check=True)  # noqa: S603
    except (OSError, subprocess.SubprocessError) as error:
        return f"cannot be looked at ({type(error).__name__})"
    return done.stdout.strip() or "no devices"
