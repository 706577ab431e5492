"""The built wheel works outside the checkout, on what it carries itself."""

from __future__ import annotations

import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("app", "engine", "resources", "voices")
PIP = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, built as for publishing."""
    folder = tmp_path_factory.mktemp("wheel")
    subprocess.run([*PIP, "wheel", "--no-deps", "--wheel-dir", folder, ROOT], check=True, timeout=240)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel's content and nothing of the checkout."""
    folder = tmp_path_factory.mktemp("installed")
    subprocess.run([*PIP, "install", "--no-deps", "--target", folder, wheel], check=True, timeout=240)
    return folder


def _run(installed: Path, cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Python with the wheel and its dependencies, blind to the checkout.

    -S leaves out the editable install's path file; the dependencies are named on the path instead.
    """
    path = os.pathsep.join([str(installed), sysconfig.get_path("purelib")])
    environment = {**os.environ, "PYTHONPATH": path, "PYTHONSAFEPATH": "1"}
    command = [sys.executable, "-S", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, timeout=240, check=False)


def test_every_file_of_the_packages_is_in_it(wheel: Path) -> None:
    listed = subprocess.run(["git", "ls-files", *PACKAGES], cwd=ROOT, capture_output=True, text=True, check=True)
    ours = {name for name in listed.stdout.splitlines() if (ROOT / name).exists()}
    inside = set(zipfile.ZipFile(wheel).namelist())
    assert ours
    assert ours - inside == set()
    assert not [name for name in inside if name.startswith(("tests/", "packaging/"))]


def test_it_carries_the_licence_and_both_commands(wheel: Path) -> None:
    archive = zipfile.ZipFile(wheel)
    (points,) = (name for name in archive.namelist() if name.endswith("entry_points.txt"))
    assert any(name.endswith("licenses/LICENSE") for name in archive.namelist())
    text = archive.read(points).decode()
    assert "qvoice = engine.cli.main:main" in text
    assert "qvoice-studio = app.__main__:main" in text


def test_its_packages_come_from_it(installed: Path, tmp_path: Path) -> None:
    code = f"import importlib; print(*(importlib.import_module(n).__file__ for n in {PACKAGES}), sep='\\n')"
    done = _run(installed, tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr
    assert [line for line in done.stdout.splitlines() if not Path(line).is_relative_to(installed)] == []


def test_the_command_line_starts(installed: Path, tmp_path: Path) -> None:
    done = _run(installed, tmp_path, "-m", "engine.cli.main", "--version")
    assert done.returncode == 0, done.stderr
    assert "0.1.0" in done.stdout


def test_the_tour_finds_everything_it_needs(installed: Path, tmp_path: Path) -> None:
    done = _run(installed, tmp_path, "-m", "engine.cli.main", "tour", "--out", "out")
    assert done.returncode == 0, done.stdout + done.stderr
    suffixes = {path.suffix for path in (tmp_path / "out").rglob("*") if path.is_file()}
    assert {".bin", ".qvoice", ".wav", ".png"} <= suffixes


def test_the_window_can_be_imported(installed: Path, tmp_path: Path) -> None:
    code = "import app.__main__, sys; print(app.__main__.__file__); assert 'torch' not in sys.modules"
    done = _run(installed, tmp_path, "-c", code)
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()).is_relative_to(installed)
