"""Chinese: numbers in groups of four digits, 两 before measure words, years digit by digit."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Gender, Language, Money, Number, Signs
from engine.text.normalize.tracked import Tracked

_DIGITS = "零一二三四五六七八九"
_PLACES = ("", "十", "百", "千")
_GROUPS = ("", "万", "亿", "万亿", "亿亿")
_MEASURES = (
    "个位只条张本天年次点块元米件岁周倍种家名台辆份杯瓶层间座句段页首部把双对棵支颗套项届场回趟遍秒分小公千百万亿美欧英"
)


class Chinese(Language):
    name = "chinese"
    locale = "zh"
    converter = "zh"
    decimal_mark = "."
    date_order = "ymd"
    spaced = False
    groups_by_space = False
    full_stop = "。"
    signs = Signs(
        point="点", minus="负", plus="加", to="到", equals="等于", times="乘", and_="和", about="约", at="艾特",
        dot="点", slash="斜杠", dash="杠", underscore="下划线", number="第", section="第",
        squared="平方", cubed="立方",
        plus_minus="正负", less="小于", greater="大于", divided="除以", permille="千分之",
    )  # fmt: skip
    symbols: ClassVar[dict[str, str]] = {"¥": "CNY", "￥": "CNY"}
    money: ClassVar[dict[str, Money]] = {
        "CNY": Money("元"),
        "USD": Money("美元"),
        "EUR": Money("欧元"),
        "GBP": Money("英镑"),
        "JPY": Money("日元"),
        "RUB": Money("卢布"),
    }

    def cardinal(self, number: int) -> str:
        if number == 0:
            return _DIGITS[0]
        groups: list[int] = []
        rest = number
        while rest:
            rest, group = divmod(rest, 10_000)
            groups.append(group)
        words, gap = "", False
        for place in range(len(groups) - 1, -1, -1):
            group = groups[place]
            if group and words and (gap or group < 1000):
                words += _DIGITS[0]
            gap = (gap or not group) and not group
            if group:
                words += _four_digits(group) + _GROUPS[place]
        words = words.removeprefix("一") if words.startswith("一十") else words
        return f"两{words[1:]}" if words[:2] in ("二千", "二万", "二亿") else words

    def counted(self, number: int, gender: Gender) -> str:
        return "两" if number == 2 else self.cardinal(number)

    def gender_of(self, noun: str) -> Gender:
        return "m" if noun[:1] and noun[0] in _MEASURES else ""

    def bare(self, number: int, written: str, before: str, after: str) -> str:
        if before.endswith("第"):
            return self.cardinal(number)
        return super().bare(number, written, before, after)

    def quantity(self, number: Number, forms: str, gender: Gender = "") -> str:
        return self.say(number, "m") + self.form(number, forms)

    def percent(self, number: str) -> str:
        if number == "一百":
            return "百分之百"
        return f"负百分之{number[1:]}" if number.startswith("负") else f"百分之{number}"

    def up_to(self, low: str, rest: str) -> str:
        return f"{self.percent(low)}到{rest}" if rest.startswith("百分之") else super().up_to(low, rest)

    def year(self, year: int) -> str:
        return self.digits(str(year))

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        words = f"{self.cardinal(month)}月{self.cardinal(day)}日"
        return words if year is None else f"{self.year(year)}年{words}"

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        words = f"{self.counted(hour, 'm')}点"
        if minute or second:
            words += f"{'零' if 0 < minute < 10 else ''}{self.cardinal(minute)}分"
        return words if not second else f"{words}{self.cardinal(second)}秒"

    def fraction(self, top: int, bottom: int) -> str | None:
        return f"{self.cardinal(bottom)}分之{self.cardinal(top)}" if 0 < top < bottom else None

    def mixed(self, whole: str, fraction: str, is_half: bool) -> str:
        return f"{whole}又{fraction}"

    def own_rules(self, text: Tracked) -> None:
        text.sub(re.compile(r"(?<!\d)([12]\d{3}) ?[-–—~至到] ?([12]\d{3})(?=学?年)"), self._years)
        text.sub(re.compile(r"(?<!\d)([12]\d{3}|\d{2}(?!年代))(?=年(?!代?[前后以]|前|后|间|来|级|龄))"), self._year)
        text.sub(re.compile(r"(?<!\d)1\d{10}(?!\d)"), lambda m: self.phone_digits(m[0]))

    def _years(self, match: re.Match[str]) -> str:
        return f"{self.digits(match[1])}{self.signs.to}{self.digits(match[2])}"

    def _year(self, match: re.Match[str]) -> str | None:
        if len(match[1]) == 2 and int(match[1]) < 60:
            return None
        return self.digits(match[1])

    def phone_digits(self, text: str) -> str:
        return self.digits(text).replace("一", "幺")


def _four_digits(group: int) -> str:
    words, gap = "", False
    for place in (3, 2, 1, 0):
        digit = group // 10**place % 10
        if not digit:
            gap = bool(words)
            continue
        if gap:
            words += _DIGITS[0]
        gap = False
        words += _DIGITS[digit] + _PLACES[place]
    return words
