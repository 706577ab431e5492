"""Dates and times given in numbers."""

from __future__ import annotations

import re
from functools import partial

from engine.text.normalize.language import Language, full_year
from engine.text.normalize.tracked import Tracked

LEFT = r"(?<![0-9A-Za-zÀ-ɏЀ-ӿ.,:/+-])"
RIGHT = r"(?![0-9A-Za-zÀ-ɏЀ-ӿ]|[.,:/-]\d)"
_ISO = rf"{LEFT}(\d{{4}})([-/.])(\d{{1,2}})\2(\d{{1,2}}){RIGHT}(?:T(?=\d))?"
_ISO_BEFORE_TIME = rf"{LEFT}(\d{{4}})-(\d{{2}})-(\d{{2}})T(?=\d\d:\d\d)"
_KOREAN = r"(?<!\d)(\d{4})\. ?(\d{1,2})\. ?(\d{1,2})\.?(?!\d)"
_DAY_FIRST = rf"(?:\b(\w+) )?{LEFT}(\d{{1,2}})([-/.])(\d{{1,2}})\3(\d{{4}}|\d{{2}}){RIGHT}"
_TIME = (
    r"(?<![0-9A-Za-zÀ-ɏЀ-ӿ.,:/-])([01]?\d|2[0-4])[:：]([0-5]\d)(?:[:：]([0-5]\d))?(?![\d:：]|[.,]\d)"
    r"( ?(?:Uhr|hrs?|horas?|heures?|ore|h)\b)?( ?[aApP](?:\.[mM]\.|[mM]\b))?"
)
_UNTIL = r"(?<=\d[:：]\d\d) ?[-–—~〜～] ?(?=\d{1,2}[:：]\d\d)"
_UNTIL_NOON = r"(?<=\d[ap]m) ?[-–—] ?(?=\d{1,2} ?[ap]m\b)|(?<=[ap] m) ?[-–—] ?(?=\d{1,2} ?[ap]m\b)"
_FRENCH_TIME = r"(?<![0-9A-Za-zÀ-ɏЀ-ӿ.,:/-])([01]?\d|2[0-4]) ?[hH] ?([0-5]\d)(?: ?min\b)?(?!\w)"
_ON_THE_HOUR = r"(?<![0-9A-Za-zÀ-ɏЀ-ӿ.,:/$€£-])(1[0-2]|[1-9]) ?([aApP])(?:\.[mM]\.|[mM]\b)"


def rewrite_dates(text: Tracked, language: Language) -> None:
    text.sub(re.compile(_ISO_BEFORE_TIME), partial(_year_first, language, (1, 2, 3), " "))
    text.sub(re.compile(_ISO), partial(_year_first, language, (1, 3, 4), ""))
    if language.name == "korean":
        text.sub(re.compile(_KOREAN), partial(_year_first, language, (1, 2, 3), ""))
    text.sub(re.compile(_DAY_FIRST), partial(_day_first, language))


def rewrite_times(text: Tracked, language: Language) -> None:
    blank = " " if language.spaced else ""
    text.sub(re.compile(_UNTIL), f"{blank}{language.signs.to}{blank}")
    text.sub(re.compile(_TIME), partial(_time, language), needs=":：")
    if language.name in ("french", "portuguese"):
        text.sub(re.compile(_FRENCH_TIME), lambda m: language.time(int(m[1]), int(m[2]), None, True))
    if language.name == "english":
        text.sub(re.compile(_UNTIL_NOON, re.IGNORECASE), " to ")
        text.sub(re.compile(_ON_THE_HOUR), lambda m: f"{language.cardinal(int(m[1]))} {m[2].lower()} m{_stop(m)}")
    if language.name == "german":
        pattern = r"(?<![0-9A-Za-zÀ-ɏЀ-ӿ.,:/-])([01]?\d|2[0-4])\.([0-5]\d) ?Uhr\b"
        text.sub(re.compile(pattern), lambda m: language.time(int(m[1]), int(m[2]), None, True))
        text.sub(re.compile(r"(?<![0-9A-Za-zÀ-ɏЀ-ӿ.,:/-])1 (?=Uhr\b)"), "ein ")


def _year_first(language: Language, groups: tuple[int, int, int], tail: str, match: re.Match[str]) -> str | None:
    year, month, day = (int(match[group]) for group in groups)
    if not _is_date(day, month) or not year:
        return None
    return language.date(day, month, year, "") + tail


def _day_first(language: Language, match: re.Match[str]) -> str | None:
    first, second, year = int(match[2]), int(match[4]), full_year(match[5])
    if not year:
        return None
    day, month = (second, first) if language.date_order != "dmy" and match[3] != "." else (first, second)
    if month > 12:
        day, month = month, day
    if not _is_date(day, month):
        return None
    words = language.date(day, month, year, match[1] or "")
    return f"{match[1]} {words}" if match[1] else words


def _is_date(day: int, month: int) -> bool:
    return 1 <= day <= 31 and 1 <= month <= 12


def _time(language: Language, match: re.Match[str]) -> str | None:
    hour, minute, second = int(match[1]), int(match[2]), match[3]
    if len(match[1]) == 1 and minute == 0 and match[1] == "0" and not second and language.name != "russian":
        return language.time(0, 0, None, True)
    half = match[5].strip()[0].lower() if match[5] else ""
    words = language.time(hour, minute, int(second) if second else None, bool(match[4] or half))
    if not half:
        return words
    return f"{words} {half} m{_stop(match)}"


def _stop(match: re.Match[str]) -> str:
    """The point of "p.m." is also the sentence's where nothing or a capital follows."""
    rest = match.string[match.end() : match.end() + 2]
    ended = not rest.strip() or rest[0] == "\n" or (rest[0] == " " and rest[1:].isupper())
    return "." if match[0].endswith(".") and ended else ""
