"""What is said for what people write, in each of the ten languages."""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from engine.model.config import LANGUAGES
from engine.text.normalize.languages import NAMES
from tests.engine.text import bank

FOLDER = Path(__file__).parent / "spoken"
SCRIPTS = {"chinese": "我有3个。", "japanese": "これは3です。", "korean": "사과 3개요.", "russian": "Их 3 кота."}
LANGUAGE = st.sampled_from(["auto", *NAMES])
PIECES = st.sampled_from(
    [*bank.TEXTS, " ", "\n", "1", "2,5", "12:30", "$", "€", "%", "-", ".", "*", "_", "<", "[", "km", "é"]
)


def examples(language: str) -> list[tuple[str, str]]:
    lines = (FOLDER / f"{language}.txt").read_text(encoding="utf-8").splitlines()
    return [(written, spoken) for written, _, spoken in (line.partition(" => ") for line in lines)]


EXAMPLES = [(language, *pair) for language in NAMES for pair in examples(language)]


def rebuilt(text: str, spoken: engine.Spoken) -> str:
    """The spoken text, made from the text as written and the list of changes."""
    out, done = "", 0
    for change in spoken.changes:
        assert change.start >= done
        assert text[change.start : change.end] == change.original != change.replacement
        out += text[done : change.start] + change.replacement
        done = change.end
    return out + text[done:]


def test_every_language_of_the_models_has_rules():
    assert set(NAMES) == set(LANGUAGES)
    assert all(len(examples(language)) >= 10 for language in NAMES)


@pytest.mark.parametrize(("language", "written", "spoken"), EXAMPLES)
def test_examples(language: str, written: str, spoken: str):
    found = engine.spoken_form(written, language)
    assert found.text == spoken
    assert found.language == language
    assert rebuilt(written, found) == spoken


@pytest.mark.parametrize(("language", "spoken"), sorted({(language, spoken) for language, _, spoken in EXAMPLES}))
def test_words_stay_as_they_are(language: str, spoken: str):
    assert engine.spoken_form(spoken, language).text == spoken


@pytest.mark.parametrize("language", NAMES)
def test_the_sentence_of_the_report_has_no_digit_left(language: str):
    text = engine.spoken_form("I paid $1,234.50 on 3/4/2025 at 10:05.", language).text
    assert not any(sign.isdigit() for sign in text)
    assert "$" not in text


@pytest.mark.parametrize(("language", "text"), SCRIPTS.items())
def test_auto_tells_a_language_from_its_script(language: str, text: str):
    assert engine.spoken_form(text) == engine.spoken_form(text, language)
    assert engine.spoken_form(text).language == language


@pytest.mark.parametrize("text", ["I have 3 cats & 5 %.", "3 4 5", "مرحبا 3 & 5"])
def test_auto_leaves_numbers_and_signs_where_the_script_tells_nothing(text: str):
    assert engine.spoken_form(text).text == text
    assert engine.spoken_form(text).language == ""
    assert engine.spoken_form(text, "klingon").text == text


def test_the_name_of_a_language_in_any_case():
    assert engine.spoken_form("5 km", "English").text == "five kilometers"


@pytest.mark.parametrize("language", ["auto", "english", "chinese"])
@pytest.mark.parametrize("text", bank.EMPTY)
def test_what_leaves_nothing_to_say_is_refused_in_one_line(text: str, language: str):
    with pytest.raises(engine.RequestError) as refused:
        engine.spoken_form(text, language)
    assert str(refused.value)
    assert "\n" not in str(refused.value)


def test_changes_name_what_is_spoken_otherwise():
    found = engine.spoken_form("I paid $5 & left 👋 at 3:30", "english")
    assert [(c.original, c.replacement) for c in found.changes] == [
        ("$5", "five dollars"),
        ("&", "and"),
        (" 👋", ""),
        ("3:30", "three thirty"),
    ]


@pytest.mark.parametrize("language", ["auto", *NAMES])
@pytest.mark.parametrize("text", bank.TEXTS)
def test_the_text_bank(text: str, language: str):
    found = engine.spoken_form(text, language)
    assert rebuilt(text, found) == found.text
    found.text.encode("utf-8")
    assert "  " not in found.text
    assert found.text == found.text.strip()
    assert not set(found.text) & set("\x00\u200b\u202e\ud800\ue000👍*`")
    if found.language:
        assert not any(sign.isdigit() for sign in found.text)


@settings(deadline=None)
@given(st.lists(PIECES, max_size=12).map("".join), LANGUAGE)
def test_pieces_put_together_anyhow(text: str, language: str):
    check_anything(text, language)


@settings(deadline=None)
@given(st.text(max_size=200), LANGUAGE)
def test_any_text_at_all(text: str, language: str):
    check_anything(text, language)


def check_anything(text: str, language: str) -> None:
    try:
        found = engine.spoken_form(text, language)
    except engine.RequestError:
        return
    assert rebuilt(text, found) == found.text
    assert any(sign.isalnum() for sign in found.text)
    found.text.encode("utf-8")
    if found.language:
        assert not any(sign.isdecimal() for sign in found.text)


@pytest.mark.parametrize("language", ["english", "russian", "chinese", "auto"])
def test_a_hundred_thousand_characters_in_well_under_a_second(language: str):
    engine.spoken_form("5 km at 10:05 for $3", language)  # the libraries are loaded, the patterns compiled
    text = "Over the lazy dog, again and again, jumps the quick brown fox. On day 5 it slept. " * 1250
    best = min(cpu_seconds(f"{text}{trial}", language) for trial in "abcde")
    assert best < 1.0


@pytest.mark.parametrize("name", bank.LONG)
def test_time_grows_with_length_and_not_with_its_square(name: str):
    """Ten times the text takes about ten times as long; a square would be a hundred."""
    text = bank.LONG[name]
    short = text[-10_000:] if text[-1] == "a" else text[:10_000]
    engine.spoken_form(f"{short} b", "english")
    tenth = min(cpu_seconds(f"{short} {trial}", "english") for trial in "cde")
    assert min(cpu_seconds(f"{text} {trial}", "english") for trial in "cd") < 35 * tenth + 0.05


def cpu_seconds(text: str, language: str) -> float:
    began = time.process_time()
    engine.spoken_form(text, language)
    return time.process_time() - began


def test_the_engine_is_imported_without_the_libraries_of_numbers():
    code = "import engine, sys; engine.spoken_form; print({'babel', 'num2words', 'torch'} & set(sys.modules))"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout.strip() == "set()"
