"""The text vocabulary: byte-level BPE learnt from the training texts, in the two files a Qwen tokenizer has."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from tokenizers import Regex, Tokenizer, models, pre_tokenizers, trainers

from built_in_model import dimensions
from built_in_model.paths import WORK
from built_in_model.speech import shards
from engine.text import tokenizer as engine_tokenizer
from engine.text.tokenizer import TextTokenizer

FOLDER = WORK / "tokenizer"
SIZE = 900  # of the vocabulary, without the roles and the special ids
_ROLES = ("assistant", "user")


def learn(texts: Iterable[str]) -> tuple[dict[str, int], list[tuple[str, str]]]:
    """Vocabulary and merges; the two roles of a chat frame are single entries, as they are in Qwen's."""
    bpe = Tokenizer(models.BPE())
    split = pre_tokenizers.Split(Regex(engine_tokenizer._SPLIT), "isolated")
    bytes_only = pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False)
    bpe.pre_tokenizer = pre_tokenizers.Sequence([split, bytes_only])
    alphabet = sorted(pre_tokenizers.ByteLevel.alphabet())
    bpe.train_from_iterator(texts, trainers.BpeTrainer(vocab_size=SIZE, initial_alphabet=alphabet, show_progress=False))
    learnt = json.loads(bpe.to_str())["model"]
    vocab, merges = dict(learnt["vocab"]), [tuple(m) for m in learnt["merges"]]
    for role in _ROLES:
        parts = bpe.encode(role).tokens
        while len(parts) > 1:
            merges.append((parts[0], parts[1]))
            parts = [parts[0] + parts[1], *parts[2:]]
            vocab.setdefault(parts[0], len(vocab))
    return vocab, merges


def write(folder: Path, vocab: dict[str, int], merges: list[tuple[str, str]]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.json").write_text(json.dumps(vocab, ensure_ascii=False), encoding="utf-8")
    lines = ["#version: 0.2", *(" ".join(pair) for pair in merges)]
    (folder / "merges.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def tokenizer() -> TextTokenizer:
    """The engine's tokenizer of this vocabulary, learnt when it is first asked for."""
    if not (FOLDER / "merges.txt").exists():
        texts = [line["text"] for shard in shards() for line in shard.lines]
        write(FOLDER, *learnt_within_bounds(texts))
    return TextTokenizer(FOLDER, dimensions.model())


def learnt_within_bounds(texts: Iterable[str]) -> tuple[dict[str, int], list[tuple[str, str]]]:
    vocab, merges = learn(texts)
    if len(vocab) > dimensions.IM_START:
        raise ValueError(f"{len(vocab)} entries, but the special ids begin at {dimensions.IM_START}")
    return vocab, merges
