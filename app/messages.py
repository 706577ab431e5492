"""The one channel by which anything in the studio tells the person something; the log hears it too."""

from __future__ import annotations

import logging
from collections import deque
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

_log = logging.getLogger(__name__)
_REMEMBERED = 200


class Level(StrEnum):
    """How much a message matters, and which colour and sign it is shown with."""

    INFO = "info"
    SUCCESS = "success"
    WARNING = "warning"
    ERROR = "error"


class Action(NamedTuple):
    """A button on a message: what it says and what it does (called on the GUI thread)."""

    label: str
    run: Callable[[], object]


@dataclass(frozen=True)
class Message:
    """One line for the person."""

    level: Level
    text: str
    action: Action | None = None
    at: datetime = field(default_factory=lambda: datetime.now(UTC))


_LOG_LEVELS = {
    Level.INFO: logging.INFO,
    Level.SUCCESS: logging.INFO,
    Level.WARNING: logging.WARNING,
    Level.ERROR: logging.ERROR,
}


class Messages(QObject):
    """Posts messages. May be called from any thread; receivers on the GUI thread get them there.

    `history` holds the latest messages, so that a window made later can show what was said before it existed.

    Signals:
        posted(Message)
    """

    posted = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._history: deque[Message] = deque(maxlen=_REMEMBERED)

    @property
    def history(self) -> tuple[Message, ...]:
        return tuple(self._history)

    def info(self, text: str, action: tuple[str, Callable[[], object]] | None = None) -> None:
        self.post(Level.INFO, text, action)

    def success(self, text: str, action: tuple[str, Callable[[], object]] | None = None) -> None:
        self.post(Level.SUCCESS, text, action)

    def warning(self, text: str, action: tuple[str, Callable[[], object]] | None = None) -> None:
        self.post(Level.WARNING, text, action)

    def error(self, text: str, action: tuple[str, Callable[[], object]] | None = None) -> None:
        self.post(Level.ERROR, text, action)

    def post(self, level: Level, text: str, action: tuple[str, Callable[[], object]] | None = None) -> None:
        """Say `text` to the person; `action` is a button's words and what it does."""
        message = Message(level, text, None if action is None else Action(*action))
        _log.log(_LOG_LEVELS[level], "%s", text)
        self._history.append(message)
        self.posted.emit(message)
