"""How facts about a voice are put into words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDateTime, QLocale

import engine

if TYPE_CHECKING:
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


def fits_text(width: int) -> str:
    """Which models a vector of `width` fits."""
    size = engine.RELEASED_WIDTHS.get(width)
    return f"{size} models" if size else f"Test models of width {width}"


def day_text(moment: datetime) -> str:
    """A day in the person's own time and language."""
    local = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    return QLocale().toString(local.date(), "d MMM yyyy")


def count_text(count: int, one: str = "voice", many: str = "voices") -> str:
    return f"{count:,} {one if count == 1 else many}"


def summary_text(record: VoiceRecord) -> str:
    """One line under a voice's name: what is known, in order of use."""
    seconds = f"{record.reference_seconds:.1f} s" if record.reference_seconds else ""
    facts = [language_text(record.language), engine.RELEASED_WIDTHS.get(record.width, ""), seconds, *record.tags]
    return " · ".join(fact for fact in facts if fact)


def spoken_text(record: VoiceRecord) -> str:
    """What a screen reader says of a voice in the list."""
    missing = "file missing" if record.missing else ""
    parts = (record.name, TIERS[record.tier], size_text(record.size_bytes), summary_text(record), missing)
    return ", ".join(part for part in parts if part)
