"""Facts about sounds in words."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale

if TYPE_CHECKING:
    from datetime import datetime
    from pathlib import Path

    import engine

_SIDES = {1: "mono", 2: "stereo"}
_STAMP = re.compile(r"(\d{8}-\d{6})")


def consent_words(moment: datetime) -> str:
    """What the sidecar keeps when the box was ticked."""
    return f"Own voice, or used with its owner's consent; stated on {moment:%Y-%m-%d}."


def day_words(path: Path) -> str:
    """The moment in a recording's file name, in the person's own way of writing."""
    found = _STAMP.search(path.name)
    moment = QDateTime.fromString(found.group(1), "yyyyMMdd-HHmmss") if found else QDateTime()
    if not moment.isValid():
        return path.stem
    locale, short = QLocale(), QLocale.FormatType.ShortFormat
    time = locale.toString(moment.time(), short)
    if moment.date() == QDateTime.currentDateTime().date():
        return time
    return f"{locale.toString(moment.date(), short)} {time}"


def length_words(seconds: float) -> str:
    """A length as people say it: 12.4 s, 3 min 5 s, 1 h 12 min."""
    if seconds < 60:
        return f"{seconds:.1f} s"
    whole = round(seconds)
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s" if whole % 60 else f"{whole // 60} min"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def clip_words(clip: engine.Clip) -> str:
    """Length, rate and channels of the sound as it came."""
    channels = clip.source_channels
    sides = _SIDES.get(channels, f"{channels} channels")
    return f"{length_words(clip.seconds)} · {clip.source_rate / 1000:g} kHz {sides}"
