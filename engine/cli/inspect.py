"""qvoice inspect: what is in a voice file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import VoiceError
from engine.voice.facts import inspection_table
from engine.voice.inspect import Inspection, inspect_voice

if TYPE_CHECKING:
    import argparse


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to `qvoice`."""
    parser = subparsers.add_parser(
        "inspect",
        help="show what is in a voice file",
        description="Show the sections, sizes, model, language and tier of voice files. Needs no model.",
    )
    parser.add_argument("paths", metavar="FILE", type=Path, nargs="+", help="a .qvoice or .bin voice file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Inspect every file; 1 if one of them cannot be read."""
    found: list[Inspection] = []
    failed = 0
    for path in arguments.paths:
        try:
            found.append(inspect_voice(path))
        except VoiceError as error:
            failed = 1
            print(error, file=sys.stderr)
    if arguments.json:
        print(json.dumps(_as_json(found, len(arguments.paths)), indent=2, ensure_ascii=False))
    else:
        print("\n\n".join(inspection_table(inspection) for inspection in found), end="\n" if found else "")
    return failed


def _as_json(found: list[Inspection], asked: int) -> Any:
    """One object for one file, a list for several."""
    described = [inspection.to_json() for inspection in found]
    if asked == 1:
        return described[0] if described else None
    return described
