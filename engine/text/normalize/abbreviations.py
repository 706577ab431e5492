"""Abbreviations written out; one that ends a sentence leaves its point behind."""

from __future__ import annotations

import re
from functools import cache, partial

from engine.text.normalize.language import Language
from engine.text.normalize.tracked import Tracked


def rewrite_before_numbers(text: Tracked, language: Language) -> None:
    """Those that are one only in front of a number: p. 12."""
    table, pattern = _patterns(language)[0]
    text.sub(pattern, partial(_written_out, table, language))


def rewrite_abbreviations(text: Tracked, language: Language) -> None:
    """All others."""
    if language.name == "english":
        text.sub(_SAINT, "Saint")
    table, pattern = _patterns(language)[1]
    text.sub(pattern, partial(_written_out, table, language))


_INITIAL = re.compile(r"\W?[A-Z]\. ?")
_SAINT = re.compile(r"(?<![\w.])(?<![A-Z][a-z] )(?<![a-z]{2} )St\.(?= [A-Z])|(?<=[a-z] )St\.(?= [A-Z][a-z]+['’]s\b)")


@cache
def _patterns(language: Language) -> list[tuple[dict[str, str], re.Pattern[str]]]:
    """The table and the pattern of those before numbers, then of the others."""
    found = []
    for table, after in ((language.before_number, r"(?=\.? ?\d)"), (language.abbreviations, r"(?!\w)")):
        both = {_capital(short): _capital(full) for short, full in table.items()} | table
        inside = "str." in both  # Hauptstr.
        names = "|".join(re.escape(short) for short in sorted(both.keys() - {"str."}, key=len, reverse=True)) or "(?!)"
        ending = r"|(?<=[a-zäöüß])str\." if inside else ""
        found.append((both, re.compile(rf"(?<![\w.])(?:{names}){after}{ending}")))
    return found


def _written_out(table: dict[str, str], language: Language, match: re.Match[str]) -> str:
    short = match[0]
    if _INITIAL.fullmatch(short) and _INITIAL.match(match.string[max(0, match.start() - 3) : match.start()]):
        return short  # one of several initials
    ends = (short in language.may_end or _capital(short) in language.may_end) and short.endswith(".")
    rest = match.string[match.end() : match.end() + 3]
    at_end = not rest.strip() or rest[0] == "\n"
    starts_anew = rest[:1] == " " and rest.strip()[:1].isupper() and ends
    separate = "" if not rest[:1].isdigit() else " "
    return table[short] + ("." if short.endswith(".") and (at_end or starts_anew) else "") + separate


def _capital(word: str) -> str:
    return word[:1].upper() + word[1:]
