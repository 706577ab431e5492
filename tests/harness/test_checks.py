"""The static checks: one list for everybody, and a wall that really stands."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.tools import checks

ROOT = Path(__file__).resolve().parents[2]
BREACHES = [
    ("engine/breach.py", "import sounddevice", "The engine knows neither the window nor the sound devices"),
    ("engine/breach.py", "from PySide6.QtCore import QObject", "The engine knows neither the window nor"),
    ("engine/audio/breach.py", "import app", "The engine knows neither the window nor the sound devices"),
    ("app/breach.py", "import torch", "The window reaches torch only through the engine"),
    ("app/breach.py", "from engine.files import atomic_write", "The window uses the engine's public face only"),
]


def _hooks() -> dict[str, str]:
    """Entry by id, read line by line: the file is ours and simple."""
    lines = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8").splitlines()
    values = [line.strip().removeprefix("- ").partition(": ") for line in lines]
    ids = [value for key, _, value in values if key == "id"]
    return dict(zip(ids, [value for key, _, value in values if key == "entry"], strict=True))


def test_the_hooks_are_the_checks() -> None:
    assert _hooks() == {name: f"python3 tests/tools/checks.py {name}" for name in checks.CHECKS}


def test_pre_commit_accepts_the_file() -> None:
    subprocess.run([checks.tool("pre-commit"), "validate-config", ".pre-commit-config.yaml"], cwd=ROOT, check=True)


def test_an_unknown_check_is_wrong_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert checks.main(["spelling"]) == 2
    assert "no such check: spelling" in capsys.readouterr().err


def test_a_check_that_complains_is_shown(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / ".venv").symlink_to(ROOT / ".venv")
    (tmp_path / "wrong.py").write_text("import os\n", encoding="utf-8")
    assert checks.run_check("ruff", tmp_path) is False
    assert "ruff: FAILED" in capsys.readouterr().out


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The product's source alone, to break the wall in."""
    folder = tmp_path_factory.mktemp("wall")
    for name in ("app", "engine", "resources"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", folder)
    return folder


def _lint(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [checks.tool("lint-imports"), "--no-cache"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_the_wall_stands(copy: Path) -> None:
    done = _lint(copy)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(("file", "line", "contract"), BREACHES)
def test_a_breach_of_the_wall_is_seen(copy: Path, file: str, line: str, contract: str) -> None:
    path = copy / file
    path.write_text(f"{line}\n", encoding="utf-8")
    try:
        done = _lint(copy)
    finally:
        path.unlink()
    assert done.returncode == 1, done.stdout
    broken = [row for row in done.stdout.splitlines() if row.endswith("BROKEN")]
    assert len(broken) == 1
    assert broken[0].startswith(contract)
