"""Which commands a few typed letters mean."""

from __future__ import annotations

import unicodedata
from functools import lru_cache


@lru_cache(maxsize=2048)
def plain(text: str) -> str:
    """Without case and accents; the same words are asked for with every letter typed."""
    parts = unicodedata.normalize("NFKD", text.casefold())
    return "".join(sign for sign in parts if not unicodedata.combining(sign))


def score(typed: str, words: str) -> float | None:
    """How well `words` answer `typed`, more is better; None where a typed word is not found.

    Each typed word must be inside; at the start of a word it counts double, and earlier is better. Where that finds
    nothing, the letters of one typed word may be spread: "nv" finds "New voice".
    """
    text = plain(words)
    wanted = plain(typed).split()
    total = 0.0
    for word in wanted:
        at = _place(word, text)
        if at is None:
            return _spread(wanted[0], text) if len(wanted) == 1 else None
        total += (2.0 if _begins_word(text, at) else 1.0) - at / 1000
    return total


def _place(word: str, text: str) -> int | None:
    """Where `word` is, at a word's start if it can be."""
    at = text.find(word)
    while at >= 0 and not _begins_word(text, at):
        at = text.find(word, at + 1)
    if at < 0:
        at = text.find(word)
    return None if at < 0 else at


def _begins_word(text: str, at: int) -> bool:
    return at == 0 or not text[at - 1].isalnum()


def _spread(word: str, text: str) -> float | None:
    """The letters of `word` as the first letters of words, in order."""
    initials = "".join(sign for at, sign in enumerate(text) if sign.isalnum() and _begins_word(text, at))
    at = initials.find(word)
    return None if at < 0 else 0.5 - at / 1000
