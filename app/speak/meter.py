"""The style meter: one line with the style prompt and without, one seed; what it changes, measured."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

import engine
from app.speak import take_files
from app.work import error_text

if TYPE_CHECKING:
    from app.speak.comparing import Comparing
    from app.speak.speaking import Speaking, Wish
    from app.speak.take import Take
    from app.speak.takes import Takes
    from app.studio import Studio

_LINE_SECONDS: Final = 12.0  # of speech: long enough to measure, short enough to wait for


class StyleMeter(QObject):
    """Signals: `changed()`: `words` are other than before, or measuring began or ended."""

    changed = Signal()

    def __init__(self, studio: Studio, takes: Takes, speaking: Speaking, comparing: Comparing) -> None:
        super().__init__(speaking)
        self._studio, self._takes, self._speaking, self._comparing = studio, takes, speaking, comparing
        self.words = ""
        self.is_measuring = False

    def begin(self, wish: Wish) -> None:
        """Say the first line of `wish` without its style, then with it; both are kept, as A and B."""
        self.words, self.is_measuring = "", True
        line = replace(wish, text=first_line(wish.text), cast=())
        self._speaking.begin(replace(line, style=""), lambda plain: self._say_with_style(line, plain), aloud=False)
        self.changed.emit()

    def forget(self) -> None:
        """The style is another one; what was measured is of the one before."""
        if self.words:
            self.words = ""
            self.changed.emit()

    def _say_with_style(self, line: Wish, plain: Take | None) -> None:
        if plain is None or plain.reason == "stopped":
            self._end()
            return
        self._speaking.begin(line, lambda styled: self._measure(plain, styled), aloud=False)

    def _measure(self, plain: Take, styled: Take | None) -> None:
        if styled is None or styled.reason == "stopped":
            self._end()
            return
        folder = self._takes.folder
        job = self._studio.file_lane.submit(
            lambda _: engine.delivery_change(*(take_files.read_samples(folder, take) for take in (plain, styled))),
            "Measuring the style",
        )
        job.finished.connect(lambda change: self._tell(plain, styled, change))
        job.failed.connect(lambda error: self._studio.messages.error(error_text(error)))
        job.ended.connect(self._end)

    def _tell(self, plain: Take, styled: Take, change: engine.DeliveryChange) -> None:
        self._comparing.mark("A", plain.id)
        self._comparing.mark("B", styled.id)
        self.words = change_text(change)
        if plain.ran_on or styled.ran_on:
            self.words += " · one of them ran on, so measure again with another seed"

    def _end(self) -> None:
        self.is_measuring = False
        self.changed.emit()


def first_line(text: str) -> str:
    """Whole sentences from the beginning of the first passage, about twelve seconds of them."""
    words = next((passage.text for passage in engine.parse_script(text) if passage.text), "")
    line = ""
    for sentence in engine.split_sentences(words):
        if line and engine.expected_seconds(f"{line} {sentence}") > _LINE_SECONDS:
            break
        line = f"{line} {sentence}".strip()
    return line or words


def change_text(change: engine.DeliveryChange) -> str:
    """ "pitch +1.8 semitones · 12 % slower · 3.0 dB louder", as against no style."""
    pitch = "pitch not found" if change.pitch_semitones is None else f"pitch {change.pitch_semitones:+.1f} semitones"
    percent = round(100 * (change.pace - 1))
    pace = f"{abs(percent)} % {'faster' if percent > 0 else 'slower'}" if percent else "as fast"
    loud = f"{abs(change.level_db):.1f} dB {'louder' if change.level_db > 0 else 'softer'}"
    return f"{pitch} · {pace} · {loud if abs(change.level_db) >= 0.05 else 'as loud'}"
