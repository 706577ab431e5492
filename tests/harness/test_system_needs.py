"""The table of system libraries: complete for the Qt that is installed, and turned into the right line."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import system_needs
from system_needs import Need

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="other systems need no libraries")

# In every Linux that runs the installed Python and a compiler's runtime.
GIVEN = {"libc.so.6", "libm.so.6", "libdl.so.2", "libpthread.so.0", "librt.so.1", "libresolv.so.2", "libgcc_s.so.1"}
USED = (
    "platforms/libqxcb",
    "platforms/libqoffscreen",
    "platforms/libqwayland",
    "platforminputcontexts/libcompose",
    "xcbglintegrations/",
    "iconengines/",
    "wayland-shell-integration/",
    "wayland-graphics-integration-client/",
)
LIBRARIES = ("Core", "Gui", "Widgets", "DBus", "Svg", "OpenGL", "Network", "XcbQpa", "WaylandClient")

ABSENT = [
    Need("library", "libnowhere.so.1", "libnowhere1", "nowhere-libs", "nowhere"),
    Need("library", "libnowhere-x.so.1", "libnowhere1", "nowhere-x", "nowhere"),
    Need("program", "nowhere", "nowhere-utils", "nowhere", "nowhere"),
]


def _needed_by(file: Path) -> set[str]:
    listed = subprocess.run(["objdump", "-p", file], capture_output=True, text=True, check=True)
    return set(re.findall(r"NEEDED\s+(\S+)", listed.stdout))


@pytest.mark.skipif(shutil.which("objdump") is None, reason="needs binutils to read what a library names as needed")
def test_every_library_that_qt_names_is_in_the_table() -> None:
    import PySide6

    qt = Path(PySide6.__path__[0]) / "Qt"
    files = [path for path in (qt / "plugins").rglob("*.so") if any(part in str(path) for part in USED)]
    files += [qt / "lib" / f"libQt6{name}.so.6" for name in LIBRARIES]
    named = set().union(*(_needed_by(file) for file in files))
    outside = {name for name in named if not (qt / "lib" / name).exists() and not name.startswith("ld-linux")}
    table = {need.name for need in system_needs.RUN_NEEDS}
    assert len(files) > 10
    assert outside - GIVEN - table - {"libbrotlicommon.so.1"} == set()


@pytest.mark.sound
@pytest.mark.screen
def test_nothing_is_missing_where_the_servers_run() -> None:
    assert system_needs.missing(system_needs.RUN_NEEDS + system_needs.TEST_NEEDS + system_needs.VENV_NEEDS) == []


def test_other_systems_need_nothing() -> None:
    assert system_needs.missing(tuple(ABSENT), "darwin") == system_needs.missing(tuple(ABSENT), "win32") == []
    assert system_needs.missing(tuple(ABSENT), "linux") == ABSENT


@pytest.mark.parametrize(
    ("manager", "line"),
    [
        ("apt", "sudo apt-get install -y --no-install-recommends libnowhere1 nowhere-utils"),
        ("dnf", "sudo dnf install -y nowhere nowhere-libs nowhere-x"),
        ("pacman", "sudo pacman -S --needed --noconfirm nowhere"),
        (None, "install with your system's package manager: libnowhere.so.1, libnowhere-x.so.1, nowhere"),
    ],
)
def test_the_line_to_type(manager: str | None, line: str) -> None:
    assert system_needs.line_to_type(ABSENT, manager) == line


def _stand_ins(folder: Path, monkeypatch: pytest.MonkeyPatch, apt: str) -> None:
    """A PATH on which apt-get is a script of ours."""
    for name, body in {"apt-get": apt}.items():
        (folder / name).write_text(f"#!/bin/sh\n{body}\n", encoding="utf-8")
        (folder / name).chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_root_with_apt_installs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = tmp_path / "wanted-program"
    _stand_ins(tmp_path, monkeypatch, f'echo "$@" >> {tmp_path}/said; touch {program}; chmod +x {program}')
    monkeypatch.setattr("os.geteuid", lambda: 0)
    assert system_needs.ensure((Need("program", program.name, "wanted", "-", "-"),)) is None
    said = (tmp_path / "said").read_text(encoding="utf-8").splitlines()
    assert said == ["update -qq", "install -y --no-install-recommends -qq wanted"]


def test_root_whose_apt_fails_is_told_the_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _stand_ins(tmp_path, monkeypatch, "exit 100")
    monkeypatch.setattr("os.geteuid", lambda: 0)
    told = system_needs.ensure(tuple(ABSENT))
    assert told is not None
    assert "lacks libnowhere.so.1, libnowhere-x.so.1, nowhere." in told
    assert "sudo apt-get install" in told


def test_others_are_told_the_line_and_nothing_is_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _stand_ins(tmp_path, monkeypatch, f"touch {tmp_path}/ran")
    monkeypatch.setattr("os.geteuid", lambda: 1000)
    told = system_needs.ensure(tuple(ABSENT))
    assert told is not None
    assert "sudo apt-get install -y --no-install-recommends libnowhere1 nowhere-utils" in told
    assert not (tmp_path / "ran").exists()
