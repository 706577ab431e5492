"""Set-up: what decides whether anything is installed, and what a person is told. Files and pip are real."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import clean
import pytest
import setup_env
import start

ROOT = Path(__file__).resolve().parents[2]
PROJECT = """\
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "small-thing"
version = "1"

[project.optional-dependencies]
test = []

[tool.ruff]
line-length = 90
"""
# A build backend of ten lines, so that pip installs a real project without asking any registry.
BACKEND = """\
import zipfile

def _wheel(folder):
    name = "small_thing-1-py3-none-any.whl"
    info = "small_thing-1.dist-info/"
    metadata = "Metadata-Version: 2.1\\nName: small-thing\\nVersion: 1\\nProvides-Extra: test\\n"
    with zipfile.ZipFile(f"{folder}/{name}", "w") as wheel:
        wheel.writestr("small_thing.py", "")
        wheel.writestr(info + "METADATA", metadata)
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "")
    return name

def build_editable(folder, config_settings=None, metadata_directory=None):
    return _wheel(folder)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text(PROJECT, encoding="utf-8")
    (tmp_path / "backend.py").write_text(BACKEND, encoding="utf-8")
    return tmp_path


def test_installs_once_then_only_for_more(project: Path) -> None:
    assert setup_env.ensure_environment(project, set()) is True
    assert setup_env.ensure_environment(project, set()) is False
    assert setup_env.ensure_environment(project, {"test"}) is True
    assert setup_env.installed_extras(project) == {"test"}
    assert setup_env.ensure_environment(project, set()) is False, "the tests' environment serves the studio too"
    subprocess.run([setup_env.program("python", project), "-c", "import small_thing"], check=True)


def _stamped(project: Path) -> None:
    python = setup_env.program("python", project)
    python.parent.mkdir(parents=True)
    python.touch()
    setup_env._write_stamp(project, {"test"})


@pytest.mark.parametrize(
    ("before", "after", "still_good"),
    [
        ("line-length = 90", "line-length = 100", True),
        ('version = "1"', 'version = "2"', False),
        ("test = []", 'test = ["more"]', False),
    ],
)
def test_only_requirements_decide(project: Path, before: str, after: str, still_good: bool) -> None:
    _stamped(project)
    file = project / "pyproject.toml"
    file.write_text(file.read_text(encoding="utf-8").replace(before, after), encoding="utf-8")
    assert (setup_env.installed_extras(project) == {"test"}) is still_good


@pytest.mark.parametrize("change", [{"python": "3.11.0"}, {"root": "/elsewhere"}, {"requirements": "0"}])
def test_another_python_or_place_is_not_up_to_date(project: Path, change: dict[str, str]) -> None:
    _stamped(project)
    stamp = setup_env.environment_folder(project) / setup_env.STAMP_NAME
    stamp.write_text(json.dumps(json.loads(stamp.read_text(encoding="utf-8")) | change), encoding="utf-8")
    assert setup_env.installed_extras(project) is None


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"extras": 3', "\x00"])
def test_a_damaged_stamp_means_install(project: Path, content: str) -> None:
    _stamped(project)
    (setup_env.environment_folder(project) / setup_env.STAMP_NAME).write_text(content, encoding="utf-8")
    assert setup_env.installed_extras(project) is None


def test_a_broken_environment_is_made_anew(project: Path) -> None:
    python = setup_env.program("python", project)
    python.parent.mkdir(parents=True)
    python.symlink_to(project / "python-that-went-away")
    assert setup_env.ensure_environment(project, set()) is True
    subprocess.run([python, "-c", "import small_thing"], check=True)


def test_a_failed_install_is_said_and_tried_again(project: Path) -> None:
    (project / "backend.py").write_text("raise RuntimeError('no backend today')", encoding="utf-8")
    with pytest.raises(setup_env.SetupError, match="pip could not install"):
        setup_env.ensure_environment(project, set())
    assert setup_env.installed_extras(project) is None


def test_an_old_python_is_told_what_to_type() -> None:
    setup_env.check_python((3, 11, 0))
    with pytest.raises(setup_env.SetupError, match=r"needs Python 3\.11 or newer; .* is 3\.9\.2\.\n.*make run PYTHON="):
        setup_env.check_python((3, 9, 2))


def test_the_first_files_parse_on_old_pythons() -> None:
    """The message about an old Python can only be printed by a file that an old Python understands."""
    import ast

    for name in ("setup_env.py", "start.py"):
        ast.parse((ROOT / "packaging" / name).read_text(encoding="utf-8"), feature_version=(3, 8))


@pytest.mark.parametrize(
    ("environment", "platform", "windowed"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_where_a_window_opens(environment: dict[str, str], platform: str, windowed: bool) -> None:
    assert start.has_display(environment, platform) is windowed


def test_without_a_display_the_tour_is_taken() -> None:
    program, *arguments = start.command("some folder", [], windowed=False)
    assert Path(program).stem == "qvoice"
    assert arguments == ["tour", "--out", "some folder"]
    assert Path(start.command("out", ["--x"], windowed=True)[0]).stem == "qvoice-studio"


def test_clean_removes_caches_and_nothing_else(tmp_path: Path) -> None:
    kept = [".venv/lib/__pycache__/a.pyc", "out/take.wav", "engine/a.py", ".git/config"]
    gone = ["engine/__pycache__/a.pyc", "tests/app/__pycache__/b.pyc", ".ruff_cache/x", "build/lib/a.py"]
    for name in kept + gone:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    clean.clean(tmp_path)
    files = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if path.is_file())
    assert files == sorted(kept)


def test_make_knows_its_targets() -> None:
    for target, words in {
        "run": "packaging/start.py",
        "test": "tests/tools/run_tests.py",
        "check": "checks.py",
    }.items():
        printed = subprocess.run(
            ["make", "-n", target, f"PYTHON={sys.executable}"], cwd=ROOT, capture_output=True, text=True, check=True
        )
        assert words in printed.stdout
