"""Money, percentages, and quantities with a unit."""

from __future__ import annotations

import re
from decimal import Decimal
from functools import lru_cache, partial

from engine.text.normalize.language import Gender, Language, Money, Number
from engine.text.normalize.tracked import Tracked

_SYMBOLS = {
    "US$": "USD", "R$": "BRL", "A$": "AUD", "C$": "CAD", "$": "USD", "€": "EUR", "£": "GBP", "¥": "JPY", "￥": "JPY",
    "₽": "RUB", "₩": "KRW", "₹": "INR", "₺": "TRY", "₴": "UAH", "zł": "PLN", "฿": "THB", "₫": "VND", "₪": "ILS",
}  # fmt: skip
_CODES = (
    "USD|EUR|GBP|JPY|CNY|RUB|KRW|CHF|BRL|INR|AUD|CAD|NZD|MXN|SEK|NOK|DKK|PLN|CZK|HUF|TRY|UAH|ZAR|SGD|HKD|TWD|THB|ILS"
)
_UNITS = {
    "km/h": "speed-kilometer-per-hour", "kmh": "speed-kilometer-per-hour", "m/s": "speed-meter-per-second",
    "mph": "speed-mile-per-hour", "km²": "area-square-kilometer", "m²": "area-square-meter", "m³": "volume-cubic-meter",
    "cm²": "area-square-centimeter", "cm³": "volume-cubic-centimeter", "km": "length-kilometer", "m": "length-meter",
    "cm": "length-centimeter", "mm": "length-millimeter", "µm": "length-micrometer", "μm": "length-micrometer",
    "nm": "length-nanometer", "kg": "mass-kilogram", "g": "mass-gram", "mg": "mass-milligram", "t": "mass-tonne",
    "l": "volume-liter", "L": "volume-liter", "ml": "volume-milliliter", "mL": "volume-milliliter",
    "°C": "temperature-celsius", "° C": "temperature-celsius", "°F": "temperature-fahrenheit", "°": "angle-degree",
    "GB": "digital-gigabyte", "MB": "digital-megabyte", "TB": "digital-terabyte", "kB": "digital-kilobyte",
    "KB": "digital-kilobyte", "kWh": "energy-kilowatt-hour", "kW": "power-kilowatt", "MW": "power-megawatt",
    "GW": "power-gigawatt", "Hz": "frequency-hertz", "kHz": "frequency-kilohertz", "MHz": "frequency-megahertz",
    "GHz": "frequency-gigahertz", "ha": "area-hectare", "lb": "mass-pound", "lbs": "mass-pound", "oz": "mass-ounce",
    "ft": "length-foot", "mi": "length-mile", "h": "duration-hour", "min": "duration-minute", "s": "duration-second",
    "sec": "duration-second", "ms": "duration-millisecond", "hPa": "pressure-hectopascal", "kcal": "energy-foodcalorie",
    "kJ": "energy-kilojoule", "V": "electric-volt", "W": "power-watt", "mA": "electric-milliampere",
}  # fmt: skip
_TOUCHING = frozenset({"V", "W", "L", "s", "h", "t", "l"})  # letters that also stand alone: taken where they touch
_NOT_IN = {"english": {"t"}, "portuguese": {"mi"}, "italian": {"mi"}, "spanish": {"mi", "ha"}, "german": {"mi"},
           "french": {"mi"}}  # fmt: skip
_LEFT = r"(?<![A-Za-z\d.,/])"


def rewrite_amounts(text: Tracked, language: Language) -> None:
    symbols = {**_SYMBOLS, **language.symbols}
    leading = {symbol: code for symbol, code in symbols.items() if not symbol.strip(".").isalpha()}
    scale = rf"(?: ?(?P<scale>{_any(language.scales)})(?!\w))?" if language.scales else "(?P<scale>(?!))?"
    minus, number = r"(?P<minus>(?<![0-9A-Za-zÀ-ɏЀ-ӿ])[-−])?", r"(?P<number>{NUM})"
    low = r"(?:(?P<low>{NUM}) ?[-–—~] ?(?:[$€£¥] ?)?)?"
    before = rf"(?<![A-Za-z\d.]){minus}(?P<sign>{_any(leading)}|(?:{_CODES})\b) ?{low}{number}{scale}(?!\d)"
    amount = rf"{_LEFT}{minus}{low}{number}"
    after = rf"{amount}(?:,[-–—]{{1,2}})?{scale} ?(?P<sign>{_any(symbols)}|(?:{_CODES})\b)(?!\w)"
    text.sub(language.pattern(before), partial(_money, language))
    text.sub(language.pattern(after), partial(_money, language))
    text.sub(re.compile(r"(?<=\d)( ?)º(?= ?[CF]\b)"), lambda m: f"{m[1]}°")
    _rewrite_parts(text, language, amount)
    if language.scales:
        spelled = {key: value for key, value in language.scales.items() if len(key) > 1}
        text.sub(language.pattern(rf"{amount} ?(?P<scale>{_any(spelled)})(?!\w)"), partial(_scaled, language))


def _rewrite_parts(text: Tracked, language: Language, amount: str) -> None:
    """Percentages and units."""
    text.sub(language.pattern(rf"{amount} ?(?P<unit>[%‰])"), partial(_percent, language))
    units = {**_UNITS, **language.units}
    for symbol in _NOT_IN.get(language.name, ()):
        del units[symbol]
    loose = {symbol: unit for symbol, unit in units.items() if symbol not in _TOUCHING}
    after = r"(?![0-9A-Za-zÀ-ɏЀ-ӿ²³/]|['’]\w)"
    point = r"(?:\.(?= [a-zà-ÿа-я]))?"
    measure = partial(_measure, language, units)
    parts = rf"{_LEFT}(?:(\d{{1,3}}) )?(\d{{1,2}})/(\d{{1,2}}) ?(?P<unit>{_any(loose)}|[lLh]){after}"
    text.sub(re.compile(parts), partial(_part_of_unit, language, units))
    text.sub(language.pattern(rf"{amount} ?(?P<unit>{_any(loose)}){after}{point}"), measure)
    text.sub(language.pattern(rf"{amount} ?(?P<unit>[hltLs]){after}{point}(?=[ ,.;:!?)\n]|$)"), measure)
    text.sub(language.pattern(rf"{amount}(?P<unit>[VWs]){after}"), measure)


def _any(table: dict[str, object] | dict[str, str] | dict[str, tuple[str, Gender]]) -> str:
    return "|".join(re.escape(key) for key in sorted(table, key=len, reverse=True))


def _read(language: Language, match: re.Match[str]) -> Number:
    number = language.number(match["number"])
    return Number(number.whole, number.fraction, negative=bool(match["minus"]))


def _range(language: Language, match: re.Match[str], words: str, gender: Gender = "") -> str:
    """`words`, after those of the lower end where the text gives one."""
    if not match["low"]:
        return words
    return language.up_to(language.say(language.number(match["low"]), gender), words)


def _money(language: Language, match: re.Match[str]) -> str:
    sign = match["sign"]
    code = language.symbols.get(sign) or _SYMBOLS.get(sign, sign)
    number = _read(language, match)
    money = language.money.get(code) or _from_babel(code, number, language.locale)
    words = _with_scale(language, number, money, match["scale"]) if match["scale"] else _price(language, number, money)
    words = _range(language, match, words, money.gender)
    return words + ("." if sign.endswith(".") and _ends_sentence(match) else "")


def _price(language: Language, number: Number, money: Money) -> str:
    in_cents = money.cents and language.cents_joined_by is not None and len(number.fraction) == 2
    if number.fraction and not int(number.fraction) and len(number.fraction) <= 2:
        number, in_cents = Number(number.whole, "", number.negative), ""
    if not in_cents:
        if language.cents_joined_by is None:
            number = Number(number.whole, number.fraction.rstrip("0"), number.negative)
        return language.quantity(number, money.forms, money.gender)
    rest = Number(str(int(number.fraction)))
    if not int(number.whole or 0):
        cents = language.quantity(rest, money.cents, money.cent_gender)
        return language.join(language.signs.minus, cents) if number.negative else cents
    whole = language.quantity(Number(number.whole, "", number.negative), money.forms, money.gender)
    cents = language.quantity(rest, money.cents, money.cent_gender) if language.says_cents else language.say(rest)
    return language.join(whole, language.cents_joined_by or "", cents)


def _with_scale(language: Language, number: Number, money: Money, scale: str) -> str:
    forms, gender = language.scales[scale]
    words = language.quantity(number, forms, gender)
    if forms == "mil" and number.is_one:
        words = "mil"
    noun = money.forms.split("|")[-1]
    return language.of_scale(words, noun) if "|" in forms else language.join(words, noun)


def _from_babel(code: str, number: Number, locale: str) -> Money:
    from babel.numbers import get_currency_name

    return Money(get_currency_name(code, count=Decimal(str(abs(number.value))), locale=locale))


def _scaled(language: Language, match: re.Match[str]) -> str:
    forms, gender = language.scales[match["scale"]]
    words = _range(language, match, language.quantity(_read(language, match), forms, gender), gender)
    return words + ("." if match["scale"].endswith(".") and _is_last(match) else "")


def _percent(language: Language, match: re.Match[str]) -> str:
    number = _read(language, match)
    if match["unit"] == "‰":
        return _range(language, match, language.join(language.say(number), language.signs.permille))
    return _range(language, match, language.percent_of(number))


def _measure(language: Language, units: dict[str, str], match: re.Match[str]) -> str:
    number = _read(language, match)
    template = _unit_template(units[match["unit"]], _plural_key(number), language.locale)
    head, _, tail = template.partition("{}")
    _, _, one = _unit_template(units[match["unit"]], "1", language.locale).partition("{}")
    noun = (one.split() or [""])[0]
    gender = _unit_gender(language, noun)
    words = _range(language, match, language.say(number, gender), gender)
    if not language.spaced:
        return f"{head}{words}{tail}"
    return " ".join(f"{head} {words} {tail}".split()) + (
        "." if match["unit"].endswith(".") and _ends_sentence(match) else ""
    )


def _part_of_unit(language: Language, units: dict[str, str], match: re.Match[str]) -> str | None:
    top, bottom = int(match[2]), int(match[3])
    words = language.fraction(top, bottom)
    if words is None:
        return None
    if match[1]:
        words = language.mixed(language.integer(match[1]), words, (top, bottom) == (1, 2))
    key = "2" if match[1] else "1"
    return " ".join(_unit_template(units[match["unit"]], key, language.locale).replace("{}", words).split())


def _unit_gender(language: Language, noun: str) -> Gender:
    if language.name == "chinese":
        return "m"
    return language.gender_of(noun)


def _plural_key(number: Number) -> str:
    """A number with the same plural form, so that few templates are kept."""
    if number.fraction:
        return f"{number.whole[-3:]}.5"
    return number.whole[-2:] if len(number.whole) > 2 else number.whole


@lru_cache(maxsize=4096)
def _unit_template(unit: str, value: str, locale: str) -> str:
    """How CLDR writes a quantity, "{}" standing for the number."""
    from babel.numbers import format_decimal
    from babel.units import format_unit

    number = Decimal(value)
    text = format_unit(number, unit, "long", locale=locale).replace(format_decimal(number, locale=locale), "{}")
    text = text.replace("\xa0", " ").replace("\u202f", " ")
    return text if locale not in ("zh", "ja") else text.replace(" ", "")


def _is_last(match: re.Match[str]) -> bool:
    return match.string[match.end() : match.end() + 1] in ("", "\n")


def _ends_sentence(match: re.Match[str]) -> bool:
    rest = match.string[match.end() : match.end() + 3]
    return not rest.strip() or rest[0] == "\n" or (rest[0] == " " and rest.strip()[0].isupper())
