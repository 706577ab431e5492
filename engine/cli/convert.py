"""qvoice convert: a voice file in another tier, or with other parts."""

from __future__ import annotations

import argparse
from pathlib import Path

from engine.cli.common import add_json, add_pair, pair_of, show_progress, tell
from engine.voice.convert import convert_voice
from engine.voice.inspect import Inspection, inspect_voice
from engine.voice.voice import Tier

_TIERS: tuple[Tier, ...] = ("light", "standard", "wdelta")
_LENGTH_BYTES = 4  # a transcript or codes of this size are not there


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to `qvoice`."""
    parser = subparsers.add_parser(
        "convert",
        help="change what a voice file holds",
        description="Write a voice file in another tier or with other parts. Going from wdelta to standard to light "
        "needs no model; going up needs the models.",
    )
    parser.add_argument("path", metavar="FILE", type=Path, help="a .qvoice or .bin voice file")
    parser.add_argument("-o", "--out", metavar="OUT", type=Path, required=True, help="the file to write; may be FILE")
    parser.add_argument("--tier", choices=_TIERS, help="default: light for .bin, for .qvoice the one it has")
    add_pair(parser, "needed to go up; with both, wdelta is computed afresh")
    parser.add_argument("--in-context", choices=("on", "off"), help="off drops the codes, on insists on them")
    parser.add_argument("--transcript", metavar="TEXT", help='what the recording says; "" removes it')
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Convert, and say what went and what came."""
    before = inspect_voice(arguments.path)
    in_context = None if arguments.in_context is None else arguments.in_context == "on"
    pair = pair_of(arguments)
    convert_voice(
        arguments.path, arguments.out, arguments.tier, pair, in_context, arguments.transcript, report=show_progress
    )
    after = inspect_voice(arguments.out)
    changes = {"dropped": _missing(before, after), "added": _missing(after, before)}
    facts = {
        "file": str(arguments.out), "tier": after.tier, "bytes": after.file_size,
        "from_tier": before.tier, "from_bytes": before.file_size, "in_context": after.in_context, **changes,
    }  # fmt: skip
    lines = [f"Wrote {arguments.out} ({after.tier}, {after.file_size:,} bytes) from {arguments.path} ({before.tier})."]
    lines += [f"{what.capitalize()}: {', '.join(parts)}" for what, parts in changes.items() if parts]
    tell(arguments, facts, "\n".join(lines))
    return 0


def _missing(one: Inspection, other: Inspection) -> list[str]:
    """The parts of `one` that `other` has not."""
    return [part for part in _parts(one) if part not in _parts(other)]


def _parts(found: Inspection) -> list[str]:
    empty = {"transcript", "codes"}
    return [part.name for part in found.sections if part.name not in empty or part.size > _LENGTH_BYTES]
