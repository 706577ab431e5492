"""Make `.venv` and install the project into it, once; say what is missing on this system.

    python packaging/setup_env.py            what the studio needs
    python packaging/setup_env.py --test     and what its tests need

A stamp inside `.venv` holds what was installed from: while the project file's requirements and the Python
version stay the same, nothing is installed again. Standard library only.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

OLDEST_PYTHON = (3, 11)
ROOT = Path(__file__).resolve().parent.parent
STAMP_NAME = "qvoice-stamp.json"
REQUIREMENT_TABLES = ("build-system", "project")


class SetupError(Exception):
    """Set-up cannot go on; the text says why and what to do."""


def check_python(version: tuple[int, ...] = tuple(sys.version_info[:3])) -> None:
    """Raise `SetupError` on a Python that is too old for the studio."""
    if version[:2] < OLDEST_PYTHON:
        have, want = (".".join(map(str, numbers)) for numbers in (version, OLDEST_PYTHON))
        raise SetupError(
            f"QVoice Studio needs Python {want} or newer; {sys.executable} is {have}.\n"
            f"Install a newer one and name it: make run PYTHON=python3.12"
        )


def environment_folder(root: Path = ROOT) -> Path:
    """Where the project's virtual environment is."""
    return root / ".venv"


def program(name: str, root: Path = ROOT) -> Path:
    """A program inside the virtual environment, by its plain name."""
    windows = os.name == "nt"
    return environment_folder(root) / ("Scripts" if windows else "bin") / (f"{name}.exe" if windows else name)


def requirements_digest(project_file: Path) -> str:
    """A digest of the project file's tables that decide what is installed, those of the tools do not, and of
    what is compiled."""
    import tomllib  # here, not above: absent before 3.11, where check_python has something to say

    tables = tomllib.loads(project_file.read_text(encoding="utf-8"))
    chosen = {name: tables.get(name) for name in REQUIREMENT_TABLES}
    chosen["wheel"] = tables.get("tool", {}).get("hatch")
    kernels = sorted((project_file.parent / "engine" / "kernels").glob("*.[ch]"))
    chosen["kernels"] = [hashlib.sha256(source.read_bytes()).hexdigest() for source in kernels]
    return hashlib.sha256(json.dumps(chosen, sort_keys=True).encode()).hexdigest()


def wanted_stamp(root: Path) -> dict[str, str]:
    """What the stamp reads when `.venv` is up to date."""
    python = ".".join(map(str, sys.version_info[:3]))
    return {"python": python, "requirements": requirements_digest(root / "pyproject.toml"), "root": str(root)}


def _read_stamp(root: Path) -> dict[str, Any]:
    try:
        stamp = json.loads((environment_folder(root) / STAMP_NAME).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return stamp if isinstance(stamp, dict) else {}


def installed_extras(root: Path) -> set[str] | None:
    """The extras that are installed and up to date; None when the environment must be installed afresh."""
    stamp = _read_stamp(root)
    extras = set(stamp.pop("extras", []))
    return extras if stamp == wanted_stamp(root) and program("python", root).exists() else None


def _write_stamp(root: Path, extras: set[str]) -> None:
    stamp = {**wanted_stamp(root), "extras": sorted(extras)}
    (environment_folder(root) / STAMP_NAME).write_text(json.dumps(stamp, indent=1), encoding="utf-8")


def _same_python(root: Path) -> bool:
    """Whether `.venv` was made here by a Python of this very version and still starts."""
    if _read_stamp(root).get("root", str(root)) != str(root):
        return False  # the checkout was moved: programs in .venv still name the old place
    ask = "import pip, sys; print('.'.join(map(str, sys.version_info[:3])))"
    try:
        answer = subprocess.run(
            [program("python", root), "-c", ask],
            capture_output=True, text=True, check=True, timeout=60,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return False
    return answer.stdout.strip() == ".".join(map(str, sys.version_info[:3]))


def _make_environment(root: Path) -> None:
    folder = environment_folder(root)
    if folder.exists():
        print(f"{folder} was made by another Python, elsewhere, or is broken; making it anew.", flush=True)
        shutil.rmtree(folder)
    command = [sys.executable, "-m", "venv", str(folder)]
    if subprocess.run(command, check=False).returncode != 0:
        raise SetupError(f"Python could not make {folder}; its own words are above.")


def _install(root: Path, extras: set[str]) -> None:
    target = f"{root}[{','.join(sorted(extras))}]" if extras else str(root)
    print("Installing QVoice Studio into .venv (the first time this downloads PyTorch and Qt) …", flush=True)
    command = [str(program("python", root)), "-m", "pip", "install", "--disable-pip-version-check", "-e", target]
    if os.environ.get("CI") or _read_stamp(root):  # an update: next to all is there already
        command.append("--quiet")
    if subprocess.run(command, check=False, cwd=root).returncode != 0:
        raise SetupError("pip could not install the project; its own words are above. Trying again is safe.")


def ensure_environment(root: Path, extras: set[str]) -> bool:
    """Bring `.venv` up to date with the project file and `extras`; True when something was installed."""
    have = installed_extras(root)
    if have is not None and extras <= have:
        return False
    if not _same_python(root):
        _make_environment(root)
        have = None
    _install(root, extras | (have or set()))
    _write_stamp(root, extras | (have or set()))
    return True


def prepare(extras: set[str], root: Path = ROOT, system_may_lack: bool = False) -> None:
    """Everything before the first start: Python's version, the system's libraries, the environment.

    With `system_may_lack`, missing libraries are named and set-up goes on: the command line needs none.
    """
    check_python()
    import system_needs  # here, not above: written for Python 3.11

    needs = system_needs.RUN_NEEDS + (system_needs.TEST_NEEDS if "test" in extras else ())
    complaints = [system_needs.ensure(system_needs.VENV_NEEDS) if installed_extras(root) is None else None]
    if not os.environ.get("QVOICE_SKIP_SYSTEM_CHECK"):
        complaint = system_needs.ensure(needs)
        if complaint and system_may_lack:
            print(complaint + "\nThe window needs them; going on without one.\n", file=sys.stderr, flush=True)
        else:
            complaints.append(complaint)
        wish = system_needs.ensure(system_needs.WISHES)
        if wish:
            print(
                wish + "\nWith it the engine is several times as fast; going on without.\n", file=sys.stderr, flush=True
            )
    said = [complaint for complaint in complaints if complaint]
    if said:
        raise SetupError("\n".join(said))
    ensure_environment(root, extras)


def main(arguments: list[str] | None = None) -> int:
    """Set up, for `make`; 0 when all is ready, 1 after saying what is not."""
    parser = argparse.ArgumentParser(description="Make .venv and install QVoice Studio into it.")
    parser.add_argument("--test", action="store_true", help="also what the tests need")
    options = parser.parse_args(arguments)
    try:
        prepare({"test"} if options.test else set())
    except SetupError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
