"""qvoice: the engine on the command line. Exit code 0 done, 1 failed with one clear line, 2 wrong usage."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from engine.cli import bench, clone, compare, convert, doctor, inspect, models, parity, speak, tour, verify
from engine.errors import QVoiceError
from engine.version import version

_COMMANDS = (clone, speak, inspect, convert, verify, compare, models, doctor, parity, bench, tour)


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="qvoice", description="Clone a voice from speech and make it speak.")
    parser.add_argument("--version", action="version", version=f"qvoice {version() or '(not installed)'}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    for command in _COMMANDS:
        command.add_parser(commands)
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; returns the exit code."""
    parsed = build_parser().parse_args(arguments)
    try:
        code: int = parsed.run(parsed)
    except QVoiceError as error:
        print(f"qvoice: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("qvoice: interrupted.", file=sys.stderr)
        return 1
    return code


if __name__ == "__main__":
    sys.exit(main())
