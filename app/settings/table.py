"""The table of settings. Code names a setting by its constant here, never by a string of its own."""

from __future__ import annotations

import base64
import binascii
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

    def QT_TRANSLATE_NOOP(context: str, text: str) -> str:  # noqa: N802 - Qt's own says `object`
        """Mark `text` for the translators; it is translated where it is shown."""
else:
    from PySide6.QtCore import QT_TRANSLATE_NOOP

T = TypeVar("T", str, int, bool, tuple[str, ...])

_JSON_WORDS: dict[type, str] = {
    str: "text",
    int: "a whole number",
    bool: "true or false",
    tuple: "a list of texts",
}


def _anything(_: Any) -> str | None:
    return None


@dataclass(frozen=True)
class Setting(Generic[T]):
    """One row: `text` tells a person what it is, on the page of settings too.

    An empty `allowed` means any value `fault` lets pass.
    """

    name: str
    default: T
    text: str
    allowed: tuple[T, ...] = ()
    fault: Callable[[T], str | None] = _anything

    @property
    def kind(self) -> type[T]:
        return type(self.default)

    def read(self, value: object) -> T:
        """`value`, as JSON or code gave it, as this setting's type. Raises ValueError with the reason."""
        if isinstance(value, list):
            value = tuple(value)
        if type(value) is not self.kind or (
            isinstance(value, tuple) and not all(isinstance(item, str) for item in value)
        ):
            raise ValueError(f"it must be {_JSON_WORDS[self.kind]}")
        checked: T = value
        if self.allowed and checked not in self.allowed:
            raise ValueError(f"it must be one of {', '.join(map(str, self.allowed))}")
        if reason := self.fault(checked):
            raise ValueError(reason)
        return checked


def _not_base64(text: str) -> str | None:
    try:
        base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return "it must be base64"
    return None


THEME = Setting(
    "theme",
    "system",
    QT_TRANSLATE_NOOP("Settings", "Light or dark, or as the system has it"),
    ("system", "dark", "light"),
)
INPUT_DEVICE = Setting(
    "input_device",
    "",
    QT_TRANSLATE_NOOP("Settings", "What New voice records from"),
)
OUTPUT_DEVICE = Setting("output_device", "", QT_TRANSLATE_NOOP("Settings", "Where voices and takes are played"))
BASE_MODEL = Setting("base_model", "", "Folder of the Base model, which clones")
CUSTOM_VOICE_MODEL = Setting("custom_voice_model", "", "Folder of the CustomVoice model, which speaks with style")
MODEL_FOLDERS = Setting[tuple[str, ...]]("model_folders", (), "Model folders the studio knows")
LAST_PAGE = Setting(
    "last_page",
    "new_voice",
    "The page shown at start",
    ("new_voice", "library", "speak", "models", "settings"),
)
LAST_LANGUAGE = Setting("last_language", "", "The language last chosen; empty is automatic")
LAST_VOICE = Setting("last_voice", "", "The voice last spoken with, by its id in the library")
LAST_FOLDER = Setting("last_folder", "", "Where files were last opened or saved")
WINDOW_GEOMETRY = Setting("window_geometry", "", "Place and size of the window (base64)", fault=_not_base64)
SPLITTERS = Setting("splitters", "", "Splitter positions (Qt's, base64)", fault=_not_base64)
COLOUR_MAP = Setting(
    "colour_map",
    "magma",
    QT_TRANSLATE_NOOP("Settings", "How loud is drawn in the mel picture: both are even to the eye"),
    ("magma", "viridis"),
)
PRECISION = Setting(
    "precision",
    "auto",
    QT_TRANSLATE_NOOP(
        "Settings",
        "How precisely models compute: fewer bits are faster and take less memory, and change the sound a little",
    ),
    ("auto", "fp32", "bf16", "int8", "int4"),
)
MODELS_FOLDER = Setting("models_folder", "", "Where fetched models are kept; empty is the program's own folder")
MODEL_SOURCE = Setting("model_source", "huggingface", "Where models are fetched from", ("huggingface", "modelscope"))
BROKEN_OFF = Setting[tuple[str, ...]](
    "broken_off", (), "Models whose fetching was broken off by the end of the studio; it goes on at the next start"
)
COUNTDOWN_SECONDS = Setting(
    "countdown_seconds", 3, QT_TRANSLATE_NOOP("Settings", "Time to take a breath before recording begins"), (0, 3, 5)
)
THREADS = Setting(
    "threads",
    0,
    QT_TRANSLATE_NOOP(
        "Settings",
        "How many processor threads models use; automatic measures what is fastest and leaves the window its share",
    ),
    fault=lambda count: "it must not be less than 0" if count < 0 else None,
)
TAKES_ROOM_GB = Setting(
    "takes_room_gb",
    0,
    QT_TRANSLATE_NOOP(
        "Settings", "When takes need more, the oldest without a star go at the next start; the voices are never touched"
    ),
    (0, 1, 5, 20),
)
TOUR = Setting(
    "tour",
    "",
    "Where a person is in the tour of the first start",
    ("", "model", "voice", "speak", "library", "over"),
)
RECENT_SOUNDS = Setting[tuple[str, ...]]("recent_sounds", (), "Sound files opened last, newest first")
LIBRARY_VIEW = Setting("library_view", "list", "Voices in the library as a list or a grid", ("list", "grid"))
PREVIEW_ON_HOVER = Setting(
    "preview_on_hover",
    False,
    QT_TRANSLATE_NOOP("Settings", "Play the stored preview of a voice in the library while the pointer rests on it"),
    (False, True),
)

SETTINGS: tuple[Setting[Any], ...] = (
    THEME,
    INPUT_DEVICE,
    OUTPUT_DEVICE,
    BASE_MODEL,
    CUSTOM_VOICE_MODEL,
    MODEL_FOLDERS,
    LAST_PAGE,
    LAST_LANGUAGE,
    LAST_VOICE,
    LAST_FOLDER,
    WINDOW_GEOMETRY,
    SPLITTERS,
    COLOUR_MAP,
    COUNTDOWN_SECONDS,
    LIBRARY_VIEW,
    PREVIEW_ON_HOVER,
    PRECISION,
    MODELS_FOLDER,
    MODEL_SOURCE,
    BROKEN_OFF,
    THREADS,
    TAKES_ROOM_GB,
    TOUR,
    RECENT_SOUNDS,
)
