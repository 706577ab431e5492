"""Set up, then open the studio; with no display, do its whole job once through the command line.

python packaging/start.py [--out FOLDER] [-- arguments of the studio]
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from typing import TYPE_CHECKING

import setup_env

if TYPE_CHECKING:
    from collections.abc import Mapping


def has_display(environment: Mapping[str, str] = os.environ, platform: str = sys.platform) -> bool:
    """Whether a window can be opened here; Windows and macOS always have a screen."""
    if not platform.startswith("linux"):
        return True
    return bool(environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"))


def command(out: str, extra: list[str], windowed: bool) -> list[str]:
    """The program to start and its arguments."""
    if windowed:
        return [str(setup_env.program("qvoice-studio")), *extra]
    return [str(setup_env.program("qvoice")), "tour", "--out", out, *extra]


def main(arguments: list[str] | None = None) -> int:
    """Set up and start; returns the started program's own exit code."""
    parser = argparse.ArgumentParser(description="Set QVoice Studio up and start it.")
    parser.add_argument("--out", default="out", help="folder for the tour's results when there is no display")
    parser.add_argument("extra", nargs="*", help="arguments handed to the program that is started")
    options = parser.parse_args(arguments)
    windowed = has_display()
    try:
        setup_env.prepare(set(), system_may_lack=not windowed)
    except setup_env.SetupError as error:
        print(error, file=sys.stderr)
        return 1
    if not windowed:
        print("No display here: doing the studio's job through the command line instead.", flush=True)
    try:
        return subprocess.run(command(options.out, options.extra, windowed), check=False).returncode
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
