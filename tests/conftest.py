"""What every test gets: a home of its own, one torch thread, servers or a clear word, and no leaks.

Nothing here imports Qt, torch or a sound library; what a test does not import stays out of its process.
"""

from __future__ import annotations

import atexit
import itertools
import os
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import leaks, leaks_qt
from tests.endings import end_after
from tests.tools import servers

if TYPE_CHECKING:
    from collections.abc import Iterator

# Before anything can import torch or Qt: both read these once.
for _variable in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ[_variable] = "1"
os.environ["HF_HUB_OFFLINE"] = "1"
if not os.environ.get("DISPLAY"):
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

CHECKPOINTS = {
    "tiny-base": ("tiny", "base"),
    "tiny-custom": ("tiny", "custom_voice"),
    "tiny-design": ("tiny", "voice_design"),
    "tiny-mtp-base": ("tiny-mtp", "base"),
    "tiny-mtp-custom": ("tiny-mtp", "custom_voice"),
}
HOME_VARIABLES = {
    "HOME": ".",
    "USERPROFILE": ".",
    "QVOICE_HOME": "qvoice",
    "XDG_CONFIG_HOME": "config",
    "XDG_DATA_HOME": "data",
    "XDG_STATE_HOME": "state",
    "XDG_CACHE_HOME": "cache",
    "APPDATA": "appdata",
    "LOCALAPPDATA": "local",
}

# In the run's own folder, which run_tests removes even when this process is killed.
_HOMES = Path(tempfile.mkdtemp(prefix="qvoice-home-", dir=os.environ.get("QVOICE_TEST_FOLDER")))
atexit.register(shutil.rmtree, _HOMES, ignore_errors=True)
_NUMBERS = itertools.count()
_LEAKS = leaks.Leaks([leaks.PythonThreads(), leaks.SoundStreams(), *leaks_qt.trackers()])


def _move_home() -> Path:
    """Point every variable that leads to a person's settings into a fresh folder."""
    home = _HOMES / str(next(_NUMBERS))
    home.mkdir()
    for variable, place in HOME_VARIABLES.items():
        os.environ[variable] = str(home / place)
    return home


_move_home()


def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test marked `sound` or `screen` needs that server: skipped by hand, failed in the full run."""
    for kind, answers in (("sound", _sound_answers), ("screen", _screen_answers)):
        if item.get_closest_marker(kind) is None:
            continue
        if not os.environ.get(f"QVOICE_TEST_{kind.upper()}"):
            pytest.skip(f"needs the {kind} server of: python tests/tools/run_tests.py {item.nodeid}")
        if not answers():
            pytest.fail(f"the {kind} server that run_tests started does not answer any more", pytrace=False)


def _sound_answers() -> bool:
    return servers.answers(os.environ.get("PULSE_SERVER", ""))


def _screen_answers() -> bool:
    number = os.environ.get("DISPLAY", "").removeprefix(":").partition(".")[0]
    return servers.answers(f"unix:/tmp/.X11-unix/X{number}")


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """Fails a test that leaves threads, Qt threads, timers or sound streams running."""
    _LEAKS.begin()
    yield
    left = _LEAKS.report(leaks_qt.settle)
    if left:
        pytest.fail("left behind by this test: " + "; ".join(left), pytrace=False)


@pytest.fixture(autouse=True)
def own_home(nothing_left_behind: None) -> Path:
    """A fresh home folder; no test sees the person's settings or another test's."""
    return _move_home()


@pytest.fixture(autouse=True)
def one_torch_thread(nothing_left_behind: None) -> None:
    """The same sums in the same order on every machine, and no fight over two cores."""
    torch = sys.modules.get("torch")
    if torch is not None and torch.get_num_threads() != 1:
        torch.set_num_threads(1)


@pytest.fixture
def never_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    """No run ends by itself."""
    end_after(None, monkeypatch)


@pytest.fixture
def ends_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every run ends by itself after ten frames."""
    end_after(10, monkeypatch)


class Checkpoints:
    """Random checkpoints in the released layout, each written when it is first asked for."""

    def __init__(self, root: Path) -> None:
        self._root = root

    def folder(self, name: str) -> Path:
        """The model folder `name` (a key of CHECKPOINTS). Shared by all tests: copy it before changing it."""
        preset, kind = CHECKPOINTS[name]
        folder = self._root / name
        if not folder.exists():
            from tests.checkpoints import write_checkpoint

            staging = self._root / f"{name}.part"
            staging.mkdir(parents=True)
            write_checkpoint(preset, kind, staging)
            staging.rename(folder)
        return folder


@pytest.fixture(scope="session")
def checkpoints(tmp_path_factory: pytest.TempPathFactory) -> Checkpoints:
    """`checkpoints.folder("tiny-base")` and its like, see CHECKPOINTS."""
    return Checkpoints(tmp_path_factory.mktemp("checkpoints"))
