"""The tokenizer on Qwen's whole vocabulary: the ids that the vocabulary's own split gives."""

from __future__ import annotations

import json
import unicodedata
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine
from tests import real_vocabulary
from tests.checkpoints.vocabulary import SPECIAL_TOKENS
from tests.checkpoints.vocabulary import _byte_letters as byte_letters
from tests.engine.text import bank
from tests.engine.text.test_spoken import examples

GOLDENS = json.loads((Path(__file__).parents[2] / "data" / "tokenizer-goldens.json").read_text(encoding="utf-8"))
SPECIAL = {text: real_vocabulary.special_id(text) for text, _ in SPECIAL_TOKENS}
FRAMES = ("<|im_start|>", "<|im_end|>")

# One line of each language; the ids are what tiktoken, another implementation, gives with the same rank file.
SENTENCES = {
    "english": (
        "The quick brown fox isn't here; it's gone.",
        [785, 3974, 13876, 38835, 4436, 944, 1588, 26, 432, 594, 8048, 13],
    ),
    "german": (
        "Die Straße führt über Österreich — schön!",
        [18175, 26647, 23455, 50232, 3342, 13785, 140108, 1959, 74764, 0],
    ),
    "spanish": (
        "¿Cómo estás? ¡Qué alegría verte, señor!",
        [30182, 95897, 1788, 7061, 30, 48813, 65706, 21463, 901, 7431, 66761, 11, 140315, 0],
    ),
    "french": (
        "L'été dernier, nous étions à la plage.",
        [43, 6, 38783, 61791, 11, 16890, 13916, 908, 3784, 1187, 85351, 13],
    ),
    "italian": (
        "Perché non vieni con noi? È già tardi.",
        [3889, 74017, 2477, 3275, 33129, 390, 57110, 30, 131390, 71452, 259, 36389, 13],
    ),
    "portuguese": (
        "A solução não está na informação.",
        [32, 143396, 12393, 15466, 4317, 138188, 13],
    ),
    "russian": (
        "Съешь же ещё этих мягких булок.",
        [19311, 33594, 131260, 128346, 134413, 133142, 141225, 16748, 10474, 14062, 129335, 14746, 13],
    ),
    "chinese": (
        "今天天气很好，我们去公园吧。",
        [100644, 104307, 101243, 3837, 97639, 85336, 102077, 100003, 1773],
    ),
    "japanese": (
        "今日はとても良い天気ですね。",
        [133165, 129235, 128540, 35727, 94121, 128797, 1773],
    ),
    "korean": (
        "오늘은 날씨가 정말 좋네요.",
        [57268, 127478, 33704, 37195, 254, 135562, 19969, 134247, 125953, 138078, 13],
    ),
}


def plain(case: dict[str, Any]) -> bool:
    """Whether the listed ids are those of plain text: none of them special."""
    return not any(token >= real_vocabulary.FIRST_SPECIAL_ID for token in case["ids"])


@pytest.mark.parametrize("case", [case for case in GOLDENS if plain(case)], ids=lambda case: case["text"][:20])
def test_ids_of_the_goldens(case: dict[str, Any]):
    assert real_vocabulary.tokenizer().encode(case["text"]) == case["ids"]


def test_ids_of_local_folders_are_not_ours():
    """The official loader changes the split for a local folder; the vocabulary's own is the right one."""
    trapped = [case for case in GOLDENS if "local_folder_ids" in case]
    assert trapped
    assert all(real_vocabulary.tokenizer().encode(case["text"]) != case["local_folder_ids"] for case in trapped)


def test_frames_of_the_goldens():
    """The chat frames that the goldens list as one text are put together from parts here."""
    tokenizer = real_vocabulary.tokenizer()
    spoken = {case["text"]: case["ids"] for case in GOLDENS if case["text"].startswith("<|im_start|>")}
    assert tokenizer.assistant_turn("Hello there.") in spoken.values()
    assert tokenizer.instruction("Speak slowly.") in spoken.values()


def test_every_golden_is_looked_at():
    framed = [case for case in GOLDENS if case["text"].startswith("<|im_start|>")]
    special = [case for case in GOLDENS if not plain(case) and case not in framed]
    assert len(GOLDENS) == 24
    assert len(framed) == 2
    for case in special:  # special strings typed by a person are characters for us
        assert not set(real_vocabulary.tokenizer().encode(case["text"])) & set(SPECIAL.values())


@pytest.mark.parametrize("language", SENTENCES)
def test_ids_of_each_language(language: str):
    text, ids = SENTENCES[language]
    assert real_vocabulary.tokenizer().spoken(text) == ids


@pytest.mark.parametrize("text", [*SPECIAL, *(f"a {text}b{text}" for text in FRAMES)])
def test_special_strings_in_text_are_characters(text: str):
    tokenizer = real_vocabulary.tokenizer()
    assert not set(tokenizer.spoken(text)) & set(SPECIAL.values())
    assert not set(tokenizer.instruction(text)[3:-2]) & set(SPECIAL.values())


@settings(deadline=None)
@given(st.lists(st.sampled_from([*SPECIAL, *bank.TEXTS, " ", "<", "|", ">"]), min_size=1, max_size=8).map("".join))
def test_no_text_holds_a_special_id(text: str):
    assert all(token < real_vocabulary.FIRST_SPECIAL_ID for token in real_vocabulary.tokenizer().encode(text))


def test_decomposed_text_has_the_ids_of_composed():
    tokenizer = real_vocabulary.tokenizer()
    for text, ids in SENTENCES.values():
        assert tokenizer.encode(unicodedata.normalize("NFD", text)) == ids


@pytest.mark.parametrize("text", ["", " \n"])
def test_empty_text_is_refused(text: str):
    with pytest.raises(engine.RequestError, match="no text to speak"):
        real_vocabulary.tokenizer().spoken(text)


@pytest.mark.parametrize("language", SENTENCES)
def test_ids_of_spoken_forms_spell_them(language: str):
    ranks = _ranks()
    for written, spoken in examples(language):
        ids = real_vocabulary.tokenizer().spoken(engine.spoken_form(written, language).text)
        assert b"".join(ranks[token] for token in ids).decode("utf-8") == spoken


@cache
def _ranks() -> dict[int, bytes]:
    """The bytes of each id."""
    table = {letter: byte for byte, letter in enumerate(byte_letters())}
    vocab = json.loads((real_vocabulary.folder() / "vocab.json").read_text(encoding="utf-8"))
    return {token: bytes(table[letter] for letter in text) for text, token in vocab.items()}
