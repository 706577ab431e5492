"""Words, letters and tokens of the recipe."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from built_in_model import align, dimensions, sentences, styles, tokens
from built_in_model.features import PHONES
from built_in_model.held_out import SENTENCES, VOICES, near_held_out
from built_in_model.judges import word_errors, words

from engine.text.tokenizer import TextTokenizer


def test_phones_are_given_to_the_letters_that_write_them() -> None:
    said = {"see": "s iy", "me": "m iy", "sit": "s ih t", "at": "ae t", "mat": "m ae t", "meet": "m iy t", "is": "ih z"}
    r = random.Random(0)
    pairs = []
    for _ in range(150):
        chosen = [r.choice(list(said)) for _ in range(4)]
        phones = [PHONES.index(p) for word in chosen for p in said[word].split()]
        pairs.append((align.letters_of(" ".join(chosen)), np.array(phones)))
    emit, move = align.learn(pairs)
    text, phones = "meet me at", "m iy t m iy ae t"
    path = align.align(align.letters_of(text), np.array([PHONES.index(p) for p in phones.split()]), emit, move)
    right = sum(text[i] == letter for i, letter in zip(path, "metmeat", strict=True))
    assert right >= 5
    assert list(path) == sorted(path)


def test_roles_are_single_tokens_and_ids_stay_below_the_special_ones(tmp_path: Path) -> None:
    texts = [f"{a} {b} {c}." for a in SENTENCES for b in SENTENCES[:5] for c in SENTENCES[5:8]]
    vocab, merges = tokens.learnt_within_bounds(texts)
    tokens.write(tmp_path, vocab, merges)
    tokenizer = TextTokenizer(tmp_path, dimensions.model())
    assert len(tokenizer.encode("assistant")) == 1
    assert len(tokenizer.encode("user")) == 1
    assert max(tokenizer.encode("Ünïcode, 日本 & emoji 🙂!")) < dimensions.IM_START


def test_word_errors_count_every_kind() -> None:
    assert word_errors("The cat sat.", "the cat sat") == (0, 3)
    assert word_errors("the cat sat", "the cat sat down") == (1, 3)
    assert word_errors("the cat sat", "a cat") == (2, 3)
    assert word_errors("it is twenty five", "It's 25") == (3, 4) or word_errors("twenty five", "25") == (0, 2)
    assert words("10 minutes") == ["ten", "minutes"]


def test_texts_are_written_as_people_write_them() -> None:
    assert sentences.written("i saw it on monday.") == "I saw it on Monday."


@pytest.mark.parametrize("style", ["plain", "slow", "fast", "excited", "low", "whisper"])
def test_every_style_has_wordings(style: str) -> None:
    r = random.Random(0)
    asked = {styles.wording(style, r) for _ in range(60)}
    assert len(asked - {""}) >= 5
    assert ("" in asked) == (style == "plain")


def test_held_out_voices_are_recognised() -> None:
    assert len(SENTENCES) == len(set(SENTENCES)) == 30
    assert all(near_held_out(*voice) for voice in VOICES)
    assert not near_held_out("slt", 1.0, 260.0)
