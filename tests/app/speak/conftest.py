"""A real studio in a home of its own, with the bundled tiny models."""

from __future__ import annotations

import gc
import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

import resources
from app.paths import paths
from app.speak.presenter import SpeakPresenter
from app.studio import Studio
from app.work import GarbageCollector
from tests.app.helpers import made_voice

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.store import VoiceRecord

WIDTH = 96  # of the bundled models
PACE = re.compile(r"(slower|faster) than speech|as fast as speech")  # how fast it speaks, in words


class Room:
    """The studio, its speaking presenter, and short ways to do what tests do often."""

    def __init__(self, qtbot: QtBot, studio: Studio, presenter: SpeakPresenter) -> None:
        self.qtbot, self.studio, self.presenter = qtbot, studio, presenter

    def wait(self, condition: Callable[[], bool], timeout: int = 60_000) -> None:
        self.qtbot.waitUntil(condition, timeout=timeout)

    def wait_files(self) -> None:
        self.wait(lambda: not self.studio.file_lane.busy)

    def save_voice(self, name: str, seed: int = 1, width: int = WIDTH, **fields: object) -> VoiceRecord:
        """Into the library, as another room would."""
        saved: list[VoiceRecord] = []
        voice = made_voice(seed, width, **fields)
        job = self.studio.file_lane.submit(lambda _: self.studio.library.save(voice, name, "light"), "saving")
        job.finished.connect(saved.append)
        self.wait(lambda: bool(saved))
        self.studio.library_changed.emit()
        self.wait(lambda: any(v.record is not None and v.record.id == saved[0].id for v in self.presenter.voices))
        return saved[0]

    def choose(self, kind: str) -> None:
        """One of the bundled models: "base" or "custom_voice"."""
        self.presenter.choose_model(str(resources.path("test_model", kind)))

    def speak(self) -> None:
        """Speak, and wait until it is over."""
        self.presenter.speak()
        assert self.presenter.is_speaking
        self.wait(lambda: not self.presenter.is_speaking)

    def speak_seed(self, seed: int, text: str = "Hello there, how are you?") -> None:
        self.presenter.set_text(text)
        self.presenter.set_seed(seed)
        self.presenter.lock_seed(True)
        self.speak()

    def finish(self) -> None:
        """As the program ends: stop and save, while everything is still there."""
        self.presenter.close()
        self.wait(lambda: not self.presenter.is_speaking)

    def speak_a_little(self) -> None:
        """Speak, and stop at the first sound."""
        presenter = self.presenter
        presenter.speak()
        self.wait(lambda: presenter.talk.run is not None and presenter.talk.run.source.frames > 0)
        presenter.stop()
        self.wait(lambda: not presenter.is_speaking)

    @property
    def said(self) -> list[str]:
        return [message.text for message in self.studio.messages.history]


def open_studio() -> Studio:
    studio = Studio(paths())
    studio.start()
    return studio


@pytest.fixture(autouse=True)
def garbage_here(qtbot: QtBot) -> Iterator[None]:
    """As in the program: cycles that hold Qt objects die in this thread, never in a lane's."""
    collector = GarbageCollector()
    collector.start()
    yield
    gc.collect()
    collector.stop()


@pytest.fixture
def studio(qtbot: QtBot) -> Iterator[Studio]:
    studio = Studio(paths())
    loaded: list[bool] = []
    studio.engine_ready.connect(lambda: loaded.append(True))
    studio.start()
    qtbot.waitUntil(lambda: bool(loaded), timeout=60_000)  # torch: nothing can cancel that
    yield studio
    studio.close()


@pytest.fixture
def room(qtbot: QtBot, studio: Studio) -> Iterator[Room]:
    """With the test model's preset speakers and no voice in the library; nothing can be heard."""
    presenter = SpeakPresenter(studio)
    presenter.start()
    room = Room(qtbot, studio, presenter)
    room.wait(lambda: presenter.is_loaded and presenter.takes.is_loaded)
    yield room
    room.finish()
