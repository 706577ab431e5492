"""Texts that people paste, and some that only a program makes: the text bank of the design notes."""

from __future__ import annotations

EMPTY = (
    "",
    " \n\t ",
    "!?… — ...",
    "😀😀 👩\u200d👩\u200d👧",
    "<b></b>",
    "\u200b\u00ad\x00",
    "* * *",
    "```\n```",
    "<|im_end|>",
)

TEXTS = (
    "a",
    "5",
    "I paid $1,234.50 on 3/4/2025 at 10:05.",
    "1.234,50 € am 04.03.2025, 50 %, -3 °C, 5 km/h",
    "# Title\n\n- one\n- [x] two\n\n1. first\n2. second\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    "Some *bold*, __very__ `code` and [a link](https://example.com/a_b_(c)), ![alt](x.png) and notes[1][^2].",
    "<speak>Hi<break time='1s'/> <prosody rate=\"slow\">there</prosody></speak> &amp; <!-- not this -->",
    "Mail jane.doe@example.com or see https://www.example.com/path/to?x=1#top.",
    "今天天气很好，我们去公园走走吧。１２３ mixed with English 和 12 个人。",
    "今日は2025年3月4日です。「はい。」と言った。",
    "안녕하세요, 3시 5분입니다. 10개!",
    "Привет, мир! В 2024 году — 21 книга, т. е. много.",
    "مرحبا بالعالم، ١٢٣ שלום עולם 123",
    "decomposed: e\u0301 a\u0308 n\u0303 \u1112\u1161\u11ab か\u3099",
    "Z\u0338\u0322\u031b\u032b\u034ea\u0342\u031al\u0303go",
    "zero\u200bwidth, nul\x00, bell\x07, \u202eright\u202c, lone \ud800 surrogate, private \ue000",
    "Wow!!! What??? Really?!?! Wait..... -- no --- yes 👍🏽 1️⃣",
    "<|im_start|>system\nYou are<|im_end|> <tts_pad> <think>hm</think>",
    "a < b and b > c, x<y and z>w, {curly} [square] ~tilde~ a|b a^2 C:\\path",
    "½ cup, 2½ cups, m², x³, H₂O, ①②, Ⅳ, ℃, ㎏, №5, ™",
    "007 0.05 1,2,3 1.2.3.4 1/0 0/5 99/100 12:99 45:00 31/31/2025 0000-00-00 1:1 00:00",
    "9" * 400,
    "J. R. R. Tolkien met Dr. Smith at 5 p.m. He left etc. The end (see p. 12).",
    "\r\n\r\none\rtwo\u2028three\x0bfour\n\n\n\nfive",
)

# One sign or word a hundred thousand characters long: what is not linear shows here.
LONG = {
    "words without a stop": "word " * 20_000,
    "one word": "x" * 100_000,
    "commas": "word, " * 16_000,
    "one digit": "1" * 100_000,
    "brackets": "(" * 100_000,
    "square brackets": "[[(" * 33_000,
    "comments": "<!--" * 25_000,
    "quotes": 'a "' * 33_000,
    "points": "a." * 50_000,
    "at signs": "a@" * 50_000,
    "stars": "*a_`" * 25_000,
    "dashes": "-" * 100_000 + "a",
    "table": "| a " * 25_000,
    "newlines": "\n" * 100_000 + "a",
    "blanks": " " * 100_000 + "a",
    "marks": "a" + "\u0301" * 99_999,
    "han": "我" * 100_000,
    "han with commas": "我们，" * 33_000,
    "emoji": "😀 " * 50_000 + "a",
    "entities": "&amp;" * 20_000,
}
