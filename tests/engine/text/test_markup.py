"""Markup, emoji and odd characters never reach the model."""

from __future__ import annotations

import pytest

import engine

CASES = {
    "heading": ("# Title #\nText", "Title.\nText"),
    "setext heading and rule": ("Title\n===\ntext\n\n---\n", "Title\ntext"),
    "emphasis": ("*a* **b** ***c*** _d_ __e__ ~~f~~ `g`", "a b c d e f g"),
    "snake case": ("snake_case_name", "snake case name"),
    "arithmetic keeps its star": ("5 * 3, 2*3", "five times three, two times three"),
    "bullets": ("- one\n* two\n+ three.\n• four", "one.\ntwo.\nthree.\nfour."),
    "tasks": ("- [ ] open\n- [x] done", "open.\ndone."),
    "numbered": ("1. one\n2) two", "one. one.\ntwo. two."),
    "dialogue keeps its dash": ("— Yes, — he said.", "— Yes, — he said."),
    "table": ("| a | b |\n|:--|--:|\n| 1 | 2 |", "a, b.\none, two."),
    "fence": ("```python\nrun me\n```\nDone.", "run me\nDone."),
    "quote": ("> > said\n> so", "said\nso"),
    "link": ("see [the page](https://a.com/x_(y)) or [that][1]", "see the page or that"),
    "link definition": ("text\n[1]: https://a.com", "text"),
    "image": ("![a cat](cat.png) sits", "a cat sits"),
    "footnotes": ("true[1], known [2, 3] and old[^note]. Word¹", "true, known and old. Word"),
    "escapes": (r"\*not bold\* and 1\. no", "not bold and one. no"),
    "html": ("<p class='x'>Hello <b>World</b></p><p>Bye</p>", "Hello World\nBye"),
    "entities": ("Tom &amp; Jerry&nbsp;x &#233;", "Tom and Jerry x é"),
    "hidden": ("a<!-- no --><script>var no;</script><style>no {}</style>b", "a b"),
    "ssml": ("<speak>Hi<break time='1s'/>you <sub alias='World Wide Web'>W3</sub></speak>", "Hi, you W three"),
    "ssml alias": ('<sub alias="World Wide Web">WWW</sub>', "World Wide Web"),
    "no tags": ("x<y and z>w", "x less than y and z greater than w"),
    "model marks": ("<|im_start|>hi<|im_end|> <tts_pad>there", "hi there"),
    "emoji": ("Hi 👋🏽 you! 👩\u200d👩\u200d👧 Great 👍. ❤️ 1️⃣", "Hi you! Great. one"),
    "emoji between words": ("go👉now", "go now"),
    "emoticons": ("Fine :-) and ;) <3", "Fine and"),
    "repeated marks": ("Wow!!! What??? So?!?! Wait..... a,, b", "Wow! What? So?! Wait... a, b"),
    "dashes and quotes stay": ("“A” — ‘b’ – «c» …", "“A” — ‘b’ – «c» …"),
    "double dash": ("yes -- no --- maybe", "yes — no — maybe"),
    "invisible": ("ze\u200bro\x00 \u202ea\u202c so\u00adft \ufeffb\u2060", "zero a soft b"),
    "composed": ("e\u0301 a\u0308 \u1112\u1161\u11ab か\u3099", "é ä 한 が"),
    "stacked marks": ("a\u0301\u0300\u0302\u0303\u0304b", "á\u0300\u0302b"),
    "wide letters": ("Ｈｅｌｌｏ　１２３", "Hello one hundred and twenty-three"),
    "other digits": ("٣ and ५", "three and five"),
    "legal signs": ("© Foo™ Bar®", "Foo Bar"),
    "symbols": ("→ a ☃ b ■", "a b"),
    "newlines": ("a\r\nb\rc\u2028d\n\n\n\ne", "a\nb\nc\nd\n\ne"),
    "surrogate and private": ("a\ud800b \ue000c", "ab c"),
}


@pytest.mark.parametrize("name", CASES)
def test_markup(name: str):
    written, spoken = CASES[name]
    assert engine.spoken_form(written, "english").text == spoken


def test_the_stop_of_a_heading_is_that_of_its_script():
    assert engine.spoken_form("# 标题\n正文。", "chinese").text == "标题。\n正文。"


def test_an_address_keeps_its_underscores_where_it_is_left_alone():
    assert engine.spoken_form("see https://a.com/a_b_c now").text == "see https://a.com/a_b_c now"
