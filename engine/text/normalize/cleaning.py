"""Characters that are no speech: controls, invisible marks, emoji; and other shapes of plain signs and digits."""

from __future__ import annotations

import html
import re
import unicodedata

from engine.text.normalize.tracked import Tracked

_NEWLINES = re.compile(r"\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_BLANKS = re.compile(r"[\t\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]")
_ENTITIES = re.compile(r"&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});")
_MODEL_MARKS = re.compile(r"<\|[^|<>\n]{0,60}\|>")
_SELECTORS = re.compile("[\ufe00-\ufe0f\u20e3\U000e0100-\U000e01ef]")
_STACKED_MARKS = re.compile("(?<=[\u0300-\u036f]{2})[\u0300-\u036f]+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_OTHER_SHAPES = re.compile(
    "[\uff10-\uff19\uff21-\uff3a\uff41-\uff5a\uff03-\uff06\uff0b\uff0d\uff0f\uff1d\uff20\uffe5\uffe1\uffe6\u2100-\u214f"
    "\u2150-\u218b\u2460-\u24ff\u3251-\u325f\u32b1-\u32bf\u3300-\u33ff\u2070\u2074-\u209c\u203c\u2047-\u2049]"
    "|[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f\u09e6-\u09ef\u0e50-\u0e59]"
)
_FRACTIONS = re.compile("[¼½¾\u2150-\u215e]")
_WIDE_POINT = re.compile("(?<=[0-9０-９])．(?=[0-9０-９])")
_EMOTICON = re.compile(r"(?:(?<=\s)|^)(?:[:;=]['’]?-?[)(DPpO|*]+|<3+|\^_?\^)(?=\s|$)", re.MULTILINE)
_UNSPOKEN_KINDS = ("So", "Sk", "Cc", "Cf", "Cs", "Co", "Cn")
_KEPT_SYMBOLS = frozenset("°№`^\n\u02bc")  # the rules for markup, units and signs decide on these
_SPOKEN_MATHS = frozenset("+<=>|~～±×÷≈≤≥≠−∞√")
_REPEATS = (
    (re.compile(r"\.(?: \.){2,}|\.{4,}"), "..."),
    (re.compile(r"(?:[!?！？] ?){2,}(?<! )"), None),
    (re.compile(r"([,;:，；：、。])\1+"), None),
    (re.compile(r"…{3,}"), "……"),
    (re.compile(r"''|\"{2,}"), '"'),
    (re.compile(r"[-–—―─]{2,}"), "—"),
)  # fmt: skip


def clean_characters(text: Tracked) -> None:
    """NFC, one kind of blank and of newline, ASCII digits; nothing invisible, no emoji, no symbols nobody says."""
    text.sub(_NEWLINES, "\n")
    text.sub(_BLANKS, " ")
    text.sub(_MODEL_MARKS, " ", needs="<")
    text.sub(_SELECTORS, "")
    _compose(text)
    text.sub(_STACKED_MARKS, "")
    text.sub(_WIDE_POINT, ".")
    text.sub(_FRACTIONS, _fraction)
    text.sub(_OTHER_SHAPES, lambda m: _plain_shape(m[0]))
    text.sub(_EMOTICON, "")
    _drop_symbols(text)
    text.sub(re.compile(r" {2,}"), " ")


def unescape(text: Tracked) -> None:
    """`&amp;` and its like."""
    text.sub(_ENTITIES, lambda m: html.unescape(m[0]), needs="&")


def tidy_punctuation(text: Tracked) -> None:
    """One mark where several stand, as in "!!!"."""
    for pattern, mark in _REPEATS:
        text.sub(pattern, mark if mark is not None else lambda m: _one_mark(m[0]))


def tidy_blanks(text: Tracked) -> None:
    """Single blanks, at most one empty line, nothing at the ends."""
    text.sub(re.compile(r" {2,}"), " ")
    text.sub(re.compile(r"(?<=\w) (?=[,.](?:\s|$))"), "")
    text.sub(re.compile(r" ?\n ?"), "\n")
    text.sub(re.compile(r"\n{3,}"), "\n\n")
    text.sub(re.compile(r"\A\s+|\s+\Z"), "")


def _one_mark(run: str) -> str:
    marks = run.replace(" ", "")
    if set(marks) <= set("!！?？"):
        first = next((sign for sign in marks if sign in "?？"), "")
        shout = next((sign for sign in marks if sign in "!！"), "")
        return first + shout if len(run) == len(marks) else run if len(marks) < 3 else first + shout
    return marks[0]


def _compose(text: Tracked) -> None:
    if not unicodedata.is_normalized("NFC", text.text):
        text.sub(_COMBINED, lambda m: unicodedata.normalize("NFC", m[0]))
    if not unicodedata.is_normalized("NFC", text.text):  # scripts with rarer marks
        text.sub(_NOT_ASCII, lambda m: unicodedata.normalize("NFC", m[0]))


_COMBINED = re.compile("[^\n][\u0300-\u036f\u3099\u309a]+|[\u1100-\u1112][\u1161-\u1175][\u11a8-\u11c2]?")


def _fraction(match: re.Match[str]) -> str:
    """ "½" as "1/2", apart from a number before it."""
    before = match.string[match.start() - 1 : match.start()]
    return (" " if before.isdigit() else "") + unicodedata.normalize("NFKC", match[0]).replace("\u2044", "/")


def _plain_shape(sign: str) -> str:
    if sign.isdecimal():
        return str(unicodedata.decimal(sign))
    if sign in "№™℠":
        return "№" if sign == "№" else ""
    if "\u2460" <= sign <= "\u24ff" or "\u3251" <= sign <= "\u32bf":
        return f"{unicodedata.normalize('NFKC', sign).strip('().')}. "
    return unicodedata.normalize("NFKC", sign)


def _drop_symbols(text: Tracked) -> None:
    unspoken = {sign for sign in set(text.text) if _is_unspoken(sign)}
    if unspoken:
        run = "".join(re.escape(sign) for sign in sorted(unspoken))
        joining = "".join(re.escape(sign) for sign in sorted(unspoken) if unicodedata.category(sign)[0] == "C")
        if joining:
            text.sub(re.compile(rf"[{joining}]+"), "")
        text.sub(re.compile(rf" ?[{run}]+(?=[\s,.!?;:)，。！？]|$)"), "")
        text.sub(re.compile(rf"[{run}]+"), " ")


def _is_unspoken(sign: str) -> bool:
    kind = unicodedata.category(sign)
    if kind == "Sm":
        return sign not in _SPOKEN_MATHS
    return kind in _UNSPOKEN_KINDS and sign not in _KEPT_SYMBOLS
