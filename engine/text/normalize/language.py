"""How one language says numbers and signs: the part that all ten share, with the hooks each of them fills."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, ClassVar, Literal

from engine.text.normalize.tracked import Tracked

Gender = Literal["", "m", "f", "n"]

LONGEST_NUMBER = 15  # digits; longer ones are read digit by digit
_LATEST_SHORT_YEAR = 50  # of two-digit years: 49 is 2049, 50 is 1950


@dataclass(frozen=True)
class Number:
    """A number as it was written: `whole` and `fraction` are digits, `fraction` is empty for an integer."""

    whole: str
    fraction: str = ""
    negative: bool = False

    @property
    def value(self) -> float:
        return float(f"{self.whole}.{self.fraction or 0}") * (-1 if self.negative else 1)

    @property
    def is_one(self) -> bool:
        return not self.fraction and self.whole == "1"


@dataclass(frozen=True)
class Signs:
    """The words for signs, in the order they are needed most."""

    point: str
    minus: str
    plus: str
    to: str
    equals: str
    times: str
    and_: str
    about: str
    at: str
    dot: str
    slash: str
    dash: str
    underscore: str
    number: str
    section: str
    squared: str
    cubed: str
    plus_minus: str
    less: str
    greater: str
    divided: str
    permille: str


@dataclass(frozen=True)
class Money:
    """A currency's forms and those of its hundredth, each "one|more" (Russian: "one|few|many")."""

    forms: str
    cents: str = ""
    gender: Gender = "m"
    cent_gender: Gender = "m"


class Language:
    """Base of the ten. Class attributes are data; methods are what a language does its own way."""

    name: ClassVar[str]
    locale: ClassVar[str]  # Babel's
    converter: ClassVar[str]  # num2words'
    signs: ClassVar[Signs]
    decimal_mark: ClassVar[str] = ","
    spaced: ClassVar[bool] = True  # words stand apart
    groups_by_space: ClassVar[bool] = True  # 10 000
    date_order: ClassVar[str] = "dmy"
    fraction_as_number: ClassVar[bool] = False  # 3.14 ends in "fourteen", not in "one four"
    cents_joined_by: ClassVar[str | None] = None  # None: no cents, a price is a decimal number
    says_cents: ClassVar[bool] = True
    full_stop: ClassVar[str] = "."
    money: ClassVar[dict[str, Money]] = {}
    symbols: ClassVar[dict[str, str]] = {}  # signs of money that mean something else here
    units: ClassVar[dict[str, str]] = {}  # symbols of the language's own script to CLDR ids
    scales: ClassVar[dict[str, tuple[str, Gender]]] = {}  # "Mio." to its forms
    scale_link: ClassVar[str] = ""  # "de" between millions and what is counted
    abbreviations: ClassVar[dict[str, str]] = {}  # as written, dots included
    before_number: ClassVar[dict[str, str]] = {}  # only where a number follows
    may_end: ClassVar[frozenset[str]] = frozenset()  # abbreviations that often end a sentence
    masculine: ClassVar[frozenset[str]] = frozenset()  # and those whose ending misleads
    feminine: ClassVar[frozenset[str]] = frozenset()  # nouns whose ending does not show it
    not_counted: ClassVar[frozenset[str]] = frozenset()  # words after a number that are not its noun
    fractions: ClassVar[dict[int, tuple[str, str]]] = {}  # denominator to its forms
    and_a_half: ClassVar[str] = ""

    def join(self, *words: str) -> str:
        return (" " if self.spaced else "").join(word for word in words if word)

    def cardinal(self, number: int) -> str:
        return in_words(number, self.converter)

    def counted(self, number: int, gender: Gender) -> str:
        """The number before a noun of `gender`."""
        return self.cardinal(number)

    def gender_of(self, noun: str) -> Gender:
        """Guessed from the ending; empty for a word that no number counts."""
        return ""

    def digits(self, text: str) -> str:
        return self.join(*(self.cardinal(int(digit)) for digit in text))

    def year(self, year: int) -> str:
        return self.cardinal(year)

    def bare(self, number: int, written: str, before: str, after: str) -> str:
        """An integer in running text; `before` and `after` are the words beside it."""
        gender = self.gender_of(after) if after and after.lower() not in self.not_counted else ""
        if not gender:
            return self.cardinal(number)
        return self.linked(self.counted(number, gender), Number(str(number)), after).removesuffix(after).rstrip()

    def integer(self, written: str, gender: Gender = "") -> str:
        if len(written) > LONGEST_NUMBER or (len(written) > 1 and written[0] == "0"):
            return self.digits(written)
        return self.counted(int(written), gender) if gender else self.cardinal(int(written))

    def say(self, number: Number, gender: Gender = "") -> str:
        words = self.decimal(number) if number.fraction else self.integer(number.whole, gender)
        return self.join(self.signs.minus, words) if number.negative else words

    def decimal(self, number: Number) -> str:
        return self.join(self.integer(number.whole), self.signs.point, self.fraction_digits(number.fraction))

    def fraction_digits(self, fraction: str) -> str:
        rest = fraction.lstrip("0")
        if not self.fraction_as_number or not rest or len(rest) > 2:
            return self.digits(fraction)
        return self.join(*[self.cardinal(0)] * (len(fraction) - len(rest)), self.cardinal(int(rest)))

    def form(self, number: Number, forms: str) -> str:
        """The form of a noun that goes with `number`."""
        one, *more = forms.split("|")
        return one if number.is_one or not more else more[-1]

    def quantity(self, number: Number, forms: str, gender: Gender = "") -> str:
        noun = self.form(number, forms)
        return self.linked(self.say(number, gender or self.gender_of(noun.partition(" ")[0])), number, noun)

    def linked(self, words: str, number: Number, noun: str) -> str:
        """Number and noun; Romance languages put "of" between whole millions and what they count."""
        if not self.scale_link or number.fraction or not re.fullmatch(r"[1-9]\d*0{6}", number.whole):
            return self.join(words, noun)
        return self.of_scale(words, noun)

    def of_scale(self, words: str, noun: str) -> str:
        return self.join(words, self.scale_link, noun)

    def up_to(self, low: str, rest: str) -> str:
        """A range; `rest` begins with its upper end."""
        return self.join(low, self.signs.to, rest)

    def percent(self, number: str) -> str:
        """A percentage of `number`, which is in words."""
        raise NotImplementedError

    def percent_of(self, number: Number) -> str:
        return self.percent(self.say(number))

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        """A date given in numbers; `before` is the word in front of it."""
        raise NotImplementedError

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        """A time of day; `marked` where a word or sign for hours stood in the text."""
        raise NotImplementedError

    def fraction(self, top: int, bottom: int) -> str | None:
        """A vulgar fraction, or None where it is none that people say."""
        if bottom not in self.fractions or not 0 < top < bottom:
            return None
        one, more = self.fractions[bottom]
        return self.join(self.counted(top, "m"), one if top == 1 else more)

    def mixed(self, whole: str, fraction: str, is_half: bool) -> str:
        """Two and a half."""
        if is_half and self.and_a_half:
            return self.join(whole, self.and_a_half)
        return self.join(whole, self.signs.and_, fraction)

    def own_rules(self, text: Tracked) -> None:
        """What only this language writes; runs before plain numbers."""

    def month_name(self, month: int) -> str:
        name: str = self._babel.months["format"]["wide"][month]
        return name

    @cached_property
    def months(self) -> dict[str, int]:
        """Month names and their abbreviations, lower case without dots."""
        found: dict[str, int] = {}
        for context in ("format", "stand-alone"):
            for width in ("wide", "abbreviated"):
                names = self._babel.months[context][width]
                found |= {name.rstrip(".").lower(): number for number, name in names.items()}
        return found

    @property
    def _babel(self) -> Any:
        from babel import Locale

        return Locale.parse(self.locale)

    def pattern(self, text: str, flags: int = 0) -> re.Pattern[str]:
        return compiled(text.replace("{NUM}", self.number_pattern), flags)

    @cached_property
    def number_pattern(self) -> str:
        """Matches a number as people write it in this language, or with the other comma-and-point habit."""
        by_space = r"[1-9]\d{0,2}(?: \d{3})+(?!\d)(?:[.,]\d+)?|" if self.groups_by_space else ""
        decimals = r"(?:[.,]\d+)?" if self.decimal_mark == "," else r"(?:\.\d+|,\d{1,2}(?![\d,]))?"
        return rf"(?>{by_space}{_GROUPED}|\d+{decimals})"

    def number(self, written: str) -> Number:
        """Read a number as this language writes it; the other comma-and-point habit is understood too."""
        if written.isdecimal():
            return Number(written)
        text = re.sub(r"[ '’]", "", written)
        marks = [sign for sign in text if sign in ".,"]
        if not marks:
            return Number(text)
        last = marks[-1]
        whole, _, rest = text.rpartition(last)
        if len(set(marks)) == 2 or (len(marks) == 1 and not self._groups(whole, rest, last)):
            return Number(re.sub(r"[.,]", "", whole), rest)
        return Number(re.sub(r"[.,]", "", text))

    def _groups(self, whole: str, rest: str, mark: str) -> bool:
        return mark != self.decimal_mark and len(rest) == 3 and whole != "0" and len(whole) <= 3


_GROUPED = (
    r"[1-9]\d{0,2}(?:\.\d{3})+(?!\d)(?:,\d+)?|[1-9]\d{0,2}(?:,\d{3})+(?!\d)(?:\.\d+)?"
    r"|[1-9]\d{0,2}(?:['’]\d{3})+(?!\d)(?:[.,]\d+)?"
)


def word_set(words: str) -> frozenset[str]:
    return frozenset(words.split())


def full_year(written: str) -> int:
    """The year of two or four digits."""
    year = int(written)
    if len(written) > 2:
        return year
    return year + (2000 if year < _LATEST_SHORT_YEAR else 1900)


@lru_cache(maxsize=1024)
def compiled(text: str, flags: int = 0) -> re.Pattern[str]:
    return re.compile(text, flags)


@lru_cache(maxsize=65536)
def in_words(number: int, converter: str, to: str = "cardinal", **options: str | bool) -> str:
    """num2words, without the commas it puts between groups (they would be heard as pauses)."""
    from num2words import num2words

    words: str = num2words(number, lang=converter, to=to, **options)
    return words.replace(",", "")
