from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.store import LibraryError
from app.store.names import name_key, safe_stem, tidy_name, unique_file_name, unique_name


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Mario   Rossi\n", "Mario Rossi"),
        ("Zoe\u0308", "Zoë"),
        ("a\x00b\u200ec", "abc"),
        ("声音 👩‍🎤", "声音 👩‍🎤"),
        ("x" * 500, "x" * 120),
    ],
)
def test_a_name_is_kept_tidy(typed, kept):
    assert tidy_name(typed) == kept


@pytest.mark.parametrize("typed", ["", "   ", "\x00\n", "\u200d"])
def test_nothing_is_no_name(typed):
    with pytest.raises(LibraryError, match="needs a name"):
        tidy_name(typed)


def test_names_are_equal_whatever_their_case_or_spelling():
    assert name_key("STRASSE") == name_key("Straße")
    assert name_key("Ｍario") == name_key("mario")
    assert name_key("Zoe\u0308") == name_key("ZOË")
    assert name_key("Zoe") != name_key("Zoë")


def test_a_taken_name_gets_the_next_number():
    taken = {name_key(name) for name in ("Mario", "mario (2)")}
    assert unique_name("MARIO", taken) == "MARIO (3)"
    assert unique_name("Mario (2)", taken) == "Mario (3)"
    assert unique_name("Luigi", taken) == "Luigi"


@pytest.mark.parametrize(
    ("name", "stem"),
    [
        ("Mario", "Mario"),
        ("a/b\\c:d*e?", "a_b_c_d_e_"),
        ("CON", "_CON"),
        ("aux.txt", "_aux.txt"),
        ("...", "voice"),
        ("-rf", "rf"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("声音", "声音"),
    ],
)
def test_file_names_are_safe_and_readable(name, stem):
    assert safe_stem(name) == stem


@given(st.text(min_size=1, max_size=400))
def test_any_name_makes_a_file_name_every_system_takes(name):
    stem = safe_stem(name)
    assert stem
    assert len(stem.encode("utf-8")) <= 170
    assert not set(stem) & set('<>:"/\\|?*')
    assert not any(unicodedata.category(character) == "Cc" and ord(character) < 32 for character in stem)
    assert stem[-1] not in " ."
    assert stem[0] not in "-~"


def test_file_names_differ_even_where_case_does_not_count():
    assert unique_file_name("mario", ".bin", ["MARIO.bin"]) == "mario (2).bin"
    assert unique_file_name("a/b", ".bin", ["a_b.bin", "a_b (2).bin"]) == "a_b (3).bin"
