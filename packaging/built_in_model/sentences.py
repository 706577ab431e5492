"""Texts to train on: WordNet's example sentences, everyday frames filled with common words, numbers, word lists."""

from __future__ import annotations

import random
import re
from functools import cache
from pathlib import Path

from built_in_model.held_out import SENTENCES

WORDNET = Path("/usr/share/wordnet")  # Debian package wordnet-base
COMMON, KNOWN = 6000, 14000  # most frequent words that frames draw from; that example sentences may hold
LONGEST_WORDS = 13
_EXAMPLE = re.compile(r'"([a-z][a-z\' ,]+[a-z])"')
_QUESTION = re.compile(
    r"^(what|where|who|when|why|how|which|do|does|did|is|are|was|were|can|could|will|would|shall|has)\b"
)

_PHRASES = """
hello. good morning. good night. thank you very much. how are you? see you tomorrow. please come in. never mind.
i do not know. what time is it? that is right. have a nice day. where do you live? this is my voice. nice to meet you.
can you hear me? let us go home. welcome back. yes. no. yes, of course. not at all. i am sorry. excuse me, please.
this is a test. my name is on the door. i like this voice. are you ready? wait a moment. that sounds good.
what is your name? thank you for your help. i will call you later. it is getting late. you are welcome. take care.
the weather is nice today. i am very happy. good afternoon. happy birthday. come back soon. be careful.
the quick brown fox jumps over the lazy dog. speak a little louder. once upon a time. this is how i sound today.
hello, this is my new voice. nothing is what it seems. welcome to the studio. it works without a network.
"""
_FRAMES = """
i want to {v} the {n}.|did you {v} the {a} {n}?|please {v} the {n}.|there is a {a} {n} in the {n}.
the {n} was very {a}.|they will {v} it {r}.|we should {v} a {n} {t}.|he could not {v} the {n}.|she has a {a} {n}.
my {n} is {a} and {a}.|the {a} {n} is on the {n}.|you can {v} this {n} {r}.|it is a {a} {n} for the {n}.
our {n} needs a {a} {n}.|i would like to {v} with you {t}.|who will {v} the {n}?|the {n} and the {n} are {a}.
let us {v} the {a} {n} {t}.|he said that the {n} is {a}.|do not {v} the {n}.|there was no {n} in the {n} {t}.
{t} i saw a {a} {n}.|every {n} has its {n}.|this {n} is more {a} than that {n}.|why did they {v} my {n}?
she will {r} {v} the {n}.|some people {v} their {n} {t}.|the {n} of the {n} is {a}.|{n}, {n} and {n}.
"""
_TIMES = ("today", "yesterday", "every day", "in the morning", "at night", "next week", "last summer", "after dinner",
          "on sunday", "on monday", "again", "for the first time", "before the rain", "in the evening", "this year",
          "at home", "near the river", "with my friend", "in the city", "very early", "all day long",
          "once more")  # fmt: skip
_MONTHS = ("january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
           "november", "december")  # fmt: skip
_COUNTED = ("minutes", "people", "dollars", "books", "miles", "days", "children", "houses", "letters", "hours", "years")


@cache
def common_words() -> tuple[str, ...]:
    """The most frequent English words of letters only, most frequent first."""
    from wordfreq import top_n_list

    found = [w for w in top_n_list("en", 2 * KNOWN) if re.fullmatch(r"[a-z]+('[a-z]+)?", w)]
    single = [w for w in found if len(w) > 1 or w in "ai"]
    return tuple(w for w in single if re.search(r"[aeiouy]", w))[:KNOWN]


@cache
def _by_kind() -> dict[str, list[str]]:
    """Common nouns, verbs, adjectives and adverbs: the part of speech that WordNet counts most senses of."""
    senses: dict[str, dict[str, int]] = {}
    for kind, name in (("n", "noun"), ("v", "verb"), ("a", "adj"), ("r", "adv")):
        for line in (WORDNET / f"index.{name}").read_text(encoding="utf-8").splitlines():
            if not line.startswith(" "):
                word, _, count = line.split(" ")[:3]
                senses.setdefault(word, {})[kind] = int(count)
    out: dict[str, list[str]] = {"n": [], "v": [], "a": [], "r": []}
    for word in common_words()[60:COMMON]:
        kinds = senses.get(word)
        if kinds:
            out[max(kinds, key=lambda k: kinds[k])].append(word)
    return out


@cache
def examples() -> tuple[str, ...]:
    """WordNet's own example sentences that are short and of known words."""
    known, found = set(common_words()), set[str]()
    for name in ("noun", "verb", "adj", "adv"):
        for line in (WORDNET / f"data.{name}").read_text(encoding="utf-8").splitlines():
            for text in _EXAMPLE.findall(line.partition("|")[2]):
                words = re.findall(r"[a-z']+", text)
                if 3 <= len(words) <= LONGEST_WORDS and all(w in known for w in words):
                    found.add(text + ("?" if _QUESTION.match(text) else "."))
    return tuple(sorted(found))


def _number(r: random.Random) -> str:
    from num2words import num2words

    def said(n: int) -> str:
        return str(num2words(n)).replace("-", " ")

    kind = r.randrange(6)
    if kind == 0:
        return f"it is {said(r.randint(1, 12))} {said(r.randint(10, 59))}."
    if kind == 1:
        many = said(r.choice((r.randint(2, 99), r.randint(100, 9999))))
        return f"there are {many} {r.choice(_COUNTED)} {r.choice(_TIMES)}."
    if kind == 2:
        return f"on the {num2words(r.randint(1, 31), to='ordinal').replace('-', ' ')} of {r.choice(_MONTHS)}."
    if kind == 3:
        return " ".join(said(r.randint(0, 9)) for _ in range(r.randint(3, 8))) + "."
    if kind == 4:
        return f"{said(r.randint(20, 999))} and {said(r.randint(2, 99))} {r.choice(_COUNTED)}."
    return f"the price is {said(r.randint(2, 200))} point {said(r.randint(0, 9))}."


def _frame(r: random.Random) -> str:
    kinds = _by_kind()

    def word(match: re.Match[str]) -> str:
        kind = match.group(1)
        return r.choice(_TIMES) if kind == "t" else r.choice(kinds[kind])

    text = re.sub(r"\{(\w)\}", word, r.choice(re.split(r"[|\n]", _FRAMES.strip())))
    return re.sub(r"\ba (?=[aeiou])", "an ", text)


def _list(r: random.Random) -> str:
    pool = common_words()[: COMMON + 2000]
    return r.choice((" ", ", ", " ")).join(r.choice(pool) for _ in range(r.randint(3, 7))) + "."


def written(text: str) -> str:
    """As a person types it: capitals at the start and for I, the days and the months."""
    text = re.sub(r"\bi\b", "I", text)
    names = "monday|tuesday|wednesday|thursday|friday|saturday|sunday|january|february|april|june|july|august"
    text = re.sub(rf"\b({names}|september|october|november|december)\b", lambda m: m.group(1).capitalize(), text)
    return text[0].upper() + text[1:]


def draw(r: random.Random) -> str:
    """One text of the training set."""
    while True:
        kind = r.random()
        if kind < 0.48:
            text = r.choice(examples())
        elif kind < 0.76:
            text = _frame(r)
        elif kind < 0.86:
            text = _number(r)
        elif kind < 0.92:
            text = r.choice(re.findall(r"\w[^.?]+[.?]", _PHRASES))
        else:
            text = _list(r)
        text = written(text)
        if text not in SENTENCES:
            return text
