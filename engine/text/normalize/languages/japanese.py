"""Japanese: kanji numerals, which the model reads with the counter that follows."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Language, Money, Number, Signs, in_words
from engine.text.normalize.tracked import Tracked


class Japanese(Language):
    name = "japanese"
    locale = "ja"
    converter = "ja"
    decimal_mark = "."
    date_order = "ymd"
    spaced = False
    groups_by_space = False
    full_stop = "。"
    signs = Signs(
        point="点", minus="マイナス", plus="プラス", to="から", equals="イコール", times="かける", and_="アンド",
        about="約", at="アットマーク", dot="ドット", slash="スラッシュ", dash="ハイフン", underscore="アンダーバー",
        number="ナンバー", section="セクション", squared="の二乗", cubed="の三乗", plus_minus="プラスマイナス",
        less="小なり", greater="大なり", divided="割る", permille="パーミル",
    )  # fmt: skip
    money: ClassVar[dict[str, Money]] = {
        "JPY": Money("円"),
        "USD": Money("ドル"),
        "EUR": Money("ユーロ"),
        "GBP": Money("ポンド"),
        "CNY": Money("元"),
        "RUB": Money("ルーブル"),
        "KRW": Money("ウォン"),
    }

    def cardinal(self, number: int) -> str:
        return in_words(number, "ja") if number else "ゼロ"

    def decimal(self, number: Number) -> str:
        words = super().decimal(number)
        return f"零{words.removeprefix('ゼロ')}" if number.whole == "0" else words

    def percent(self, number: str) -> str:
        return f"{number}パーセント"

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        words = f"{self.cardinal(month)}月{self.cardinal(day)}日"
        return words if year is None else f"{self.cardinal(year)}年{words}"

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        words = f"{'零' if hour == 0 else self.cardinal(hour)}時"
        if minute or second:
            words += f"{self.cardinal(minute)}分"
        return words if not second else f"{words}{self.cardinal(second)}秒"

    def fraction(self, top: int, bottom: int) -> str | None:
        return f"{self.cardinal(bottom)}分の{self.cardinal(top)}" if 0 < top < bottom else None

    def mixed(self, whole: str, fraction: str, is_half: bool) -> str:
        return f"{whole}と{fraction}"

    def own_rules(self, text: Tracked) -> None:
        text.sub(re.compile(r"(?<=\d)\s*[〜～~]\s*(?=\d)"), "から")
