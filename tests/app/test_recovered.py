"""A program that was killed while it recorded and spoke: the next start says what was kept, in whatever room."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.main_window import MainWindow
from app.paths import paths
from app.settings.table import LAST_PAGE
from app.studio import Studio
from app.theme import apply_theme

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

KILLED = """
    import os, signal
    from app.paths import paths
    from app.sound.wav_file import GrowingWav
    from app.speak.take_files import TakeWriter
    from app.store import Library
    from tests.app.speak.test_take_files import SOUND, made
    places = paths()
    library = Library(places)
    library.open()
    recording = places.recordings / "recording-20261201-120000-000.wav"
    recording.parent.mkdir(parents=True)
    library.recovery.begin("recording", recording, "Microphone")
    GrowingWav(recording, 24_000, 1).write(SOUND[:, None])
    TakeWriter(places.takes, made(reason="interrupted", seconds=0.0, peaks=(), samples=None)).append(SOUND)
    os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only POSIX kills outright")
def test_the_next_start_says_what_was_kept(qtbot: QtBot, qapp, own_home: Path) -> None:
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED)], capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    apply_theme(qapp, "dark")
    studio = Studio(paths())
    studio.settings.set(LAST_PAGE, "models")
    window = MainWindow(studio)
    window.show()
    studio.start()

    def told(words: str) -> bool:
        return any(words in message.text for message in studio.messages.history)

    qtbot.waitUntil(lambda: told("A take that was being spoken") and told("never saved as a voice"))
    message = next(message for message in studio.messages.history if "never saved" in message.text)
    assert message.action is not None
    message.action.run()
    page = window.rooms.wizard
    assert window.rail.current == "new_voice"
    assert page.notice.isVisible()
    page.notice.action_button.click()
    qtbot.waitUntil(lambda: page.presenter.sound is not None)
    assert page.presenter.sound.seconds > 1
    assert [take.number for take in window.rooms.speak.presenter.takes.all] == [1]
    window.close()
    window.deleteLater()
