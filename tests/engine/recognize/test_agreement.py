"""Letters heard against letters written."""

from __future__ import annotations

import pytest

from engine.recognize.agreement import agreement


@pytest.mark.parametrize(
    ("wanted", "heard", "language", "share"),
    [
        ("Hello, there!", "hello there", "english", 1.0),
        ("I have 3 dogs.", "I have three dogs", "english", 1.0),
        ("Straße, ÉTÉ", "strasse e\u0301te\u0301", "german", 1.0),
        ("今天天气很好。", "今天天气好", "chinese", 5 / 6),
        ("abcd", "abxd", "auto", 0.75),
        ("abcd", "abcdabcd", "auto", 0.5),  # said twice
        ("abcd", "", "auto", 0.0),
        ("abcd", "…!", "auto", 0.0),
        ("kitten", "sitting", "english", 4 / 7),
    ],
)
def test_share_of_the_letters(wanted: str, heard: str, language: str, share: float) -> None:
    assert agreement(wanted, heard, language) == pytest.approx(share)


def test_last_words_that_were_swallowed_cost_their_share() -> None:
    text = " ".join(["every word of this long text counts the same"] * 30)
    assert agreement(text, text[: len(text) * 9 // 10]) == pytest.approx(0.9, abs=0.01)
