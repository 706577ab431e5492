"""English: years in pairs, dates as ordinals, American order of day and month."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Gender, Language, Money, Signs, in_words
from engine.text.normalize.tracked import Tracked

_FIRST_PAIRED_YEAR, _LAST_PAIRED_YEAR = 1100, 2099


class English(Language):
    name = "english"
    locale = "en"
    converter = "en"
    decimal_mark = "."
    date_order = "mdy"
    cents_joined_by = "and"
    signs = Signs(
        point="point", minus="minus", plus="plus", to="to", equals="equals", times="times", and_="and", about="about",
        at="at", dot="dot", slash="slash", dash="dash", underscore="underscore", number="number", section="section",
        squared="squared", cubed="cubed", plus_minus="plus or minus", less="less than", greater="greater than",
        divided="divided by", permille="per mille",
    )  # fmt: skip
    money: ClassVar[dict[str, Money]] = {
        "USD": Money("dollar|dollars", "cent|cents"),
        "EUR": Money("euro|euros", "cent|cents"),
        "GBP": Money("pound|pounds", "penny|pence"),
        "JPY": Money("yen"),
        "CNY": Money("yuan"),
        "RUB": Money("ruble|rubles", "kopeck|kopecks"),
    }
    scales: ClassVar[dict[str, tuple[str, Gender]]] = {
        "thousand": ("thousand", "m"),
        "million": ("million", "m"),
        "billion": ("billion", "m"),
        "trillion": ("trillion", "m"),
        "bn": ("billion", "m"),
        "bln": ("billion", "m"),
        "mln": ("million", "m"),
        "tn": ("trillion", "m"),
        "mn": ("million", "m"),
        "k": ("thousand", "m"),
        "K": ("thousand", "m"),
        "M": ("million", "m"),
        "m": ("million", "m"),
        "B": ("billion", "m"),
    }
    abbreviations: ClassVar[dict[str, str]] = {
        "Dr.": "Doctor", "Mr.": "Mister", "Mrs.": "Missus", "Ms.": "Miz", "Prof.": "Professor", "Jr.": "Junior",
        "Sr.": "Senior", "e.g.": "for example", "e. g.": "for example", "i.e.": "that is", "i. e.": "that is",
        "etc.": "et cetera", "vs.": "versus", "approx.": "approximately", "Inc.": "Incorporated", "Ltd.": "Limited",
        "Corp.": "Corporation", "Co.": "Company", "Ave.": "Avenue", "Blvd.": "Boulevard", "Rd.": "Road",
        "Dept.": "Department", "dept.": "department", "est.": "established", "min.": "minimum", "max.": "maximum",
        "Gen.": "General", "Col.": "Colonel", "Sgt.": "Sergeant", "Capt.": "Captain", "Lt.": "Lieutenant",
        "Rev.": "Reverend", "Hon.": "Honorable", "Gov.": "Governor", "Sen.": "Senator", "Rep.": "Representative",
        "Mt.": "Mount", "Ft.": "Fort", "et al.": "et al", "St.": "Street",
        "tel.": "telephone", "w/o": "without", "w/": "with", "a.m.": "a m", "p.m.": "p m",
        "U.S.": "U S", "U.K.": "U K", "U.N.": "U N", "Ph.D.": "P H D",
    }  # fmt: skip
    before_number: ClassVar[dict[str, str]] = {
        "No.": "Number", "no.": "number", "Nos.": "Numbers", "nos.": "numbers", "p.": "page", "pp.": "pages",
        "Vol.": "Volume", "vol.": "volume", "Fig.": "Figure", "fig.": "figure", "Ch.": "Chapter", "ch.": "chapter",
        "Sec.": "Section", "Eq.": "Equation", "sec.": "section", "ca.": "about", "c.": "about",
    }  # fmt: skip
    may_end = frozenset(
        {"St.", "etc.", "a.m.", "p.m.", "Inc.", "Ltd.", "Corp.", "Co.", "Jr.", "Sr.", "U.S.", "U.K.", "Ph.D."}
    )
    fractions: ClassVar[dict[int, tuple[str, str]]] = {
        2: ("half", "halves"), 3: ("third", "thirds"), 4: ("quarter", "quarters"), 5: ("fifth", "fifths"),
        6: ("sixth", "sixths"), 7: ("seventh", "sevenths"), 8: ("eighth", "eighths"), 9: ("ninth", "ninths"),
    }  # fmt: skip
    and_a_half = "and a half"

    def fraction(self, top: int, bottom: int) -> str | None:
        if bottom in (10, 100) or top == bottom > 1:
            return f"{self.cardinal(top)} out of {self.cardinal(bottom)}"
        return super().fraction(top, bottom)

    def ordinal(self, number: int) -> str:
        return in_words(number, "en", "ordinal")

    def year(self, year: int) -> str:
        return in_words(year, "en", "year").replace("oh-", "oh ")

    def bare(self, number: int, written: str, before: str, after: str) -> str:
        if len(written) == 4 and _FIRST_PAIRED_YEAR <= number <= _LAST_PAIRED_YEAR:
            return self.year(number)
        return self.cardinal(number)

    def percent(self, number: str) -> str:
        return f"{number} percent"

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        words = f"{self.month_name(month)} {self.ordinal(day)}"
        return words if year is None else f"{words}, {self.year(year)}"

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        if hour in (0, 24) and not (minute or second):
            return "midnight"
        words = self.cardinal(hour)
        if minute:
            words += f" {'oh ' if minute < 10 else ''}{self.cardinal(minute)}"
        elif not second and 0 < hour < 13 and not marked:
            words += " o'clock"
        elif not marked:
            words += " hundred hours" if not second else " oh oh"
        return words if not second else f"{words} and {self.quantity_of_seconds(second)}"

    def quantity_of_seconds(self, second: int) -> str:
        return f"{self.cardinal(second)} second{'' if second == 1 else 's'}"

    def own_rules(self, text: Tracked) -> None:
        long = "|".join(self.month_name(n) for n in range(1, 13))
        months = rf"(?:({long})\b|({_SHORT})\b\.?)"
        day = r"(\d{1,2})(?:st|nd|rd|th)?"
        text.sub(re.compile(rf"\b{months} {day}(?![\d:.]\d|\d)(?:,? (\d{{4}})\b(?!:))?"), self._month_first)
        text.sub(re.compile(rf"\b(?:the )?{day}(?: of)? {months}(?:,? (\d{{4}})\b)?"), self._day_first)
        text.sub(re.compile(r"\b(\d{1,15})(?:st|nd|rd|th)\b"), lambda m: self.ordinal(int(m[1])))
        text.sub(re.compile(r"\b(\d)['′’](\d{1,2})(?:[\"″”]|(?!\d))"), self._feet)
        text.sub(re.compile(r"\b24/7\b"), "twenty-four seven")
        text.sub(re.compile(r"['’]?\b(\d0|\d{3}0)['’]?s\b"), self._decade)

    def _month_first(self, match: re.Match[str]) -> str | None:
        month, day, year = self.months[(match[1] or match[2][:3]).lower()], int(match[3]), match[4]
        return self.date(day, month, int(year) if year else None, "") if 1 <= day <= 31 else None

    def _day_first(self, match: re.Match[str]) -> str | None:
        month, day, year = self.months[(match[2] or match[3][:3]).lower()], int(match[1]), match[4]
        if not 1 <= day <= 31:
            return None
        words = f"the {self.ordinal(day)} of {self.month_name(month)}"
        return f"{words}, {self.year(int(year))}" if year else words

    def _feet(self, match: re.Match[str]) -> str:
        return f"{self.cardinal(int(match[1]))} foot {self.cardinal(int(match[2]))}"

    def _decade(self, match: re.Match[str]) -> str:
        words = self.year(int(match[1]))
        return f"{words[:-1]}ies" if words.endswith("y") else f"{words}s"


_SHORT = "Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec"
