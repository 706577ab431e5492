"""Numbers in words, and the small pure parts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from app.messages import Messages
from app.speak import words
from app.speak.choices import Choices, ChoicesFile
from app.speak.page import export_path
from app.speak.phrases import preview_sentence, style_groups
from app.speak.take_paint import bar_heights
from app.speak.tuning import Tuning
from app.work import Lane


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ((0.6, 3.1, 14.2, 5.6), "first sound 0.6 s · 3.1 of ≈ 14 s · 1.8 × slower than speech"),
        ((None, 0.5, 2.0, 0.25), "0.5 of ≈ 2.0 s · 2.0 × faster than speech"),
        ((0.2, 9.0, 2.0, 9.0), "first sound 0.2 s · 9.0 s, longer than the ≈ 2.0 s expected · as fast as speech"),
    ],
)
def test_progress(arguments: tuple[float, float, float, float], expected: str) -> None:
    assert words.progress_text(*arguments) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""),
        ("a", "1 character · ≈ 0.1 s"),
        ("x" * 212, "212 characters · ≈ 15 s"),
        ("汉" * 9, "9 characters · ≈ 2.0 s"),
        ("x" * 100_000, "100,000 characters · ≈ 119:03"),
    ],
)
def test_counter(text: str, expected: str) -> None:
    assert words.counter_text(text) == expected


def test_what_goes_to_the_model_has_no_control_characters() -> None:
    assert words.spoken_text("\ufeff a\r\nb\x00\x1bc\t🎙 \r") == "\ufeff a\nbc\t🎙"


def test_style_presets_are_plain_sentences_in_groups() -> None:
    groups = style_groups()
    styles = [style for group in groups for style in group.styles]
    assert len(groups) == 3
    assert len(styles) >= 16
    assert len({style.name for style in styles}) == len(styles)
    assert all(style.text.endswith(".") and len(style.text) < 100 for style in styles)


def test_every_style_preset_is_there_in_every_language() -> None:
    import engine

    found = {language: style_groups(language) for language in engine.LANGUAGES}
    for language, groups in found.items():
        texts = [style.text for group in groups for style in group.styles]
        assert len(set(texts)) == len(texts)
        assert all("]" not in text and "\n" not in text and text[-1] in ".。" for text in texts), language
    assert len({groups[0].styles[0].text for groups in found.values()}) == len(engine.LANGUAGES)
    assert style_groups("auto") == style_groups("english")


def test_a_preview_sentence_for_every_language() -> None:
    import engine

    sentences = {preview_sentence(language) for language in engine.LANGUAGES}
    assert len(sentences) == len(engine.LANGUAGES)
    assert preview_sentence("klingon") == preview_sentence("english")


def test_export_path_takes_the_kind_that_was_chosen(tmp_path: Path) -> None:
    assert export_path(Path("a/b.wav"), ".wav") == Path("a/b.wav")
    assert export_path(Path("a/b.wav"), ".mp3") == Path("a/b.mp3")
    assert export_path(Path("a/b.flac"), ".wav") == Path("a/b.flac")  # typed by hand
    assert export_path(Path("a/Mr. B"), ".ogg") == Path("a/Mr. B.ogg")
    (tmp_path / "b.mp3").touch()
    assert export_path(tmp_path / "b.wav", ".mp3") == tmp_path / "b (2).mp3"


def test_bars_are_the_loudest_within_each() -> None:
    assert bar_heights((0.1, 0.9, 0.2, 0.3), 2) == [0.9, 0.3]
    assert bar_heights((0.5,), 3) == [0.5, 0.5, 0.5]
    assert bar_heights((), 2) == [0.0, 0.0]


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"not json", Choices()),
        (b"[1]", Choices()),
        (b'{"text": 5, "seed": true, "style": "calm"}', Choices(style="calm")),
        (b'{"seed": -1, "splitter": [200, 300]}', Choices(splitter=(200, 300))),
        (b'{"best_of": 900, "tuning": {"speed": 77, "top_k": "x", "top_p": true}, "used_styles": [1]}', Choices()),
        (b'{"tuning": {"speed": 2, "top_k": 3}, "best_of": 2}', Choices(tuning=Tuning(2.0, top_k=3), best_of=2)),
        (json.dumps({"text": "Grüße", "seed": 9, "unknown": 1}).encode(), Choices(text="Grüße", seed=9)),
    ],
)
def test_choices_that_make_no_sense_are_defaults(
    tmp_path: Path, qapp: object, content: bytes, expected: Choices
) -> None:
    (tmp_path / "speak.json").write_bytes(content)
    lane = Lane("files")
    assert ChoicesFile(tmp_path / "speak.json", lane, Messages()).read() == expected
    lane.close()
