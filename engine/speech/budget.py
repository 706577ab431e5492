"""How long a text should take to say, and when it has certainly run away."""

from __future__ import annotations

import unicodedata

FRAMES_PER_SECOND = 12.5
_CHARACTERS_PER_SECOND = 14.0  # reading aloud, alphabets
_IDEOGRAPHS_PER_SECOND = 4.5  # a Chinese character, a kana or a Korean syllable block is a syllable
_GENEROSITY = 4.0  # slow styles speak at half the pace; murmur after a missed end goes on for minutes
_SHORTEST_BUDGET_SECONDS = 8.0
_SYLLABLE_BLOCKS = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")


def expected_seconds(text: str) -> float:
    """About how long `text` takes to say at an ordinary pace."""
    syllables = sum(unicodedata.name(sign, "").startswith(_SYLLABLE_BLOCKS) for sign in text)
    return syllables / _IDEOGRAPHS_PER_SECOND + (len(text) - syllables) / _CHARACTERS_PER_SECOND


def budget_tokens(text: str) -> int:
    """The most tokens to generate for `text` when the caller gives no limit."""
    seconds = max(_SHORTEST_BUDGET_SECONDS, _GENEROSITY * expected_seconds(text))
    return int(seconds * FRAMES_PER_SECOND) + 1
