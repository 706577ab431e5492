"""How numbers about speech are put into words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication

import engine
from app.speak.choices import AUTO
from app.speak.script import passages, words_of
from app.store.names import safe_stem

if TYPE_CHECKING:
    from app.speak.take import Take

_FIRST_WORDS: Final = 6
_MEASURED: Final = 10_000  # characters; counting more of them would be felt while typing
_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")


def expected_seconds(text: str) -> float:
    """About how long `text` takes to say; of very long texts the beginning is measured, to be quick."""
    if len(text) <= _MEASURED:
        return engine.expected_seconds(text)
    return engine.expected_seconds(text[:_MEASURED]) * len(text) / _MEASURED


def script_seconds(text: str, speed: float = 1.0) -> float:
    """About how long `text` takes with what its marks ask for: pauses are as long as they say, whatever the speed."""
    found = passages(text)
    pauses = sum(passage.pause_seconds for passage in found)
    return expected_seconds(words_of(text)) / speed + pauses


def spoken_text(text: str) -> str:
    """`text` as it goes to the model: one kind of line end, no control characters, no blank edges."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n")).strip()


def seconds_text(seconds: float) -> str:
    """A length as people read it: 0.6 s, 14 s, 2:05."""
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    if seconds < 99.5:
        return f"{seconds:.0f} s"
    return f"{round(seconds) // 60}:{round(seconds) % 60:02d}"


def length_text(seconds: float) -> str:
    """The length of a take: 13.8 s, 2:05."""
    return f"{seconds:.1f} s" if seconds < 99.95 else seconds_text(seconds)


def counter_text(text: str) -> str:
    """What stands under the text: "212 characters · ≈ 14 s"."""
    if not text:
        return ""
    count = f"{len(text):,} character{'' if len(text) == 1 else 's'}"
    return f"{count} · ≈ {seconds_text(script_seconds(text))}"


def speed_text(seconds: float, made_in_seconds: float) -> str:
    """How fast it was made, as against speaking it: "1.8 × slower than speech"."""
    if seconds <= 0 or made_in_seconds <= 0:
        return ""
    ratio = made_in_seconds / seconds
    if 0.95 < ratio < 1.05:
        return "as fast as speech"
    return f"{ratio:.1f} × slower than speech" if ratio > 1 else f"{1 / ratio:.1f} × faster than speech"


def progress_text(first_sound: float | None, seconds: float, expected: float, made_in_seconds: float) -> str:
    """What is said while speech is made: "first sound 0.6 s · 3.1 of ≈ 14 s · 1.8 × slower than speech"."""
    parts = [] if first_sound is None else [f"first sound {first_sound:.1f} s"]
    if seconds <= expected:
        parts.append(f"{seconds:.1f} of ≈ {seconds_text(expected)}")
    else:
        parts.append(f"{seconds:.1f} s, longer than the ≈ {seconds_text(expected)} expected")
    parts.append(speed_text(seconds, made_in_seconds))
    return " · ".join(part for part in parts if part)


def language_text(language: str) -> str:
    return "Auto" if language == AUTO else language.replace("_", " ").capitalize()


def facts_text(take: Take) -> str:
    """The line under a take's words: voice, length, seed, style, language, model, speed."""
    language = "" if take.language == AUTO else language_text(take.language)
    speed = speed_text(take.seconds, take.made_in_seconds)
    likeness = "" if take.likeness is None else f"likeness {take.likeness:.2f}"
    heard = "" if take.agreement is None else _heard_text(take.agreement)
    settings = (take.style, take.tuning.words, language, take.model_label)
    parts = (take.voice_name, f"seed {take.seed}", likeness, heard, *settings, speed)
    return " · ".join(part for part in parts if part)


def _heard_text(agreement: float) -> str:
    return QCoreApplication.translate("Takes", "words {share} %").format(share=int(100 * agreement))


def tip_text(take: Take) -> str:
    """Everything about a take, for its tool tip."""
    first = "" if take.first_sound_seconds is None else f"first sound after {take.first_sound_seconds:.1f} s"
    made = f"made in {seconds_text(take.made_in_seconds)}" if take.made_in_seconds else ""
    lines = [take.text if len(take.text) <= 600 else f"{take.text[:600]}…", facts_text(take)]
    lines.append(" · ".join(part for part in (made, first) if part))
    return "\n\n".join(line for line in [*lines, take.remark.capitalize()] if line)


def accessible_text(take: Take) -> str:
    """What a screen reader says of a take in the list."""
    star = "starred" if take.star else ""
    length = f"{take.seconds:.1f} seconds"
    parts = (f"Take {take.number}", star, length, take.remark, take.text[:120], facts_text(take))
    return ", ".join(part for part in parts if part)


def takes_text(count: int) -> str:
    """1 take, 2 takes."""
    return f"{count} take{'' if count == 1 else 's'}"


def first_words(take: Take) -> str:
    """What a take begins with, short enough for a file's name."""
    words = " ".join(take.text.split()[:_FIRST_WORDS])
    return words[:60].strip(" .,;:!?")


def file_stem(take: Take) -> str:
    """A file name for a take: its voice and its first words."""
    return safe_stem(f"{take.voice_name} - {first_words(take)}")
