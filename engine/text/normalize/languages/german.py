"""German: ordinals take the ending their article asks for; prices and times put the unit in the middle."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Gender, Language, Money, Signs, in_words
from engine.text.normalize.tracked import Tracked

_DATIVE = (
    "am|vom|zum|beim|im|dem|den|des|seit|bis|ab|nach|vor|einem|einen|eines|einer|diesem|diesen|jedem|jeden|zur|ihrem|"
    "seinem|meinem|ihren|seinen|meinen|unserem|unseren|dieser"
)
_NOMINATIVE = "der|die|das|diese|dieses|jede|jedes"
_ORDINAL_NOUNS = (
    "Jahrhundert|Jahrtausend|Mal|Weltkrieg|Platz|Tag|Stock|Etage|Klasse|Kapitel|Geburtstag|Auflage|Liga|Runde|Teil|"
    "Advent|Semester|Quartal|Halbjahr|Obergeschoss|OG|Jh"
)
_FEMININE_ENDINGS = ("ung", "heit", "keit", "schaft", "ion", "tät", "e", "Frau")
_NOT_FEMININE = (
    "byte",
    "Ende",
    "Auge",
    "Gebäude",
    "Name",
    "Junge",
    "Kollege",
    "Kunde",
    "Käse",
    "Affe",
    "Löwe",
    "Buchstabe",
)
_LARGEST_ORDINAL = 1000


class German(Language):
    name = "german"
    locale = "de"
    converter = "de"
    cents_joined_by = ""
    says_cents = False
    signs = Signs(
        point="Komma", minus="minus", plus="plus", to="bis", equals="gleich", times="mal", and_="und", about="etwa",
        at="at", dot="Punkt", slash="Schrägstrich", dash="Bindestrich", underscore="Unterstrich", number="Nummer",
        section="Paragraf", squared="Quadrat", cubed="hoch drei", plus_minus="plus minus", less="kleiner als",
        greater="größer als", divided="geteilt durch", permille="Promille",
    )  # fmt: skip
    money: ClassVar[dict[str, Money]] = {
        "EUR": Money("Euro", "Cent"),
        "USD": Money("Dollar", "Cent"),
        "GBP": Money("Pfund", "Pence"),
        "CHF": Money("Franken", "Rappen"),
        "JPY": Money("Yen"),
        "CNY": Money("Yuan"),
        "RUB": Money("Rubel", "Kopeken"),
    }
    scales: ClassVar[dict[str, tuple[str, Gender]]] = {
        "Mio.": ("Million|Millionen", "f"), "Mio": ("Million|Millionen", "f"), "Millionen": ("Million|Millionen", "f"),
        "Million": ("Million|Millionen", "f"), "Mrd.": ("Milliarde|Milliarden", "f"),
        "Mrd": ("Milliarde|Milliarden", "f"), "Milliarden": ("Milliarde|Milliarden", "f"),
        "Milliarde": ("Milliarde|Milliarden", "f"), "Tsd.": ("tausend", "m"),
    }  # fmt: skip
    abbreviations: ClassVar[dict[str, str]] = {
        "z. B.": "zum Beispiel", "z.B.": "zum Beispiel", "d. h.": "das heißt", "d.h.": "das heißt",
        "u. a.": "unter anderem", "u.a.": "unter anderem", "usw.": "und so weiter", "usf.": "und so fort",
        "bzw.": "beziehungsweise", "ca.": "circa", "Dr.": "Doktor", "Prof.": "Professor", "Hr.": "Herr",
        "Hrn.": "Herrn", "Fr.": "Frau", "Str.": "Straße", "str.": "straße", "vgl.": "vergleiche",
        "Vgl.": "Vergleiche", "ggf.": "gegebenenfalls", "evtl.": "eventuell", "inkl.": "inklusive",
        "exkl.": "exklusive", "o. ä.": "oder ähnliches", "o.ä.": "oder ähnliches", "o. Ä.": "oder Ähnliches",
        "u. U.": "unter Umständen", "i. d. R.": "in der Regel", "i.d.R.": "in der Regel", "St.": "Sankt",
        "n. Chr.": "nach Christus", "v. Chr.": "vor Christus", "bspw.": "beispielsweise", "sog.": "sogenannte",
        "Jh.": "Jahrhundert", "etc.": "et cetera", "max.": "maximal", "min.": "minimal", "mind.": "mindestens",
        "Abs.": "Absatz", "Tel.": "Telefon", "zzgl.": "zuzüglich", "abzgl.": "abzüglich", "Dipl.": "Diplom",
        "Ing.": "Ingenieur", "geb.": "geboren", "gest.": "gestorben", "u. v. m.": "und vieles mehr",
        "s. o.": "siehe oben", "s. u.": "siehe unten", "i. A.": "im Auftrag", "z. T.": "zum Teil", "z.T.": "zum Teil",
    }  # fmt: skip
    before_number: ClassVar[dict[str, str]] = {
        "Nr.": "Nummer", "S.": "Seite", "Abb.": "Abbildung", "Kap.": "Kapitel", "Bd.": "Band", "Art.": "Artikel",
        "Aufl.": "Auflage", "Tab.": "Tabelle", "Ziff.": "Ziffer", "Jg.": "Jahrgang", "Hs.": "Haus",
    }  # fmt: skip
    may_end = frozenset(
        {"usw.", "usf.", "etc.", "n. Chr.", "v. Chr.", "o. ä.", "o.ä.", "u. v. m.", "Str.", "str.", "Jh."}
    )
    fractions: ClassVar[dict[int, tuple[str, str]]] = {
        2: ("halb", "halbe"), 3: ("Drittel", "Drittel"), 4: ("Viertel", "Viertel"), 5: ("Fünftel", "Fünftel"),
        6: ("Sechstel", "Sechstel"), 7: ("Siebtel", "Siebtel"), 8: ("Achtel", "Achtel"), 9: ("Neuntel", "Neuntel"),
        10: ("Zehntel", "Zehntel"), 100: ("Hundertstel", "Hundertstel"),
    }  # fmt: skip

    def counted(self, number: int, gender: Gender) -> str:
        words = self.cardinal(number)
        if not words.endswith("eins"):
            return words
        return words[:-1] if gender != "f" else f"{words[:-1]}e"

    def gender_of(self, noun: str) -> Gender:
        if not noun[:1].isupper():
            return ""
        return "f" if noun.endswith(_FEMININE_ENDINGS) and not noun.endswith(_NOT_FEMININE) else "m"

    def year(self, year: int) -> str:
        return in_words(year, "de", "year")

    def bare(self, number: int, written: str, before: str, after: str) -> str:
        if len(written) == 4 and 1100 <= number < 2000:
            return self.year(number)
        return super().bare(number, written, before, after)

    def percent(self, number: str) -> str:
        return f"{number} Prozent"

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        words = f"{self.ordinal(day, before)} {self.month_name(month)}"
        return words if year is None else f"{words} {self.year(year)}"

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        words = f"{self.counted(hour, 'm')} Uhr"
        if minute or second:
            words += f" {self.cardinal(minute)}"
        return words if not second else f"{words} und {self.counted(second, 'f')} Sekunde{'' if second == 1 else 'n'}"

    def ordinal(self, number: int, before: str) -> str:
        stem = in_words(number, "de", "ordinal")
        if re.fullmatch(_DATIVE, before, re.IGNORECASE):
            return f"{stem}n"
        return stem if re.fullmatch(_NOMINATIVE, before, re.IGNORECASE) else f"{stem}r"

    def fraction(self, top: int, bottom: int) -> str | None:
        return "einhalb" if (top, bottom) == (1, 2) else super().fraction(top, bottom)

    def mixed(self, whole: str, fraction: str, is_half: bool) -> str:
        return f"{whole.removesuffix('s') if whole == 'eins' else whole}einhalb" if is_half else f"{whole} {fraction}"

    def own_rules(self, text: Tracked) -> None:
        text.sub(re.compile(r"(?:\b(\w+) )?(?<![\w.,])(\d{1,2})\.(\d{1,2})\.(?![\w])"), self._day_and_month)
        months = "|".join(self.month_name(n) for n in range(1, 13))
        text.sub(
            re.compile(rf"(?:\b(\w+) )?\b(\d{{1,2}})\. ?({months})\b(?: (\d{{4}})\b)?"),
            self._date_in_words,
        )
        text.sub(re.compile(rf"\b({_DATIVE}|{_NOMINATIVE}) (\d{{1,4}})\.(?= \w)", re.IGNORECASE), self._after_article)
        text.sub(
            re.compile(rf"\b(\d{{1,4}})\.(?= (?:{_ORDINAL_NOUNS})\b| [a-zäöü])"), lambda m: self.ordinal(int(m[1]), "")
        )
        text.sub(re.compile(r"\b(\d{1,4})(?=(?:er|ern|ers|fach|fache|fachen|mal)\b)"), self._joined)

    def _day_and_month(self, match: re.Match[str]) -> str | None:
        day, month = int(match[2]), int(match[3])
        if not (1 <= day <= 31 and 1 <= month <= 12):
            return None
        words = self.date(day, month, None, match[1] or "")
        stop = (
            "" if match.string[match.end() : match.end() + 1].strip() or match.string[match.end() :][:1] == " " else "."
        )
        return (f"{match[1]} {words}" if match[1] else words) + stop

    def _date_in_words(self, match: re.Match[str]) -> str | None:
        day = int(match[2])
        if not 1 <= day <= 31:
            return None
        before = f"{match[1]} " if match[1] else ""
        words = f"{before}{self.ordinal(day, match[1] or '')} {match[3]}"
        return f"{words} {self.year(int(match[4]))}" if match[4] else words

    def _after_article(self, match: re.Match[str]) -> str | None:
        number = int(match[2])
        return f"{match[1]} {self.ordinal(number, match[1])}" if 0 < number <= _LARGEST_ORDINAL else None

    def _joined(self, match: re.Match[str]) -> str:
        return self.counted(int(match[1]), "m") if match[1] != "1" else "ein"
