"""docs/parity.md tells what the command does: its stages, limits, options and outputs are the real ones."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from engine.cli.main import build_parser
from engine.parity.measure import Quantity, decibels
from engine.parity.quantities import QUANTITIES

ROOT = Path(__file__).resolve().parents[3]
PAGE = (ROOT / "docs" / "parity.md").read_text(encoding="utf-8")
COMMANDS = [line.removeprefix("$ ") for line in PAGE.splitlines() if line.startswith("$ ")]


def limit(quantity: Quantity) -> str:
    return f"> {decibels(quantity.limit):.0f} dB" if quantity.kind == "sound" else f"{quantity.limit:g}"


def test_its_table_has_every_quantity_with_its_limit():
    rows = re.findall(r"^\| (\w+) \| ([\w -]+) \| ([^|]+) \| ", PAGE, re.MULTILINE)
    assert rows == [("stage", "compared", "limit"), *((q.stage, q.name, limit(q)) for q in QUANTITIES)]


@pytest.mark.parametrize("output", re.findall(r"```text\n(.*?)```", PAGE, re.DOTALL))
def test_its_outputs_are_of_this_command(output: str):
    known = {(q.stage, q.name, limit(q)) for q in QUANTITIES}
    rows = [re.split(r"\s{2,}", line) for line in output.splitlines() if line.startswith("ok")]
    assert rows
    assert {(row[1], row[2], row[6]) for row in rows} <= known
    assert output.strip().splitlines()[-1].startswith("Every stage passes: ")


def test_its_commands_are_understood():
    parity = [shlex.split(command.replace("OMP_NUM_THREADS=1 ", "")) for command in COMMANDS if "qvoice" in command]
    assert len(parity) >= 4
    for program, *arguments in parity:
        assert program == "qvoice"
        build_parser().parse_args(arguments)
    folders = re.findall(r"tests/data/goldens[\w.-]*/?[\w-]*", PAGE)
    assert folders
    assert all((ROOT / folder).is_dir() for folder in folders)


def test_the_options_and_files_it_names_exist():
    help_of = build_parser().format_help()
    assert "parity" in help_of
    files = re.findall(r"`((?:engine|tests)/[\w/.]+\.py)`", PAGE)
    assert files
    assert all((ROOT / file).is_file() for file in files)
    script = (ROOT / "tests" / "reference" / "make_goldens.py").read_text(encoding="utf-8")
    assert all(f'"{option}"' in script for option in ("--cases", "--short", "--max-new-tokens"))
