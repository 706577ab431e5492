"""One studio per data folder, with real processes."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.instance import DataFolderBusy, Instance

ROOT = Path(__file__).parents[2]

FIRST = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.instance import Instance

application = QCoreApplication([])
instance = Instance(Path(sys.argv[1]))
print(instance.claim(sys.argv[2:]), flush=True)
instance.arguments_received.connect(lambda arguments: print("got", arguments, flush=True))
application.exec()
"""

SECOND = """
import sys
from pathlib import Path
from PySide6.QtCore import QCoreApplication
from app.instance import Instance

application = QCoreApplication([])
print(Instance(Path(sys.argv[1])).claim(sys.argv[2:]), flush=True)
"""


def start(code, *arguments, cwd=None):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment, cwd=cwd)


@pytest.fixture
def first(tmp_path):
    process = start(FIRST, tmp_path / "data")
    assert process.stdout.readline().strip() == "True"
    yield process
    process.kill()
    process.communicate()


def test_a_second_start_hands_its_arguments_over_and_leaves(first, tmp_path):
    (tmp_path / "Zoë.qvoice").write_bytes(b"x")
    second = start(SECOND, tmp_path / "data", "Zoë.qvoice", "--page", "speak", cwd=tmp_path)
    out, _ = second.communicate(timeout=30)
    assert out.strip() == "False"
    expected = [str(tmp_path / "Zoë.qvoice"), "--page", "speak"]
    assert first.stdout.readline().strip() == f"got {expected}"


def test_the_lock_dies_with_a_killed_process(first, tmp_path):
    first.kill()
    first.wait()
    after = start(FIRST, tmp_path / "data")
    try:
        assert after.stdout.readline().strip() == "True"
        second = start(SECOND, tmp_path / "data")
        assert second.communicate(timeout=30)[0].strip() == "False"
    finally:
        after.kill()
        after.communicate()


def test_another_folder_is_another_studio(first, tmp_path, qtbot):
    other = Instance(tmp_path / "other data")
    assert other.claim()
    other.release()


def test_a_released_folder_can_be_claimed_again(tmp_path, qtbot):
    for _ in range(3):
        instance = Instance(tmp_path)
        assert instance.claim()
        instance.release()


@pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="only POSIX can stop a process")
def test_a_holder_that_does_not_answer_is_named(first, tmp_path, qtbot, monkeypatch):
    os.kill(first.pid, signal.SIGSTOP)  # stopped, as a hung program is
    monkeypatch.setattr("app.instance._ANSWER_MS", 300)
    with pytest.raises(DataFolderBusy, match=f"process {first.pid} on .* does not answer"):
        Instance(tmp_path / "data").claim()
