"""Russian: numbers agree in gender, ordinals and years also in case."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Gender, Language, Money, Number, Signs, in_words, word_set
from engine.text.normalize.languages.romance import roman
from engine.text.normalize.tracked import Tracked

_LONGEST_SPOKEN_FRACTION = 3  # digits: tenths, hundredths, thousandths
_GENITIVE_AFTER = word_set("из от до без около для у после более менее больше меньше свыше кроме против вокруг среди")
_YEAR_CASES = {"год": "n", "года": "g", "году": "p", "годом": "i", "годе": "p", "г.": "g"}
_SUFFIXES: dict[str, tuple[str, Gender, bool]] = {
    "й": ("n", "m", False), "ый": ("n", "m", False), "ой": ("n", "m", False), "я": ("n", "f", False),
    "ая": ("n", "f", False), "е": ("n", "n", False), "ое": ("n", "n", False), "го": ("g", "m", False),
    "ого": ("g", "m", False), "му": ("d", "m", False), "ому": ("d", "m", False), "м": ("p", "m", False),
    "ом": ("p", "m", False), "ым": ("i", "m", False), "ю": ("a", "f", False), "ую": ("a", "f", False),
    "х": ("g", "m", True), "ых": ("g", "m", True), "ые": ("n", "m", True), "ми": ("i", "m", True),
}  # fmt: skip
_GENDERS = {"m": "m", "f": "f", "n": "n", "": "m"}


class Russian(Language):
    name = "russian"
    locale = "ru"
    converter = "ru"
    cents_joined_by = ""
    signs = Signs(
        point="запятая", minus="минус", plus="плюс", to="—", equals="равно", times="на", and_="и", about="около",
        at="собака", dot="точка", slash="слэш", dash="дефис", underscore="нижнее подчёркивание", number="номер",
        section="параграф", squared="в квадрате", cubed="в кубе", plus_minus="плюс-минус", less="меньше",
        greater="больше", divided="разделить на", permille="промилле",
    )  # fmt: skip
    symbols: ClassVar[dict[str, str]] = {"руб.": "RUB", "руб": "RUB", "р.": "RUB"}
    money: ClassVar[dict[str, Money]] = {
        "RUB": Money("рубль|рубля|рублей", "копейка|копейки|копеек", "m", "f"),
        "USD": Money("доллар|доллара|долларов", "цент|цента|центов"),
        "EUR": Money("евро", "цент|цента|центов"),
        "GBP": Money("фунт|фунта|фунтов", "пенс|пенса|пенсов"),
        "JPY": Money("иена|иены|иен", "", "f"),
        "CNY": Money("юань|юаня|юаней"),
        "UAH": Money("гривна|гривны|гривен", "копейка|копейки|копеек", "f", "f"),
    }
    units: ClassVar[dict[str, str]] = {
        "км": "length-kilometer", "м": "length-meter", "см": "length-centimeter", "мм": "length-millimeter",
        "кг": "mass-kilogram", "г": "mass-gram", "мг": "mass-milligram", "т": "mass-tonne", "л": "volume-liter",
        "мл": "volume-milliliter", "км/ч": "speed-kilometer-per-hour", "м/с": "speed-meter-per-second",
        "ГБ": "digital-gigabyte", "МБ": "digital-megabyte", "ТБ": "digital-terabyte", "КБ": "digital-kilobyte",
        "кВт·ч": "energy-kilowatt-hour", "кВт": "power-kilowatt", "Вт": "power-watt", "В": "electric-volt",
        "Гц": "frequency-hertz", "кГц": "frequency-kilohertz", "МГц": "frequency-megahertz",
        "ГГц": "frequency-gigahertz", "ч": "duration-hour", "мин": "duration-minute", "мин.": "duration-minute",
        "сек": "duration-second", "сек.": "duration-second", "мс": "duration-millisecond", "га": "area-hectare",
        "м²": "area-square-meter", "км²": "area-square-kilometer", "м³": "volume-cubic-meter",
        "ккал": "energy-foodcalorie",
    }  # fmt: skip
    scales: ClassVar[dict[str, tuple[str, Gender]]] = {
        "тыс.": ("тысяча|тысячи|тысяч", "f"), "тыс": ("тысяча|тысячи|тысяч", "f"),
        "млн": ("миллион|миллиона|миллионов", "m"), "млн.": ("миллион|миллиона|миллионов", "m"),
        "млрд": ("миллиард|миллиарда|миллиардов", "m"), "млрд.": ("миллиард|миллиарда|миллиардов", "m"),
        "трлн": ("триллион|триллиона|триллионов", "m"),
    }  # fmt: skip
    abbreviations: ClassVar[dict[str, str]] = {
        "т. е.": "то есть", "т.е.": "то есть", "т. д.": "так далее", "т.д.": "так далее", "т. п.": "тому подобное",
        "т.п.": "тому подобное", "т. к.": "так как", "т.к.": "так как", "т. н.": "так называемый",
        "напр.": "например", "др.": "другие", "пр.": "прочее", "см.": "смотри", "ср.": "сравни", "проф.": "профессор",
        "акад.": "академик", "г-н": "господин", "г-жа": "госпожа", "ул.": "улица", "пр-т": "проспект",
        "им.": "имени", "до н. э.": "до нашей эры", "н. э.": "нашей эры", "тел.": "телефон", "обл.": "область",
        "макс.": "максимум", "мин.": "минимум", "и т. д.": "и так далее", "доп.": "дополнительно",
    }  # fmt: skip
    before_number: ClassVar[dict[str, str]] = {
        "№": "номер", "стр.": "страница", "с.": "страница", "д.": "дом", "кв.": "квартира", "гл.": "глава",
        "рис.": "рисунок", "ст.": "статья", "п.": "пункт", "корп.": "корпус", "ок.": "около", "тел.": "телефон",
    }  # fmt: skip
    may_end = frozenset({"т. д.", "т.д.", "т. п.", "т.п.", "др.", "пр.", "н. э.", "до н. э.", "и т. д.", "руб.", "г."})
    not_counted = word_set("и или в на с к до от из за по для но что как это не был была были")
    fractions: ClassVar[dict[int, tuple[str, str]]] = {
        2: ("вторая", "вторых"), 3: ("треть", "трети"), 4: ("четверть", "четверти"), 5: ("пятая", "пятых"),
        6: ("шестая", "шестых"), 7: ("седьмая", "седьмых"), 8: ("восьмая", "восьмых"), 9: ("девятая", "девятых"),
        10: ("десятая", "десятых"),
    }  # fmt: skip
    and_a_half = "с половиной"

    def counted(self, number: int, gender: Gender) -> str:
        return in_words(number, "ru", gender=_GENDERS[gender])

    def gender_of(self, noun: str) -> Gender:
        word = noun.lower()
        if not word.isalpha() or word in self.not_counted or len(word) < 2:
            return ""
        if word.endswith(("ы", "и", "а", "я")):
            return "f"
        return "n" if word.endswith(("о", "е")) and word != "евро" else "m"

    def bare(self, number: int, written: str, before: str, after: str) -> str:
        word = after.lower()
        if not word or word in self.not_counted:
            return self.cardinal(number)
        gender, last = self._agreement(number, word)
        if before.lower() in _GENITIVE_AFTER:
            return in_words(number, "ru", case="g", gender=gender)
        case = "p" if last[-2:] in ("ах", "ях") else "i" if last[-3:] in ("ами", "ями") else "n"
        if last[-2:] in ("ам", "ям") and before.lower() in ("к", "по"):
            case = "d"
        return in_words(number, "ru", case=case, gender=gender)

    def _agreement(self, number: int, word: str) -> tuple[str, str]:
        """The gender that shows in one and two: of the nominative after 1, of the genitive after 2."""
        units = number % 10 if number % 100 not in (11, 12) else 0
        if units == 2:
            return ("f" if word.endswith(("ы", "и")) else "m"), word
        return _GENDERS[self.gender_of(word)], word

    def form(self, number: Number, forms: str) -> str:
        one, *more = forms.split("|")
        if not more:
            return one
        if number.fraction:
            return more[0]
        tens, units = int(number.whole[-2:]) // 10, int(number.whole[-1])
        if tens == 1 or units == 0 or units > 4:
            return more[-1]
        return one if units == 1 else more[0]

    def quantity(self, number: Number, forms: str, gender: Gender = "") -> str:
        gender = gender or self.gender_of(forms.split("|")[0].partition(" ")[0])
        return f"{self.say(number, gender)} {self.form(number, forms)}"

    def decimal(self, number: Number) -> str:
        if len(number.fraction) > _LONGEST_SPOKEN_FRACTION or len(number.whole) > 9:
            return f"{self.integer(number.whole)} {self.signs.point} {self.digits(number.fraction)}"
        if not int(number.fraction):
            return self.integer(number.whole)
        return in_words_decimal(f"{int(number.whole)}.{number.fraction}")

    def up_to(self, low: str, rest: str) -> str:
        return f"{low} — {rest}" if " " in low else f"{low}-{rest}"

    def percent_of(self, number: Number) -> str:
        return self.quantity(number, "процент|процента|процентов", "m")

    def ordinal(self, number: int, case: str, gender: Gender = "m", plural: bool = False) -> str:
        return in_words(number, "ru", "ordinal", case=case, gender=_GENDERS[gender], plural=plural, animate=False)

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        case = {"к": "d", "на": "n", "по": "n", "сегодня": "n"}.get(before.lower(), "g")
        words = f"{self.ordinal(day, case, 'n')} {self.month_name(month)}"
        return words if year is None else f"{words} {self.ordinal(year, 'g')} года"

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        if not minute and not second:
            return f"{self.cardinal(hour)} {self.form(Number(str(hour)), 'час|часа|часов')}"
        words = f"{self.cardinal(hour)} {'ноль ' if minute < 10 else ''}{self.cardinal(minute)}"
        return words if not second else f"{words} {self.quantity(Number(str(second)), 'секунда|секунды|секунд', 'f')}"

    def fraction(self, top: int, bottom: int) -> str | None:
        if bottom not in self.fractions or not 0 < top < bottom:
            return None
        one, more = self.fractions[bottom]
        return f"{self.counted(top, 'f')} {one if top == 1 else more}"

    def own_rules(self, text: Tracked) -> None:
        months = "|".join(self.month_name(n) for n in range(1, 13))
        text.sub(
            re.compile(rf"(?:\b(\w+) )?\b(\d{{1,2}}) ({months})\b(?: (\d{{4}})(?: (?:года|г\.))?(?![\d\w]))?"),
            self._date_in_words,
        )
        text.sub(re.compile(r"(?:\b(\w+) )?\b([12]\d{3}) ?[-–—] ?([12]\d{3}) (гг\.|годы|годов|годах)"), self._years)
        text.sub(re.compile(r"(?:\b(\w+) )?\b([12]\d{3})[ -]?(годом|года|году|годе|год|г\.)(?!\w)"), self._year)
        text.sub(re.compile(r"\b(\d{1,15})-([а-я]{1,3})(?!\w)"), self._ordinal)
        text.sub(re.compile(r"\bг\. (?=[А-ЯЁ])"), "город ")
        text.sub(re.compile(r"\b([IVX]+)(?= (век|века|веке|веку|веком)\b)"), self._century)

    def _date_in_words(self, match: re.Match[str]) -> str | None:
        day = int(match[2])
        if not 1 <= day <= 31:
            return None
        words = self.date(day, self.months[match[3].lower()], int(match[4]) if match[4] else None, match[1] or "")
        return f"{match[1]} {words}" if match[1] else words

    def _year(self, match: re.Match[str]) -> str:
        before, noun = (match[1] or "").lower(), match[3]
        case = _YEAR_CASES[noun]
        if noun == "году" and before == "к":
            case = "d"
        if noun == "г.":
            case, noun = ("p", "году") if before in ("в", "во") else ("g", "года")
            noun += "." if _ends_sentence(match) else ""
        words = f"{self.ordinal(int(match[2]), case)} {noun}"
        return f"{match[1]} {words}" if match[1] else words

    def _years(self, match: re.Match[str]) -> str:
        before, noun = match[1] or "", match[4]
        if noun == "гг.":
            noun = "годах" if before.lower() in ("в", "во") else "годы"
        case = {"годы": "n", "годов": "g", "годах": "p"}[noun]
        words = f"{self.ordinal(int(match[2]), case)} — {self.ordinal(int(match[3]), case)} {noun}"
        return f"{before} {words}" if before else words

    def _ordinal(self, match: re.Match[str]) -> str | None:
        if match[2] not in _SUFFIXES:
            return None
        case, gender, plural = _SUFFIXES[match[2]]
        number = int(match[1])
        return self.ordinal(number, case, gender, plural or (match[2] == "е" and number % 10 == 0 and number > 10))

    def _century(self, match: re.Match[str]) -> str:
        case = {"век": "n", "века": "g", "веке": "p", "веку": "d", "веком": "i"}[match[2]]
        return self.ordinal(roman(match[1]), case)


def _ends_sentence(match: re.Match[str]) -> bool:
    rest = match.string[match.end() : match.end() + 3].strip()
    return not rest or rest[0].isupper()


def in_words_decimal(number: str) -> str:
    from num2words import num2words

    words: str = num2words(number, lang="ru")
    return words
