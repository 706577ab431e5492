"""What the marks in a text ask for: which voices, and what is wrong with them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Final

import engine

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.speak.offer import SpeakVoice

PAUSE_MARK: Final = "[pause: 1 s]"


@lru_cache(maxsize=2)
def passages(text: str) -> tuple[engine.Passage, ...]:
    """The passages of `text`; the last texts are remembered, since many parts of the page ask."""
    return engine.parse_script(text)


def words_of(text: str) -> str:
    """What of `text` is said: all but the marks."""
    return "\n\n".join(passage.text for passage in passages(text) if passage.text)


def cast_of(text: str, voices: Sequence[SpeakVoice]) -> tuple[SpeakVoice, ...]:
    """The voices that marks in `text` name, as far as they are here."""
    known = {voice.name.casefold(): voice for voice in reversed(voices)}
    return tuple(known[name] for name in _named(text) if name in known)


def fault_of(text: str, voices: Sequence[SpeakVoice], model: engine.ModelSummary) -> str:
    """Why `model` cannot say `text` with the voices that its marks name; empty if it can."""
    known = {voice.name.casefold(): voice for voice in reversed(voices)}
    for name, written in _named(text).items():
        voice = known.get(name)
        if voice is None:
            return f"There is no voice called “{written}”. Choose one with the button Mark."
        record = voice.record
        fits = record.width == model.width if record is not None else voice.speaker in model.speakers
        if not fits:
            return f"{voice.name} does not fit {model.label}. Choose another voice or another model."
    return ""


def _named(text: str) -> dict[str, str]:
    """Names in the marks, casefolded, and as they are written."""
    return {passage.voice.casefold(): passage.voice for passage in passages(text) if passage.voice}
