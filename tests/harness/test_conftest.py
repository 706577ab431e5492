"""The rest of what conftest promises."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.conftest import CHECKPOINTS, HOME_VARIABLES, Checkpoints
from tests.harness import inner


def test_a_test_has_a_home_of_its_own(own_home: Path) -> None:
    assert Path.home() == own_home
    assert list(own_home.iterdir()) == []
    assert all(Path(os.environ[name]).is_relative_to(own_home) for name in HOME_VARIABLES)


def test_the_next_test_has_another_home(own_home: Path) -> None:
    (own_home / "left").write_text("by one test", encoding="utf-8")
    assert own_home.name != "0"


def test_conftest_imports_nothing_heavy() -> None:
    heavy = {"PySide6", "torch", "sounddevice"}
    code = f"import sys, tests.conftest; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_torch_uses_one_thread() -> None:
    code = "import tests.conftest, torch; print(torch.get_num_threads())"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "1"


@pytest.mark.parametrize("name", CHECKPOINTS)
def test_checkpoints_are_written_once(checkpoints: Checkpoints, name: str) -> None:
    folder = checkpoints.folder(name)
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    assert config["tts_model_type"] == CHECKPOINTS[name][1]
    written = (folder / "model.safetensors").stat().st_mtime_ns
    assert (checkpoints.folder(name) / "model.safetensors").stat().st_mtime_ns == written


MARKED = """
    import pytest

    @pytest.mark.sound
    def test_sound():
        pass

    @pytest.mark.screen
    def test_screen():
        pass
"""


def test_by_hand_the_servers_are_asked_for(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("QVOICE_TEST_SOUND", raising=False)
    monkeypatch.delenv("QVOICE_TEST_SCREEN", raising=False)
    result = inner.run(pytester, MARKED, "-rs")
    result.assert_outcomes(skipped=2)
    result.stdout.fnmatch_lines(["*needs the sound server of: python tests/tools/run_tests.py*"])


def test_in_the_full_run_a_dead_server_fails(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("QVOICE_TEST_SOUND", "1")
    monkeypatch.setenv("QVOICE_TEST_SCREEN", "1")
    monkeypatch.setenv("PULSE_SERVER", f"unix:{pytester.path / 'nobody'}")
    monkeypatch.setenv("DISPLAY", ":54321")
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    result = inner.run(pytester, MARKED, "-rs")
    result.assert_outcomes(errors=2)
    result.stdout.fnmatch_lines(["*the sound server that run_tests started does not answer*"])
