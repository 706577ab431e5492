"""The wizard with real PortAudio: a virtual microphone, a virtual loudspeaker, and a process that is killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile
import soxr

from app.paths import paths
from app.settings.table import COUNTDOWN_SECONDS
from app.sound import portaudio
from app.studio import Studio
from app.wizard.page import WizardPage
from app.wizard.presenter import Step
from tests.app.sound.fakes import speech_like
from tests.sounds import best_match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.store.recovery import UnsavedSound

pytestmark = pytest.mark.sound

WAIT_MS = 30_000
FEED_RATE = 48_000
RECORD_UNTIL_KILLED = """
    import sys
    from PySide6.QtCore import QCoreApplication, QTimer
    from app.paths import paths
    from app.settings.table import COUNTDOWN_SECONDS
    from app.studio import Studio
    from app.wizard.recording import Recording

    application = QCoreApplication(sys.argv)
    studio = Studio(paths())
    studio.settings.set(COUNTDOWN_SECONDS, 0)
    recording = Recording(studio)
    recording.seconds_changed.connect(lambda seconds: print(seconds, flush=True))
    recording.refused.connect(lambda reason: print("refused:", reason, flush=True))
    QTimer.singleShot(0, recording.record)
    application.exec()
"""


@pytest.fixture
def feed(tmp_path: Path) -> Iterator[np.ndarray]:
    """Plays into the microphone as long as the test runs; the sound, mono at 48 kHz."""
    sound = speech_like(20.0, FEED_RATE)
    path = tmp_path / "feed.wav"
    soundfile.write(path, sound, FEED_RATE, subtype="FLOAT")
    process = subprocess.Popen(["paplay", "--device=microphone_feed", str(path)])
    yield sound
    process.terminate()
    process.wait()


@pytest.fixture
def page(qtbot: QtBot) -> Iterator[WizardPage]:
    studio = Studio(paths())
    studio.settings.set(COUNTDOWN_SECONDS, 0)
    studio.start()
    page = WizardPage(studio)
    qtbot.addWidget(page)
    page.show()
    page.enter()
    yield page
    assert page.shut_down()
    studio.close()
    assert portaudio.open_stream_count() == 0


def resembles(found: np.ndarray, feed: np.ndarray) -> float:
    """How well the best half second of `found`, at 24 kHz, fits some place of what was fed.

    Not all of it at once: where the machine is busy a virtual microphone leaves gaps of its own.
    """
    fed = soxr.resample(feed, FEED_RATE, 24_000, quality="HQ")
    return max(best_match(found[start : start + 12_000], fed)[0] for start in range(0, len(found) - 12_000, 4_000))


def test_speech_from_the_microphone_becomes_a_voice(qtbot: QtBot, page: WizardPage, feed: np.ndarray) -> None:
    presenter, recording = page.presenter, page.presenter.recording
    qtbot.waitUntil(lambda: bool(recording.devices.inputs), timeout=WAIT_MS)
    assert page.sound_step.device_box.count() >= 1
    assert portaudio.open_stream_count() == 0
    page.foot.primary_button.click()
    qtbot.waitUntil(lambda: recording.recorder.seconds > 4.0, timeout=WAIT_MS)
    assert page.sound_step.meter.held_peak > -20
    page.foot.primary_button.click()
    qtbot.waitUntil(lambda: presenter.step is Step.LISTEN, timeout=WAIT_MS)
    sound = presenter.sound
    assert sound is not None
    assert resembles(sound.clip.samples[12_000:-12_000], feed) > 0.98
    assert sound.mel.levels.std() > 10
    qtbot.waitUntil(lambda: portaudio.open_stream_count() == 0, timeout=WAIT_MS)
    qtbot.waitUntil(lambda: presenter.base_model is not None, timeout=WAIT_MS)
    presenter.go_to(Step.CLONE)
    page.foot.primary_button.click()
    qtbot.waitUntil(lambda: presenter.step is Step.SAVE, timeout=WAIT_MS)
    presenter.describe(name="From the microphone")
    page.foot.primary_button.click()
    qtbot.waitUntil(lambda: presenter.saved is not None, timeout=WAIT_MS)
    presenter.playing.play()
    qtbot.waitUntil(lambda: presenter.timeline.cursor > 0.3, timeout=WAIT_MS)


def test_a_recording_that_was_killed_is_offered_and_opened(
    qtbot: QtBot, feed: np.ndarray, request: pytest.FixtureRequest
) -> None:
    command = [sys.executable, "-c", textwrap.dedent(RECORD_UNTIL_KILLED)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path.cwd()) as process:
        assert process.stdout is not None
        for line in process.stdout:
            assert not line.startswith("refused"), line
            if float(line) > 3.0:
                break
        process.send_signal(signal.SIGKILL)
    offered: list[UnsavedSound] = []
    page: WizardPage = request.getfixturevalue("page")  # the next start: after the kill
    page.presenter.unsaved_found.connect(offered.append)
    qtbot.waitUntil(lambda: bool(offered), timeout=WAIT_MS)
    assert offered[0].state == "open"
    page.notice.action_button.click()
    qtbot.waitUntil(lambda: page.presenter.sound is not None, timeout=WAIT_MS)
    sound = page.presenter.sound
    assert sound is not None
    assert sound.seconds > 2.5
    assert resembles(sound.clip.samples[12_000:], feed) > 0.98


def test_leaving_closes_the_real_microphone(qtbot: QtBot, page: WizardPage, feed: np.ndarray) -> None:
    recording = page.presenter.recording
    qtbot.waitUntil(lambda: bool(recording.devices.inputs), timeout=WAIT_MS)
    for _ in range(3):
        recording.test(on=True)
        qtbot.waitUntil(lambda: portaudio.open_stream_count() == 1, timeout=WAIT_MS)
        page.leave()
        qtbot.waitUntil(lambda: portaudio.open_stream_count() == 0, timeout=WAIT_MS)
