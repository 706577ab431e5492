"""The ten languages of the released models, each in a file of its own, loaded when it is first asked for."""

from __future__ import annotations

import importlib
from functools import cache

from engine.text.normalize.language import Language

_CLASSES = {
    "chinese": "Chinese",
    "english": "English",
    "german": "German",
    "italian": "Italian",
    "portuguese": "Portuguese",
    "spanish": "Spanish",
    "japanese": "Japanese",
    "korean": "Korean",
    "french": "French",
    "russian": "Russian",
}
NAMES = tuple(_CLASSES)


@cache
def find(name: str) -> Language | None:
    """The rules of a language by the model's name for it, or None for one that has none."""
    key = name.lower()
    if key not in _CLASSES:
        return None
    module = importlib.import_module(f"engine.text.normalize.languages.{key}")
    language: Language = getattr(module, _CLASSES[key])()
    return language
