"""Korean: native numerals before counters of things, hours and ages; Sino-Korean ones everywhere else."""

from __future__ import annotations

import re
from typing import ClassVar

from engine.text.normalize.language import Language, Money, Number, Signs, in_words
from engine.text.normalize.tracked import Tracked

_ONES = ("", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉")
_TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
_LARGEST_NATIVE = 99
_COUNTERS = (
    "시간|시|살|명|개월|개국|개년|개|마리|번째|번|병|잔|장|대|달|"
    "그루|켤레|송이|가지|사람|권|채|벌|쌍|곳|통|군데|판|모금|배"
)
_SINO = ("개월", "개국", "개년")


class Korean(Language):
    name = "korean"
    locale = "ko"
    converter = "ko"
    decimal_mark = "."
    date_order = "ymd"
    groups_by_space = False
    signs = Signs(
        point="점", minus="마이너스", plus="플러스", to="에서", equals="는", times="곱하기", and_="앤드", about="약",
        at="골뱅이", dot="점", slash="슬래시", dash="대시", underscore="밑줄", number="번호", section="섹션",
        squared="제곱", cubed="세제곱", plus_minus="플러스마이너스", less="보다 작은", greater="보다 큰",
        divided="나누기", permille="퍼밀",
    )  # fmt: skip
    money: ClassVar[dict[str, Money]] = {
        "KRW": Money("원"),
        "USD": Money("달러"),
        "EUR": Money("유로"),
        "GBP": Money("파운드"),
        "JPY": Money("엔"),
        "CNY": Money("위안"),
        "RUB": Money("루블"),
    }

    def cardinal(self, number: int) -> str:
        return in_words(number, "ko")

    def digits(self, text: str) -> str:
        return " ".join("공" if digit == "0" else self.cardinal(int(digit)) for digit in text)

    def fraction_digits(self, fraction: str) -> str:
        return " ".join(self.cardinal(int(digit)) for digit in fraction)

    def native(self, number: int) -> str:
        """The form before a counter, for 1 to 99."""
        tens, ones = divmod(number, 10)
        return "스무" if number == 20 else _TENS[tens] + _ONES[ones]

    def percent(self, number: str) -> str:
        return f"{number} 퍼센트"

    def date(self, day: int, month: int, year: int | None, before: str) -> str:
        words = f"{self.month(month)} {self.cardinal(day)}일"
        return words if year is None else f"{self.cardinal(year)}년 {words}"

    def month(self, month: int) -> str:
        return {6: "유월", 10: "시월"}.get(month, f"{self.cardinal(month)}월")

    def time(self, hour: int, minute: int, second: int | None, marked: bool) -> str:
        words = f"{self.native(hour) if 1 <= hour <= 12 else self.cardinal(hour)} 시"
        if minute or second:
            words += f" {self.cardinal(minute)} 분"
        return words if not second else f"{words} {self.cardinal(second)} 초"

    def fraction(self, top: int, bottom: int) -> str | None:
        return f"{self.cardinal(bottom)}분의 {self.cardinal(top)}" if 0 < top < bottom else None

    def mixed(self, whole: str, fraction: str, is_half: bool) -> str:
        return f"{whole}와 {fraction}"

    def own_rules(self, text: Tracked) -> None:
        text.sub(re.compile(r"(?<![\d.,])(1?\d)월"), lambda m: self.month(int(m[1])) if 1 <= int(m[1]) <= 12 else None)
        text.sub(re.compile(rf"(?<![\d.,])(\d{{1,2}}) ?({_COUNTERS})"), self._counter)
        text.sub(re.compile(r"(?<=\d) ?[~～〜] ?(?=\d)"), "에서 ")

    def _counter(self, match: re.Match[str]) -> str | None:
        number, counter = int(match[1]), match[2]
        if counter in _SINO or not 1 <= number <= _LARGEST_NATIVE or match[1][0] == "0":
            return None
        if counter == "번째" and number == 1:
            return "첫 번째"
        if counter == "시" and number > 12:
            return f"{self.cardinal(number)} 시"
        return f"{self.native(number)} {counter}"

    def quantity(self, number: Number, forms: str, gender: object = "") -> str:
        return f"{self.say(number)} {forms}"
