"""Thirty takes in a process of its own: what the fifth left is about what the thirtieth leaves."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

_PROGRAM = """
    import gc, sys, time
    import psutil, pytest
    from PySide6.QtCore import QDeadlineTimer
    from PySide6.QtWidgets import QApplication
    from app.paths import paths
    from app.speak.page import SpeakPage
    from app.studio import Studio
    from app.work import GarbageCollector
    from tests.endings import end_after

    app = QApplication(sys.argv)
    end_after(4, pytest.MonkeyPatch())
    collector = GarbageCollector()
    collector.start()
    studio = Studio(paths())
    studio.start()
    page = SpeakPage(studio)
    page.show()
    page.enter()
    presenter = page.presenter

    def until(condition):
        deadline = QDeadlineTimer(120_000)
        while not condition():
            assert not deadline.hasExpired()
            app.processEvents()
            time.sleep(0.005)  # the lanes need the interpreter too

    until(lambda: presenter.is_loaded and presenter.takes.is_loaded)
    presenter.set_text("Hello there, how are you?")
    used = {}
    for count in range(1, 31):
        presenter.speak()
        until(lambda: len(presenter.takes.all) == count and not presenter.is_speaking)
        until(lambda: not (studio.file_lane.busy or studio.model_lane.busy))
        if count in (5, 30):
            gc.collect()
            used[count] = psutil.Process().memory_info().rss
    presenter.close()
    collector.stop()
    studio.close()
    page.deleteLater()
    print("used", used[5], used[30])
"""


@pytest.mark.timeout(280)
def test_memory_after_thirty_takes_is_that_after_five(own_home: Path) -> None:
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-c", textwrap.dedent(_PROGRAM)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=270, env=environment, check=False)
    assert done.returncode == 0, done.stderr
    words, after_5, after_30 = done.stdout.splitlines()[-1].split()
    assert words == "used"
    print(f"{int(after_5) / 1e6:.1f} MB after 5 takes, {int(after_30) / 1e6:.1f} MB after 30")
    assert int(after_30) <= 1.05 * int(after_5)
