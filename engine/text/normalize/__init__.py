"""Text as people write it, turned into the words of the chosen language before it is tokenised.

Markup, emoji and invisible characters go in every language. Numbers, dates, times, money, units, abbreviations and
addresses become words in the ten languages of the models. With "auto" the language is told from the script where the
script tells it (kana, Hangul, Han, Cyrillic); otherwise digits and signs stay for the model, which reads them in
whatever language it hears in the rest of the text.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from engine.errors import RequestError
from engine.text.normalize import abbreviations, addresses, amounts, cleaning, dates, languages, markup, numbers
from engine.text.normalize.language import Language
from engine.text.normalize.tracked import Change, Tracked

__all__ = ["Change", "Spoken", "language_of", "spoken_form"]

_SCRIPTS = {"HIRAGANA": "japanese", "KATAKANA": "japanese", "HANGUL": "korean", "CJK": "chinese", "CYRILLIC": "russian"}
_LEFTOVER = re.compile(r"[*_`|^\\{}<>#~]+")
_DIGIT = re.compile(r"\d")
_SAMPLE = 4000  # characters from which the script is told


@dataclass(frozen=True)
class Spoken:
    """What will be said. `changes`, in order, turn the text as written into `text`.

    `language` is the one that numbers were put into words of; empty where they were left alone.
    """

    text: str
    changes: tuple[Change, ...]
    language: str = ""


@lru_cache(maxsize=16)
def spoken_form(text: str, language: str = "auto") -> Spoken:
    """The words of `text` in `language` (a model's name for it, or "auto").

    Raises `RequestError` where nothing is left to say.
    """
    rules = languages.find(language) or (languages.find(language_of(text)) if language.lower() == "auto" else None)
    tracked = Tracked(text)
    _clean(tracked, rules)
    if rules is not None:
        _rewrite(tracked, rules)
    cleaning.tidy_punctuation(tracked)
    cleaning.tidy_blanks(tracked)
    if not any(sign.isalnum() for sign in tracked.text):
        raise RequestError(_nothing_left(text))
    return Spoken(tracked.text, tracked.changes(), rules.name if rules else "")


def _clean(text: Tracked, rules: Language | None) -> None:
    markup.strip_tags(text)
    cleaning.unescape(text)
    cleaning.clean_characters(text)
    markup.strip_markdown(text, rules.full_stop if rules else ".")
    cleaning.tidy_punctuation(text)
    cleaning.tidy_blanks(text)


def _rewrite(text: Tracked, rules: Language) -> None:
    addresses.rewrite_addresses(text, rules)
    if _DIGIT.search(text.text):
        dates.rewrite_dates(text, rules)
        dates.rewrite_times(text, rules)
        abbreviations.rewrite_before_numbers(text, rules)
    rules.own_rules(text)
    if _DIGIT.search(text.text):
        numbers.rewrite_prefixes(text, rules)
        amounts.rewrite_amounts(text, rules)
        addresses.rewrite_phones(text, rules)
    abbreviations.rewrite_abbreviations(text, rules)
    if _DIGIT.search(text.text):
        numbers.rewrite_numbers(text, rules)
    numbers.rewrite_signs(text, rules)
    text.sub(_LEFTOVER, " ")


def language_of(text: str) -> str:
    """The language whose script most letters are in, or "" for scripts that many languages share."""
    letters = [sign for sign in text[:_SAMPLE] if sign.isalpha()]
    counts = Counter(
        _SCRIPTS.get(unicodedata.name(sign, "").partition(" ")[0].partition("-")[0], "") for sign in letters
    )
    if not counts or counts.most_common(1)[0][0] == "":
        return ""
    if counts["japanese"] and counts["chinese"]:
        return "japanese"  # kana stand in no Chinese text
    return counts.most_common(1)[0][0]


def _nothing_left(text: str) -> str:
    if not text.strip():
        return "There is no text to speak. Type a sentence first."
    return "Nothing in this text can be spoken: it holds only signs, emoji or markup. Type some words."
