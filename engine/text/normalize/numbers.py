"""Ranges, fractions, plain numbers, and the signs between them."""

from __future__ import annotations

import re
from functools import partial

from engine.text.normalize.dates import RIGHT
from engine.text.normalize.language import LONGEST_NUMBER, Language, Number
from engine.text.normalize.tracked import Tracked

_LEFT = r"(?<![0-9A-Za-zÀ-ɏЀ-ӿ.,:/])"
_WORD_BEFORE = re.compile(r"([^\W\d_]+)[ \u00a0]?$")
_WORD_AFTER = re.compile(r"[ \u00a0]?([^\W\d_]+)")
_REACH = 24  # characters in which the words beside a number are looked for


def rewrite_numbers(text: Tracked, language: Language) -> None:
    """Everything with digits that no other rule has taken."""
    signs, blank = language.signs, " " if language.spaced else ""
    text.sub(re.compile(r"\^([23])(?!\d)"), lambda m: f"{blank}{signs.squared if m[1] == '2' else signs.cubed}{blank}")
    ranges = rf"{_LEFT}({{NUM}}) ?(?:[–—]|(?<=\d)-(?=\d)) ?({{NUM}}){RIGHT}"
    text.sub(language.pattern(ranges), partial(_range, language))
    text.sub(re.compile(rf"{_LEFT}(\d{{1,3}} )?(\d{{1,3}})[/⁄](\d{{1,3}}){RIGHT}"), partial(_fraction, language))
    text.sub(re.compile(r"(?<=\d) ?[xX×*] ?(?=\d)"), f"{blank}{signs.times}{blank}")
    text.sub(re.compile(r"(?<=\d) ?[/⁄] ?(?=\d)"), f"{blank}{signs.slash}{blank}")
    text.sub(re.compile(r"(?<=\d) ?: ?(?=\d)"), f" {signs.to} " if language.spaced else "比")
    text.sub(re.compile(r"(?<![0-9A-Za-zÀ-ɏЀ-ӿ)\]])[-−](?=\d)"), f"{signs.minus}{blank}")
    text.sub(language.pattern("{NUM}"), partial(_plain, language))
    if language.name == "french":
        text.sub(re.compile(r"(?<= d') (?=\w)"), "")


def rewrite_prefixes(text: Tracked, language: Language) -> None:
    """Signs in front of a number, before a unit behind it takes the number away."""
    blank = " " if language.spaced else ""
    text.sub(re.compile(r"[#№] ?(?=\d)"), f"{blank}{language.signs.number}{blank}")
    text.sub(re.compile(r"(?<!\w)[~≈] ?(?=[\d$€£¥])"), f"{blank}{language.signs.about}{blank}")


def _range(language: Language, match: re.Match[str]) -> str | None:
    low, high = language.number(match[1]), language.number(match[2])
    if low.value >= high.value or max(len(low.whole), len(high.whole)) > LONGEST_NUMBER:
        return None
    words = [_beside(language, n, match, w) for n, w in ((low, match[1]), (high, match[2]))]
    return language.up_to(*words)


def _fraction(language: Language, match: re.Match[str]) -> str | None:
    top, bottom = int(match[2]), int(match[3])
    words = language.fraction(top, bottom)
    if words is None:
        return None
    if match[1]:
        return language.mixed(language.integer(match[1].strip()), words, (top, bottom) == (1, 2))
    return words


def _plain(language: Language, match: re.Match[str]) -> str:
    words = _beside(language, language.number(match[0]), match, match[0])
    if not language.spaced and not language.groups_by_space:
        return words
    before = match.string[match.start() - 1 : match.start()]
    after = match.string[match.end() : match.end() + 1]
    left = " " if before.isalpha() and before != "제" else ""
    right = " " if after.isalpha() and not (language.name == "korean" and after >= "가") else ""
    return f"{left}{words}{right}"


def _beside(language: Language, number: Number, match: re.Match[str], written: str) -> str:
    if number.fraction or len(number.whole) > LONGEST_NUMBER or (len(number.whole) > 1 and number.whole[0] == "0"):
        return language.say(number)
    before = _WORD_BEFORE.search(match.string[max(0, match.start() - _REACH) : match.start()])
    after = _WORD_AFTER.match(match.string[match.end() : match.end() + _REACH])
    return language.bare(int(number.whole), written, before[1] if before else "", after[1] if after else "")


def rewrite_signs(text: Tracked, language: Language) -> None:
    """Signs that people say; the rest of them is dropped."""
    signs = language.signs
    blank = " " if language.spaced else ""
    for sign, pattern, word in (
        ("&", r" ?& ?", signs.and_), ("±", r" ?± ?", signs.plus_minus), ("÷", r" ?÷ ?", signs.divided),
        ("×", r" ?× ?", signs.times), ("+", r" ?\+ ?", signs.plus), ("=", r" ?= ?", signs.equals),
        ("@", r"(?<!\w)@(?=\w)", signs.at), ("§", r"§§? ?(?=\w)", signs.section), ("²", r" ?² ?", signs.squared),
        ("³", r" ?³ ?", signs.cubed), ("<", r"(?<=\w) ?< ?(?=\w)", signs.less),
        (">", r"(?<=\w) ?> ?(?=\w)", signs.greater),
    ):  # fmt: skip
        text.sub(re.compile(pattern), f"{blank}{word}{blank}", needs=sign)
    text.sub(re.compile(r"[$€£¥￥₽₩₹%‰°º]"), "")
