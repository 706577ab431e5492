"""The sound files opened last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from app.settings.table import RECENT_SOUNDS

if TYPE_CHECKING:
    from pathlib import Path

    from app.settings.settings import Settings

_KEPT = 8


def remember_sound(settings: Settings, path: Path) -> None:
    """`path` was opened: it comes first, and once."""
    name = str(path.absolute())
    others = [other for other in settings.get(RECENT_SOUNDS) if other != name]
    settings.set(RECENT_SOUNDS, tuple([name, *others][:_KEPT]))
