"""Run the tests with a screen and a sound system of their own.

python tests/tools/run_tests.py                            static checks, then every test
python tests/tools/run_tests.py tests/app/sound -k ring    some tests, as pytest's arguments; no checks

The exit code is pytest's, or 1 when only a static check complained.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

ROOT = Path(__file__).resolve().parents[2]
if __name__ == "__main__":
    sys.path[0] = str(ROOT)  # started as a file: `tests` must be found, and no file here be taken for another

from tests.tools import checks, servers  # noqa: E402

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

# What a person's own desktop sets and what would make Qt look or behave otherwise in tests.
DESKTOP_VARIABLES = (
    "WAYLAND_DISPLAY",
    "DBUS_SESSION_BUS_ADDRESS",
    "XDG_CURRENT_DESKTOP",
    "QT_STYLE_OVERRIDE",
    "QT_QPA_PLATFORMTHEME",
    "QT_SCALE_FACTOR",
    "QT_SCREEN_SCALE_FACTORS",
    "QT_AUTO_SCREEN_SCALE_FACTOR",
    "QT_FONT_DPI",
)
TOGETHER = "(sound or screen) and not slow"
APART = "not sound and not screen and not slow"
PASSES: tuple[tuple[list[str], str], ...] = ((["-n", "2", "--dist", "loadfile"], APART), ([], TOGETHER))
TESTS_FAILED = 1  # pytest's exit code
ONE_THREAD = ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS")


def environment(servers_variables: dict[str, str]) -> dict[str, str]:
    """The variables that the tests run under."""
    variables = {name: value for name, value in os.environ.items() if name not in DESKTOP_VARIABLES}
    variables |= dict.fromkeys(ONE_THREAD, "1")
    variables |= {"PYTHONUTF8": "1", "HF_HUB_OFFLINE": "1"}
    return variables | servers_variables


@contextlib.contextmanager
def both_servers() -> Iterator[dict[str, str]]:
    """Screen and sound together; on systems other than Linux none, and tests that need one are skipped."""
    if not sys.platform.startswith("linux"):
        yield {}
        return
    with (
        tempfile.TemporaryDirectory(prefix="qvoice-tests-", ignore_cleanup_errors=True) as folder,
        servers.virtual_screen() as screen,
        servers.virtual_sound(Path(folder) / "sound") as sound,
    ):
        yield {**screen, **sound, "QVOICE_TEST_FOLDER": folder, "QVOICE_TEST_SCREEN": "1", "QVOICE_TEST_SOUND": "1"}


def run_pytest(arguments: list[str]) -> int:
    """Run pytest under both servers; its exit code.

    The whole suite goes in two passes: what shares nothing on two cores at once, then what listens to the one sound
    system or looks at the one screen, alone.
    """
    with both_servers() as variables:
        if arguments:
            return _run_once(arguments, environment(variables))
        codes = [_run_pass(each, marks, environment(variables)) for each, marks in PASSES]
    return next((code for code in codes if code), 0)


def _run_pass(arguments: list[str], marks: str, variables: dict[str, str]) -> int:
    """One pass of the whole suite. What failed is tried once more by itself: real devices and real windows share the
    two cores with the rest of the suite and whatever else the machine does. What fails again has failed.
    """
    code = _run_once([*arguments, "-m", marks], variables)
    if code != TESTS_FAILED:
        return code
    print("\nOnce more, alone: what failed above.", flush=True)
    return _run_once(["--last-failed", "--last-failed-no-failures=none", "-m", marks], variables)


def _run_once(arguments: list[str], variables: dict[str, str]) -> int:
    with subprocess.Popen([sys.executable, "-m", "pytest", *arguments], cwd=ROOT, env=variables) as process:
        try:
            return process.wait()
        finally:
            servers.stop(process)


def _leave(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)


def main(arguments: list[str]) -> int:
    """Static checks where no tests are named, then the tests."""
    # SIGINT too: what a shell starts in the background is born deaf to it, and so are the tests that interrupt this.
    for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", signal.SIGTERM)):
        signal.signal(number, _leave)
    checked = 0 if arguments else checks.main([])
    try:
        tested = run_pytest(arguments)
    except servers.ServerError as error:
        print(error, file=sys.stderr)
        return 1
    if checked:
        print("Static checks complained; see above the tests.", flush=True)
    return tested or checked


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
