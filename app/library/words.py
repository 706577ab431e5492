"""How facts about a voice are put into words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

import engine

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from app.store import VoiceRecord

TIERS: Final = {"light": "Light", "standard": "Standard", "wdelta": "WDELTA"}
TIER_HINTS: Final = {
    "light": "The voice alone. Takes style on CustomVoice models.",
    "standard": "The voice with what it was made with. Takes style on CustomVoice models.",
    "wdelta": "The voice with the Base model's own weights: exact likeness, little style.",
}
_STEPS: Final = ("KB", "MB", "GB")


def size_text(size_bytes: int) -> str:
    """A file size as people read it: 256 B, 4.1 KB, 16 MB."""
    if size_bytes < 1000:
        return f"{size_bytes} B"
    size, step = size_bytes / 1000, 0
    while size >= 999.5 and step < len(_STEPS) - 1:
        size, step = size / 1000, step + 1
    return f"{size:.1f} {_STEPS[step]}" if size < 9.95 else f"{size:.0f} {_STEPS[step]}"


def language_text(language: str) -> str:
    """A language as the models name it ("beijing_dialect"), for people; empty stays empty."""
    return language.replace("_", " ").capitalize()


def models_text(width: int) -> str:
    """Which models a vector of `width` fits."""
    size = engine.RELEASED_WIDTHS.get(width)
    test = QCoreApplication.translate("LibraryWords", "Test models of width {width}")
    return f"{size} models" if size else test.format(width=width)


def fits_text(width: int, here: Sequence[str]) -> str:
    """Which of the models that are `here` a vector of `width` fits, or which one is needed."""
    if here:
        return ", ".join(here)
    none = QCoreApplication.translate("LibraryWords", "{models}, of which none is here. Fetch one in the room Models.")
    return none.format(models=models_text(width))


def day_text(moment: datetime) -> str:
    """A day in the person's own time and language."""
    local = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    return QLocale().toString(local.date(), "d MMM yyyy")


def count_text(count: int, one: str = "voice", many: str = "voices") -> str:
    return f"{count:,} {one if count == 1 else many}"


def line_text(record: VoiceRecord, fits: bool | None) -> str:
    """One line under a voice's name: whether a model that is here `fits`, and what is known, in order of use."""
    if record.missing:
        return QCoreApplication.translate("LibraryWords", "File missing")
    size = engine.RELEASED_WIDTHS.get(record.width) or QCoreApplication.translate("LibraryWords", "test model")
    if fits is not None:
        there = QCoreApplication.translate("LibraryWords", "Fits {size}")
        lacking = QCoreApplication.translate("LibraryWords", "Needs {size}")
        size = (there if fits else lacking).format(size=size)
    seconds = f"{record.reference_seconds:.1f} s" if record.reference_seconds else ""
    facts = [size, language_text(record.language), seconds, *record.tags]
    return " · ".join(fact for fact in facts if fact)


def spoken_text(record: VoiceRecord, fits: bool | None) -> str:
    """What a screen reader says of a voice in the list."""
    parts = (record.name, TIERS[record.tier], size_text(record.size_bytes), line_text(record, fits))
    return ", ".join(parts)
