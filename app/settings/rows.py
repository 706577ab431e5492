"""What the page of settings shows: title and choices of each row; its explanation is the table's."""

from __future__ import annotations

from typing import Any, NamedTuple

from PySide6.QtCore import QCoreApplication

import engine
from app.settings.table import (
    COLOUR_MAP,
    COUNTDOWN_SECONDS,
    INPUT_DEVICE,
    OUTPUT_DEVICE,
    PRECISION,
    PREVIEW_ON_HOVER,
    TAKES_ROOM_GB,
    THEME,
    THREADS,
    Setting,
)

Choices = tuple[tuple[str, Any], ...]
translate = QCoreApplication.translate


class RowFacts(NamedTuple):
    """`choices`: words and value of each; those of sound devices are filled in when the devices are known."""

    setting: Setting[Any]
    title: str
    choices: Choices


class Group(NamedTuple):
    """Rows under one heading."""

    title: str
    rows: tuple[RowFacts, ...]


def groups() -> tuple[Group, ...]:
    """The page from top to bottom, in the person's language."""
    return _looks(), _sound(), _models(), _takes()


def system_choice() -> str:
    """The device that the system has chosen."""
    return translate("Settings", "The system's own choice")


def _looks() -> Group:
    themes = (
        (translate("Settings", "As the system has it"), "system"),
        (translate("Settings", "Dark"), "dark"),
        (translate("Settings", "Light"), "light"),
    )
    maps = (("Magma", "magma"), ("Viridis", "viridis"))
    return Group(
        translate("Settings", "Looks"),
        (
            RowFacts(THEME, translate("Settings", "Theme"), themes),
            RowFacts(COLOUR_MAP, translate("Settings", "Colours of the mel picture"), maps),
        ),
    )


def _sound() -> Group:
    device = ((system_choice(), ""),)
    countdowns = (
        (translate("Settings", "None"), 0),
        (translate("Settings", "3 seconds"), 3),
        (translate("Settings", "5 seconds"), 5),
    )
    hovering = ((translate("Settings", "Off"), False), (translate("Settings", "After a moment"), True))
    return Group(
        translate("Settings", "Sound"),
        (
            RowFacts(INPUT_DEVICE, translate("Settings", "Microphone"), device),
            RowFacts(OUTPUT_DEVICE, translate("Settings", "Loudspeaker"), device),
            RowFacts(COUNTDOWN_SECONDS, translate("Settings", "Countdown before recording"), countdowns),
            RowFacts(PREVIEW_ON_HOVER, translate("Settings", "Previews under the pointer"), hovering),
        ),
    )


def _models() -> Group:
    precisions = (
        (translate("Settings", "Exact where it fits into memory"), "auto"),
        (translate("Settings", "32-bit floats: exact"), "fp32"),
        (translate("Settings", "bfloat16: half the memory"), "bf16"),
        (translate("Settings", "8-bit: fastest on a CPU"), "int8"),
        (translate("Settings", "4-bit: least memory"), "int4"),
    )
    counts = tuple((str(count), count) for count in range(1, engine.usable_cores() + 1))
    threads = ((translate("Settings", "Automatic"), 0), *counts)
    return Group(
        translate("Settings", "Models"),
        (
            RowFacts(PRECISION, translate("Settings", "Precision of models"), precisions),
            RowFacts(THREADS, translate("Settings", "Processor threads"), threads),
        ),
    )


def _takes() -> Group:
    rooms = ((translate("Settings", "No limit"), 0), ("1 GB", 1), ("5 GB", 5), ("20 GB", 20))
    row = RowFacts(TAKES_ROOM_GB, translate("Settings", "Room for takes"), rooms)
    return Group(translate("Settings", "Takes"), (row,))
