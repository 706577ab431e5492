"""Words that ship with the program: style presets, and the sentence of a voice's preview."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import resources


class StylePreset(NamedTuple):
    name: str
    text: str


@dataclass(frozen=True)
class StyleGroup:
    name: str
    styles: tuple[StylePreset, ...]


@lru_cache(maxsize=16)
def style_groups(language: str = "english") -> tuple[StyleGroup, ...]:
    """The style presets, in the order of the menu, their prompts in `language`, in English if we have none in it."""
    groups = json.loads(resources.path("style_presets.json").read_text(encoding="utf-8"))
    return tuple(
        StyleGroup(group["group"], tuple(_preset(style, language) for style in group["styles"])) for group in groups
    )


def _preset(style: dict[str, Any], language: str) -> StylePreset:
    texts = style["texts"]
    return StylePreset(style["name"], texts.get(language, texts["english"]))


@lru_cache(maxsize=1)
def _previews() -> dict[str, str]:
    found: dict[str, str] = json.loads(resources.path("preview_sentences.json").read_text(encoding="utf-8"))
    return found


def preview_sentence(language: str) -> str:
    """A short sentence in `language`, in English if we have none in it."""
    return _previews().get(language, _previews()["english"])
