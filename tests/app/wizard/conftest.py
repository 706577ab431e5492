"""A studio with real lanes, library and test models; a microphone and loudspeakers that obey the test."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile

from app.paths import paths
from app.settings.table import COUNTDOWN_SECONDS
from app.sound.devices import Device, Devices
from app.sound.player import Player
from app.sound.recorder import Recorder
from app.studio import Studio
from app.wizard.page import WizardPage
from app.wizard.presenter import WizardPresenter
from app.wizard.recording import Recording
from tests.app.sound.fakes import RATE, FakeMicrophone, FakeSpeaker, speech_like
from tests.sounds import voiced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

WAIT_MS = 30_000
MICROPHONE = Device(0, "Fake microphone", "Fake", 1, RATE, True)
OTHER_MICROPHONE = Device(1, "Other microphone", "Fake", 1, RATE, False)


@cache
def _five_seconds() -> np.ndarray:
    return voiced(5.0)


def voice(seconds: float) -> np.ndarray:
    """As `voiced`, repeated every 5 s: long ones cost nothing."""
    return np.resize(_five_seconds(), round(seconds * 24_000))


@pytest.fixture
def speaker() -> FakeSpeaker:
    return FakeSpeaker(24_000)


@pytest.fixture
def microphone() -> FakeMicrophone:
    return FakeMicrophone(speech_like(3.0, RATE))


@pytest.fixture
def studio(qtbot: QtBot, speaker: FakeSpeaker) -> Iterator[Studio]:
    studio = Studio(paths())
    studio.player = Player(studio, open_output=speaker)
    studio.player.failed.connect(studio.messages.error)
    studio.settings.set(COUNTDOWN_SECONDS, 0)
    looking = studio.shelf.refresh()
    qtbot.waitUntil(lambda: looking.is_over, timeout=WAIT_MS)
    yield studio
    studio.close()


@pytest.fixture
def devices() -> list[Devices]:
    """What is found at each look; the last one again and again."""
    return [Devices(inputs=(MICROPHONE, OTHER_MICROPHONE))]


@pytest.fixture
def recording(studio: Studio, microphone: FakeMicrophone, devices: list[Devices]) -> Iterator[Recording]:
    def find(_refresh: bool) -> Devices:
        return devices.pop(0) if len(devices) > 1 else devices[0]

    recording = Recording(studio, recorder=Recorder(open_input=microphone), find=find)
    yield recording
    assert recording.wait_closed()


@pytest.fixture
def presenter(studio: Studio, recording: Recording) -> WizardPresenter:
    return WizardPresenter(studio, recording=recording)


@pytest.fixture
def page(qtbot: QtBot, studio: Studio, presenter: WizardPresenter) -> Iterator[WizardPage]:
    page = WizardPage(studio, presenter=presenter)
    qtbot.addWidget(page)
    page.resize(1080, 760)
    page.show()
    page.activateWindow()  # no window manager does it on a bare screen
    qtbot.waitUntil(page.isActiveWindow, timeout=WAIT_MS)
    page.enter()
    qtbot.waitUntil(lambda: bool(presenter.recording.devices.inputs), timeout=WAIT_MS)
    yield page
    assert page.shut_down()


@pytest.fixture
def wave_file(tmp_path: Path) -> Callable[..., Path]:
    """Writes a WAV of `seconds` of voiced sound, or of the samples given."""

    def write(name: str = "clip.wav", seconds: float = 6.0, samples: np.ndarray | None = None) -> Path:
        path = tmp_path / name
        soundfile.write(path, voice(seconds) if samples is None else samples, 24_000, subtype="FLOAT")
        return path

    return write


class Loaded:
    """Waits in the words of the tests."""

    def __init__(self, qtbot: QtBot, presenter: WizardPresenter) -> None:
        self._qtbot, self._presenter = qtbot, presenter
        self.notices: list[tuple[str, str]] = []
        presenter.notice.connect(lambda kind, text: self.notices.append((kind, text)) if text else None)

    def open(self, path: Path) -> None:
        """Open a file and wait until it is there and checked."""
        self._presenter.open_file(path)
        self.until(lambda: self._presenter.sound is not None and self._presenter.sound.origin.path == path)
        self.checked()

    def checked(self) -> None:
        """Wait for the lane's verdicts on the selection."""
        self.until(lambda: len(self._presenter.findings) > 1)

    def clone(self) -> None:
        """Go to Clone, clone, wait for the voice."""
        from app.wizard.presenter import Step

        self._presenter.go_to(Step.CLONE)
        self._presenter.clone()
        self.until(lambda: self._presenter.is_current and self._presenter.step is Step.SAVE)

    def until(self, condition: Callable[[], bool]) -> None:
        self._qtbot.waitUntil(condition, timeout=WAIT_MS)

    def notice(self) -> tuple[str, str]:
        """Wait for a line to the person; the last one."""
        self.until(lambda: bool(self.notices))
        return self.notices[-1]


@pytest.fixture
def wizard(qtbot: QtBot, presenter: WizardPresenter) -> Loaded:
    return Loaded(qtbot, presenter)
