"""What a person has written and chosen on the page, kept over restarts."""

from __future__ import annotations

import json
import logging
from dataclasses import asdict, dataclass, fields
from typing import TYPE_CHECKING, Any, Final

from PySide6.QtCore import QObject, QTimer

import engine
from app.speak.keeping import keep
from app.speak.tuning import USUAL, Tuning, read_tuning

if TYPE_CHECKING:
    from pathlib import Path

    from app.messages import Messages
    from app.work import Lane

_log = logging.getLogger(__name__)

AUTO: Final = "auto"
MOST_TRIES: Final = 16
LARGEST_SEED: Final = 2**31 - 1
_SAVE_AFTER_MS: Final = 600  # typing becomes one write, not forty


@dataclass(frozen=True)
class Choices:
    """`voice_key` is "voice:<id>", "preset:<name>" or empty; `model_folder` empty means the best that fits.

    `compared` are the ids of takes A and B, empty for a side that is not chosen. `more` says whether the rarer
    settings are shown; `used_styles` are the prompts spoken with, the last one first.
    """

    text: str = ""
    voice_key: str = ""
    model_folder: str = ""
    language: str = AUTO
    style: str = ""
    seed: int = 1
    seed_locked: bool = False
    as_written: bool = False
    splitter: tuple[int, ...] = ()
    tuning: Tuning = USUAL
    more: bool = False
    best_of: int = 4
    used_styles: tuple[str, ...] = ()
    compared: tuple[str, ...] = ()


class ChoicesFile(QObject):
    """Reads the choices once and saves them a moment after they changed, in the file lane."""

    def __init__(self, file: Path, lane: Lane, messages: Messages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._file, self._lane, self._messages = file, lane, messages
        self._waiting: Choices | None = None
        self._timer = QTimer(self, singleShot=True, interval=_SAVE_AFTER_MS)
        self._timer.timeout.connect(self.flush)

    def read(self) -> Choices:
        """What was saved; whatever makes no sense in it is left at its default."""
        try:
            content = json.loads(self._file.read_bytes())
        except FileNotFoundError:
            return Choices()
        except (OSError, ValueError) as error:
            _log.warning("%s could not be read; defaults are used: %s", self._file, error)
            return Choices()
        return _parse(content) if isinstance(content, dict) else Choices()

    def save_soon(self, choices: Choices) -> None:
        self._waiting = choices
        self._timer.start()

    def flush(self) -> None:
        """Save what is waiting, now."""
        self._timer.stop()
        choices, self._waiting = self._waiting, None
        if choices is not None:
            data = json.dumps(asdict(choices), ensure_ascii=False, indent=1).encode()
            keep(self._lane, lambda: engine.write_atomically(self._file, data), "Saving the text", self._say)

    def _say(self, error: Exception) -> None:
        self._messages.warning(f"Your text could not be saved. {error}")


def _parse(content: dict[str, Any]) -> Choices:
    defaults = Choices()
    kept: dict[str, Any] = {}
    kept["tuning"] = read_tuning(content.get("tuning"))
    for field in fields(Choices):
        value, default = content.get(field.name), getattr(defaults, field.name)
        if isinstance(value, list):
            wanted = int if field.name == "splitter" else str
            value = tuple(part for part in value if type(part) is wanted)
        if type(value) is type(default):
            kept[field.name] = value
    if not 2 <= kept.get("best_of", 4) <= MOST_TRIES:
        del kept["best_of"]
    if not 0 <= kept.get("seed", 0) <= LARGEST_SEED:
        del kept["seed"]
    return Choices(**kept)
