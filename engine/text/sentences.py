"""Where sentences end in the ten languages, and long texts in pieces that are spoken one by one.

Pieces are cuts of the text in order: joined again they give the text, apart from white space.
"""

from __future__ import annotations

import bisect
import itertools
import re
import unicodedata
from collections.abc import Iterator
from functools import cache

from engine.text.normalize import language_of
from engine.text.normalize.languages import NAMES, find

Span = tuple[int, int]

SYLLABLE_WEIGHT = 3  # a Han sign, kana or Hangul block takes as long to say as about three letters
_CLOSERS = r"[\"'”’»›)\]」』）】》]"
_CANDIDATE = re.compile(
    rf"[.!?…]+(?:{_CLOSERS}|“)*(?=\s|$)|[。！？｡][。！？｡…]*{_CLOSERS}*|\n\s*"  # “ closes in German
)
_ENCLOSED = re.compile(
    r"(?<!\w)\"(?=\S)[^\"\n]{1,300}\"|“[^“”\n]{1,300}”|«[^«»\n]{1,300}»|„[^„“”\n]{1,300}[“”]|\([^()\n]{1,300}\)"
    r"|\[[^\[\]\n]{1,300}\]|「[^「」\n]{1,300}」|『[^『』\n]{1,300}』|（[^（）\n]{1,300}）|《[^《》\n]{1,300}》"
)
_NEXT_SIGN = re.compile(r"[\s\"'“‘«„‹(\[¿¡「『（《—–*_#-]*(\S)")
_LIST_MARK = re.compile(r"(?:[-*•‣#>|]|\d{1,3}[.)]) ?")
_DOTTED = re.compile(r"(?:[^\W\d_]{1,2}\.)+[^\W\d_]{1,2}")
_REACH = 24  # characters in which the word before a point is looked for
_MOST_MARKS = 16  # of a letter, in any writing that is read
_HIRAGANA = re.compile(r"[ぁ-ゖ]")
_STRONG, _WEAK, _BLANK = (
    re.compile(r"[.!?…;:。！？；：—–]+[\"'”’»)\]」』）]*\s*"),
    re.compile(r",\s+|[，、]"),
    re.compile(r"\s+"),
)
_EARLIEST = 0.6  # of the length aimed at: a cut before that makes a piece too short


def split_sentences(text: str, language: str = "auto") -> list[str]:
    """The sentences of `text`, white space at their ends cut off."""
    return [text[start:end].strip() for start, end in _sentences(text, language)]


def group_sentences(text: str, language: str = "auto", most_characters: int = 300) -> list[str]:
    """Whole sentences in groups of at most `most_characters`, of which a Han sign, kana or Hangul block takes three.

    A sentence that is longer alone is cut at its commas, else between words, else anywhere.
    """
    if most_characters < 1:
        raise ValueError("most_characters must be at least 1")
    weights = [0, *itertools.accumulate(SYLLABLE_WEIGHT if _is_syllable(sign) else 1 for sign in text)]
    groups: list[str] = []
    first, last = 0, 0
    for start, end in _sentences(text, language):
        if first < last and _starts_anew(text, weights, first, last, start, end, most_characters):
            groups.append(text[first:last].strip())
            first = start
        first, last = (start if first == last else first), end
        while weights[last] - weights[first] > most_characters:
            cut = _cut(text, weights, first, last, most_characters)
            groups.append(text[first:cut].strip())
            first = cut
    groups.append(text[first:last].strip())
    return [group for group in groups if group]


def _starts_anew(text: str, weights: list[int], first: int, last: int, start: int, end: int, most: int) -> bool:
    """Whether the sentence [start, end) begins a new group: no room, or a new paragraph and half the room used."""
    if weights[end] - weights[first] > most:
        return True
    return text.count("\n", last, start) > 1 and weights[last] - weights[first] > most // 2


def _sentences(text: str, language: str) -> Iterator[Span]:
    """Spans without white space at their ends."""
    start = 0
    for end in itertools.chain(_ends(text, language), (len(text),)):
        piece = text[start:end]
        body = piece.strip()
        if body:
            begin = start + len(piece) - len(piece.lstrip())
            yield begin, begin + len(body)
        start = end


def _ends(text: str, language: str) -> Iterator[int]:
    name = language.lower() if language.lower() in NAMES else language_of(text)
    enclosed = [match.span() for match in _ENCLOSED.finditer(text)]
    starts = [span[0] for span in enclosed]
    for match in _CANDIDATE.finditer(text):
        place = match.end()
        span = enclosed[bisect.bisect_left(starts, place) - 1] if starts and starts[0] < place else (0, 0)
        if span[0] < place < span[1]:
            continue
        if _is_end(text, match, name):
            yield place


def _is_end(text: str, match: re.Match[str], name: str) -> bool:
    marks = match[0]
    if marks[0] == "\n":
        return _ends_line(text, match)
    following = _NEXT_SIGN.match(text, match.end())
    after = following[1] if following else ""
    if marks[0] in "。！？｡":
        return not (name == "japanese" and marks[-1] in "」』）" and _HIRAGANA.match(text, match.end()))
    if after.islower():
        return False
    return not marks.startswith(".") or marks.startswith("..") or not _is_short(text, match, after, name)


def _ends_line(text: str, match: re.Match[str]) -> bool:
    """An empty line ends a sentence; a line break does so before a list entry."""
    return match[0].count("\n") > 1 or _LIST_MARK.match(text, match.end()) is not None


def _is_short(text: str, match: re.Match[str], after: str, name: str) -> bool:
    """Whether the point before `after` belongs to an abbreviation, an initial or an ordinal."""
    words = re.split(r"[\s(\[\"'“„«—–/]", text[max(0, match.start() - _REACH) : match.start()])
    word = words[-1]
    if word.isdecimal():
        at_line_start = not text[: match.start() - len(word)].rpartition("\n")[2][-3:].strip()
        return (name == "german" and len(word) <= 2) or at_line_start
    short, before_number, may_end = _abbreviations(name)
    point = f"{word}."
    if point == "г.":  # of a year it may end a sentence, of a city never
        return not (after.isupper() and words[-2:-1] and words[-2].isdecimal())
    if point in may_end:
        return not after.isupper()
    if point in short or (point in before_number and after.isdecimal()):
        return True
    if len(word) == 1 and (word.isupper() or word.isascii()) and word.isalpha():
        return True
    return _DOTTED.fullmatch(word) is not None


@cache
def _abbreviations(name: str) -> tuple[frozenset[str], frozenset[str], frozenset[str]]:
    """Words that a point follows: anywhere, before numbers, and those that may also end a sentence."""
    short: set[str] = set()
    before_number: set[str] = set()
    may_end: set[str] = set()
    for language in filter(None, map(find, [name] if name in NAMES else NAMES)):
        short |= {part for key in language.abbreviations for part in key.split() if part.endswith(".")}
        before_number |= {key.split()[-1] for key in language.before_number if key.endswith(".")}
        may_end |= {key.split()[-1] for key in language.may_end}
    short |= {part[:1].upper() + part[1:] for part in short}
    return frozenset(short), frozenset(before_number), frozenset(may_end)


def _cut(text: str, weights: list[int], first: int, last: int, most: int) -> int:
    """Where to cut a sentence that is too long: near equal parts, at the strongest mark there is."""
    total = weights[last] - weights[first]
    aim = total / -(-total // most)
    latest = max(first + 1, bisect.bisect_right(weights, weights[first] + most, first, last + 1) - 1)
    earliest = bisect.bisect_left(weights, weights[first] + int(aim * _EARLIEST), first, latest)
    wanted = bisect.bisect_left(weights, weights[first] + int(aim), first, latest)
    for mark, begin in ((_STRONG, earliest), (_WEAK, earliest), (_BLANK, first)):
        places = [m.end() for m in mark.finditer(text, begin, latest) if m.end() > first and _is_mark(text, m)]
        if places:
            return min(places, key=lambda place: abs(place - wanted))
    return _between_letters(text, first, latest)


def _is_mark(text: str, match: re.Match[str]) -> bool:
    """A mark inside a number or an address is none."""
    return match[0][-1].isspace() or match[0][0] in "。！？；：，、" or text[match.end() : match.end() + 1].isspace()


def _between_letters(text: str, first: int, latest: int) -> int:
    place = latest
    while place > max(first + 1, latest - _MOST_MARKS) and (
        unicodedata.combining(text[place : place + 1] or "x") or text[place - 1] == "\u200d"
    ):
        place -= 1
    return place


def _is_syllable(sign: str) -> bool:
    return "\u2e80" <= sign <= "\ud7ff" or "\uf900" <= sign <= "\ufaff" or "\U00020000" <= sign <= "\U0003ffff"
