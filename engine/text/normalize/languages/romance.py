"""What French, Italian, Portuguese and Spanish share: one and the hundreds agree with their noun."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Gender, Language
from engine.text.normalize.tracked import Tracked

_CENTURY = {"I": 1, "V": 5, "X": 10}


class Romance(Language):
    """Adds the guess of a noun's gender from its ending, and Roman numerals of centuries."""

    fraction_as_number = True
    feminine_endings: ClassVar[tuple[str, ...]] = ()
    century: ClassVar[str] = ""  # a pattern around (?P<roman>)

    def gender_of(self, noun: str) -> Gender:
        word = noun.lower()
        if not word.isalpha() or word in self.not_counted or len(word) < 2:
            return ""
        if word in self.masculine:
            return "m"
        return "f" if word in self.feminine or word.endswith(self.feminine_endings) else "m"

    def century_words(self, number: int) -> str:
        return self.cardinal(number)

    def own_rules(self, text: Tracked) -> None:
        if self.century:
            text.sub(
                re.compile(self.century), lambda m: m[0].replace(m["roman"], self.century_words(roman(m["roman"])), 1)
            )


def roman(numeral: str) -> int:
    """The value of a Roman numeral of I, V and X."""
    values = [_CENTURY[sign] for sign in numeral]
    pairs = zip(values, [*values[1:], 0], strict=True)
    return sum(-value if value < following else value for value, following in pairs)
