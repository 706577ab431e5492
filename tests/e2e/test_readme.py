"""What README tells people to type works: the marked console blocks are run as they stand."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import system_needs

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"<!-- run by tests -->\n```console\n(.*?)```", re.DOTALL)
COMMANDS = [
    line.removeprefix("$ ") for block in BLOCK.findall(README) for line in block.splitlines() if line[:2] == "$ "
]


def test_there_is_something_to_run() -> None:
    assert README.count("<!-- run by tests -->") == len(BLOCK.findall(README)) >= 1
    assert any(command.startswith("qvoice tour") for command in COMMANDS)
    assert all(command.startswith("qvoice ") for command in COMMANDS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One folder for all commands: later ones may use what earlier ones made."""
    return tmp_path_factory.mktemp("readme")


@pytest.mark.parametrize("command", COMMANDS)
def test_the_command_does_what_it_says(command: str, folder: Path) -> None:
    program, *arguments = shlex.split(command)
    found = shutil.which(program, path=str(Path(sys.executable).parent))
    assert found is not None, f"{program} is not installed beside {sys.executable}"
    done = subprocess.run([found, *arguments], cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.strip()
    assert "Traceback" not in done.stderr


def test_the_make_targets_it_names_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    named = set(re.findall(r"\bmake (run|test|check|clean)\b", README + (ROOT / "CONTRIBUTING.md").read_text("utf-8")))
    assert named >= {"run", "test", "check"}
    assert named <= set(re.findall(r"^(\w+):", makefile, re.MULTILINE))


def test_the_files_it_names_exist() -> None:
    texts = README + (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    named = set(re.findall(r"\b((?:packaging|tests|engine|app)/[\w/]+\.py)\b", texts))
    assert named
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []


def test_its_debian_packages_are_those_of_the_check() -> None:
    line = re.search(r"sudo apt-get install (.*?)\n\n", README.replace("\\\n", " "), re.DOTALL)
    assert line is not None
    table = {need.apt for need in (*system_needs.VENV_NEEDS, *system_needs.RUN_NEEDS)}
    assert set(line[1].split()) - table == {"make"}


def test_the_ci_runs_readmes_test_command() -> None:
    script = (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert script.rstrip().endswith(" make test")
    assert os.access(ROOT / ".ci" / "run", os.R_OK)
