"""Sentences and groups of them."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.text.normalize.languages import NAMES
from tests.engine.text import bank

# "|" marks the only places where a sentence ends.
CASES = [
    ("english", "J. R. R. Tolkien wrote it.| It cost 3.5 dollars.| Really?| Yes!| OK"),
    ("english", 'Dr. Smith said "Stop. Now." and left.| "Go."| She went.| “Why?” he asked.'),
    (
        "english",
        "Look at www.example.com. today.| Wait... what?| Wait...| What?| At 5 p.m. it rained.| At 5 p.m.| He left.",
    ),
    ("english", "He lives in the U.S. and eats apples, e.g. Fuji, etc.| Then he sleeps (see p. 12. Or No. 5)."),
    ("english", "Is it 3.14? yes.| Mr. and Mrs. Brown Jr. came.| [He left. She stayed.]| Nobody."),
    ("german", "Am 4. März war es z. B. schön.| Das zeigt S. 12 usw.| Dann kam Dr. Meier.| Die 2. Runde beginnt."),
    ("german", "„Halt. Stopp.“| Er ging.| Es kostet 1.234,50 Euro.| Prof. Dr. h. c. Müller, d. h. er."),
    ("spanish", "¿Qué?| ¡Sí!| Vino p. ej. el Sr. López.| EE. UU. es grande.| Vale 3.000,5."),
    ("french", "M. Dupont est là.| « Oui ! » dit-il.| Il part.| Voir p. 12, etc.| Puis Jean dort."),
    ("italian", "Il Sig. Rossi è qui.| La Dott.ssa Bianchi, ecc.| Vedi pag. 12.| Sì."),
    ("portuguese", "O Sr. Silva, p. ex. ele, veio.| A Dra. Souza etc.| Saiu às 10.30.| Bom."),
    ("russian", "Это т. е. всё.| В 1999 г.| Иван ушёл.| А. С. Пушкин из г. Москва.| — Да! — сказал он.| Конец."),
    ("chinese", "你好。|“我来了。真的！”|他说。|我……我不知道。|好吗？！|好，3.5元"),
    ("japanese", "「そうだ。」と言った。|今日は晴れ（多分。）です。|明日は？|雨！|「はい。」|彼は帰った。"),
    ("korean", "안녕하세요.| 네.| 반갑습니다!| 3.5점입니다.| 정말?"),
    ("auto", "One line\nsame sentence.| Next|\n\nNew paragraph|\n- entry|\n- entry"),
]
TEXT = st.lists(st.sampled_from([*bank.TEXTS, " ", "\n", ". ", "a", "B", "“", "”", "(", "。", ", "]), max_size=15).map(
    "".join
)


def solid(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize(("language", "marked"), CASES)
def test_sentences(language: str, marked: str):
    wanted = [piece.strip() for piece in marked.split("|")]
    assert engine.split_sentences(marked.replace("|", ""), language) == wanted


@pytest.mark.parametrize("text", ["", " \n "])
def test_nothing_has_no_sentences(text: str):
    assert engine.split_sentences(text) == []
    assert engine.group_sentences(text) == []


@settings(deadline=None)
@given(TEXT, st.sampled_from(["auto", *NAMES]), st.integers(1, 400))
def test_pieces_joined_give_the_text(text: str, language: str, most: int):
    sentences = engine.split_sentences(text, language)
    groups = engine.group_sentences(text, language, most)
    assert solid("".join(sentences)) == solid("".join(groups)) == solid(text)
    assert all(piece == piece.strip() != "" for piece in [*sentences, *groups])
    assert all(len(group) <= most for group in groups)


@settings(deadline=None)
@given(st.text(max_size=300), st.integers(1, 50))
def test_any_text_is_cut_within_the_limit(text: str, most: int):
    groups = engine.group_sentences(text, "english", most)
    assert solid("".join(groups)) == solid(text)
    assert all(0 < len(group) <= most for group in groups)


def test_groups_hold_whole_sentences():
    text = "This is the first. This is the second one. And a third."
    assert engine.group_sentences(text, "english", 45) == [
        "This is the first. This is the second one.",
        "And a third.",
    ]


def test_a_new_paragraph_begins_a_group_once_half_the_room_is_used():
    text = "A paragraph of some length.\n\nAnother."
    assert engine.group_sentences(text, "english", 50) == ["A paragraph of some length.", "Another."]
    assert engine.group_sentences(text, "english", 90) == [text]


def test_syllables_weigh_three():
    groups = engine.group_sentences("我们去公园走走吧。" * 20, "chinese", 90)
    assert all(len(group) <= 30 for group in groups)
    assert all(group.endswith("。") for group in groups)


def test_a_long_sentence_is_cut_at_commas_into_like_parts():
    text = ", ".join(["a few words"] * 40)
    groups = engine.group_sentences(text, "english", 100)
    assert all(group.endswith(",") for group in groups[:-1])
    assert min(map(len, groups)) > 60


def test_without_commas_it_is_cut_between_words_and_never_within_a_number():
    assert all(group.split()[0] == "word" for group in engine.group_sentences("word " * 100, "english", 33))
    assert engine.group_sentences("costs 3,500.25 now " * 3, "english", 20) == ["costs 3,500.25 now"] * 3


def test_letters_keep_their_marks():
    groups = engine.group_sentences("e\u0301" * 50, "english", 7)
    assert all(not group.startswith("\u0301") for group in groups)


def test_a_limit_below_one_is_a_mistake():
    with pytest.raises(ValueError, match="at least 1"):
        engine.group_sentences("a", "english", 0)


@pytest.mark.parametrize("name", bank.LONG)
def test_a_hundred_thousand_characters(name: str):
    text = bank.LONG[name]
    began = time.process_time()
    groups = engine.group_sentences(text, "english")
    assert time.process_time() - began < 2.0
    assert all(len(group) <= 300 for group in groups)
    assert solid("".join(groups)) == solid(text)
