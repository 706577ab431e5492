"""How much of a text was heard: letters against letters, so that one rule serves all ten languages."""

from __future__ import annotations

import unicodedata

import numpy as np

from engine.errors import RequestError
from engine.text.normalize import spoken_form

_MOST_LETTERS = 20_000  # of a text of half an hour; what comes after is not compared


def agreement(wanted: str, heard: str, language: str = "auto") -> float:
    """Share of `wanted` that was `heard`, 0 to 1: 1 less the edits between them, over the letters of the longer.

    Both are put into words first, so that "3" is "three"; case, accents' composition and punctuation count nothing.
    """
    one, other = _letters(wanted, language), _letters(heard, language)
    longer = max(len(one), len(other))
    return 1.0 - _edits(one, other) / longer if longer else 1.0


def _letters(text: str, language: str) -> str:
    try:
        words = spoken_form(text, language).text
    except RequestError:  # nothing in it that can be said
        return ""
    return "".join(sign for sign in unicodedata.normalize("NFKC", words).casefold() if sign.isalnum())[:_MOST_LETTERS]


def _edits(one: str, other: str) -> int:
    """Letters to put in, take out or exchange, at least (Levenshtein); a row of the table at a time."""
    signs, steps = np.array(list(other), "U1"), np.arange(len(other) + 1)
    row = steps
    for place, sign in enumerate(one, 1):
        changed = np.minimum(row[1:] + 1, row[:-1] + (signs != sign))
        row = np.minimum.accumulate(np.concatenate(([place], changed)) - steps) + steps
    return int(row[-1])
