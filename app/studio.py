"""What every room of the studio shares, made once and closed in order."""

from __future__ import annotations

import importlib
import logging
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

import engine
from app.messages import Messages
from app.models.fetching import Fetching, Lanes
from app.models.shelf import ModelShelf
from app.settings.settings import Settings
from app.settings.table import OUTPUT_DEVICE, THREADS
from app.sound.devices import output_called
from app.sound.player import Player
from app.sound.streams import open_output
from app.store.library import Library
from app.work.job import error_text
from app.work.lanes import Lane

if TYPE_CHECKING:
    from app.paths import Paths
    from app.sound.devices import Device
    from app.sound.portaudio import OpenStream
    from app.sound.streams import Callback

_log = logging.getLogger(__name__)
_CLOSE_SECONDS = 5.0
_USED_LATER = (
    *("numpy", "psutil", "soundfile", "sounddevice"),
    *("app.wizard.page", "app.library.page", "app.speak.page", "app.models.page", "app.settings.page"),
)


class Studio(QObject):
    """Settings, messages, the lanes, the library, the models and the player.

    Signals:
        library_changed()  a voice was added, changed or removed by a room other than the library
        warmed()  what the rooms import is imported
        engine_ready()  torch is loaded
    """

    library_changed = Signal()
    warmed = Signal()
    engine_ready = Signal()

    def __init__(self, places: Paths, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.places = places
        self.rooms_first = False  # a window loads the engine itself, once its rooms are made
        self.messages = Messages(self)
        self.model_lane = Lane("model", self)
        self.file_lane = Lane("files", self)
        self.web_lane = Lane("fetching", self)
        self.settings = Settings(places.settings_file, self.messages, parent=self)
        self.settings.run_behind = lambda work: self.file_lane.submit(lambda _: work(), "Saving settings")
        self.library = Library(places)
        self.shelf = ModelShelf(self.settings, self.messages, self.file_lane, engine.pair_cache(places.cache), self)
        lanes = Lanes(self.file_lane, self.web_lane, self.model_lane)
        self.fetching = Fetching(self.settings, self.messages, self.shelf, lanes, self)
        self.engine_ready.connect(self.fetching.go_on)
        self._limit_threads(THREADS.name, self.settings.get(THREADS))
        self.settings.changed.connect(self._limit_threads)
        self.player = Player(self, self._open_output)
        self.player.failed.connect(self.messages.error)

    @property
    def lanes(self) -> tuple[Lane, ...]:
        return self.model_lane, self.web_lane, self.file_lane

    def start(self) -> None:
        """Begin the work behind the first window: models are looked for, the library is opened, torch is loaded.

        One after the other: while the system's loader maps torch, an import of any other library waits for it with
        the interpreter lock in its hand, and the window would wait too.
        """
        self.shelf.refresh()
        self.fetching.empty_removed()
        opening = self.file_lane.submit(lambda _: self.library.open(), "Opening the library")
        opening.failed.connect(lambda error: self.messages.error(error_text(error)))
        warming = self.file_lane.submit(lambda _: _import_what_is_used_later(), "Getting ready")
        warming.ended.connect(self.warmed.emit)
        warming.ended.connect(lambda: None if self.rooms_first else self.load_engine())

    def _open_output(self, device: Device | None, sample_rate: int, channels: int, callback: Callback) -> OpenStream:
        """Open the loudspeaker the person chose, unless another is asked for. Called in the player's own thread."""
        chosen = self.settings.get(OUTPUT_DEVICE)
        if device is None and chosen:
            device = output_called(chosen)
        return open_output(device, sample_rate, channels, callback)

    @staticmethod
    def _limit_threads(name: str, value: object) -> None:
        """The next sentence is computed with as many threads."""
        if name == THREADS.name:
            assert isinstance(value, int)
            engine.limit_threads(value or None)

    def load_engine(self) -> None:
        """Load torch and the engine in the model lane; `engine_ready` follows."""
        loading = self.model_lane.submit(lambda _: engine.load_engine(), "Loading the engine")
        loading.finished.connect(lambda _: self.engine_ready.emit())
        loading.failed.connect(lambda error: self.messages.error(error_text(error)))

    def close(self) -> None:
        """Stop what sounds, cancel what runs, wait, save the settings. Safe to call twice."""
        self.fetching.leave()
        self.player.stop()
        self.player.wait_closed(_CLOSE_SECONDS)
        for lane in self.lanes:
            if not lane.close(_CLOSE_SECONDS):
                _log.warning("lane %s was still busy at the end", lane.objectName())
        self.settings.run_behind = lambda work: work()
        self.settings.close()
        self.library.close()


def _import_what_is_used_later() -> None:
    """Libraries that the window's thread would otherwise load at a moment when every millisecond shows."""
    for name in _USED_LATER:
        try:
            importlib.import_module(name)
        except (ImportError, OSError):
            _log.warning("%s cannot be loaded here", name, exc_info=True)
    _ = engine.ModelPair  # the engine's public face imports what is asked of it
