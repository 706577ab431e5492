"""What several commands share: the model to use, progress on a terminal, results as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import resources
from engine.progress import Progress

TEST_BASE = resources.path("test_model", "base")
TEST_CUSTOM_VOICE = resources.path("test_model", "custom_voice")


def add_model(parser: argparse.ArgumentParser, default: Path) -> None:
    parser.add_argument(
        "--model", metavar="DIR", type=Path, default=default, help="a model folder (default: the test model, noise)"
    )


def add_placement(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", choices=("auto", "cpu", "cuda", "mps"), default="auto")
    parser.add_argument("--precision", choices=("auto", "fp32", "bf16", "fp16"), default="auto")


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def show_progress(progress: Progress) -> None:
    """One line on a terminal, rewritten in place; nothing where the output is not one."""
    if not sys.stderr.isatty():
        return
    total = "" if progress.total is None else f" of {progress.total:.0f}"
    end = "\n" if progress.fraction == 1.0 else ""
    print(f"\r\033[K{progress.stage}: {progress.done:.0f}{total} {progress.unit}", end=end, file=sys.stderr, flush=True)


def tell(arguments: argparse.Namespace, facts: dict[str, Any], text: str) -> None:
    """Print `facts` as JSON where it was asked for, else `text`."""
    print(json.dumps(facts, indent=2, ensure_ascii=False) if arguments.json else text)
