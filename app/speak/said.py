"""What will be said of a text: its numbers, dates and signs in words."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

import engine
from app.work import error_text

if TYPE_CHECKING:
    from app.work import Lane

_AFTER_MS: Final = 300  # a person who types is not interrupted
_LOOKED_AT: Final = 4000  # characters; what is shown is one line


class SaidForm(QObject):
    """Works out the spoken form in the file lane, a moment after the text or its language changed.

    Signals: `changed()`.
    """

    changed = Signal()

    def __init__(self, lane: Lane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._wanted = ("", "")
        self._text = ""
        self._timer = QTimer(self, singleShot=True, interval=_AFTER_MS)
        self._timer.timeout.connect(self._work_out)

    @property
    def text(self) -> str:
        """The spoken form on one line; empty where it is what is written."""
        return self._text

    def follow(self, text: str, language: str) -> None:
        """The text or its language is this now."""
        wanted = (text[:_LOOKED_AT], language)
        if wanted != self._wanted:
            self._wanted = wanted
            self._timer.start()

    def stop(self) -> None:
        """Work nothing out any more."""
        self._timer.stop()

    def _work_out(self) -> None:
        text, language = self._wanted
        if not text.strip():
            self._set("")
            return
        job = self._lane.submit(lambda _: engine.spoken_form(text, language).text, "Reading the text")
        job.finished.connect(partial(self._take, self._wanted))
        job.failed.connect(lambda error: self._set(error_text(error)))

    def _take(self, wanted: tuple[str, str], spoken: str) -> None:
        if wanted == self._wanted:
            said, written = (" ".join(words.split()) for words in (spoken, wanted[0]))
            self._set("" if said == written else said)

    def _set(self, text: str) -> None:
        if text != self._text:
            self._text = text
            self.changed.emit()
