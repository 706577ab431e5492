"""Qwen's byte-level BPE from `vocab.json` and `merges.txt`, for text that may hold anything.

Text is tokenised on its own and the chat frame's ids are put around it, so a special string typed by a person
(`<|im_end|>`) is spoken as characters and never steers the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tokenizers import Regex, Tokenizer, models, normalizers, pre_tokenizers

from engine.errors import ModelError, RequestError
from engine.model.config import ModelConfig

# Qwen2's split: contractions; a word with at most one sign before it; single digits; signs with newlines; blanks.
_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+"
    r"|\s+(?!\S)|\s+"
)


class TextTokenizer:
    """Text to ids, and the chat frames of the three kinds of text a prompt holds."""

    def __init__(self, folder: Path, config: ModelConfig) -> None:
        vocab, merges = folder / "vocab.json", folder / "merges.txt"
        try:
            bpe = models.BPE.from_file(str(vocab), str(merges))
        except Exception as error:
            raise ModelError(
                f"{folder}: vocab.json or merges.txt cannot be read ({error}). Fetch them again."
            ) from error
        self._bpe = Tokenizer(bpe)
        self._bpe.normalizer = normalizers.NFC()
        self._bpe.pre_tokenizer = pre_tokenizers.Sequence(
            [
                pre_tokenizers.Split(Regex(_SPLIT), "isolated"),
                pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
            ]
        )
        self._open, self._close = config.im_start_token_id, config.im_end_token_id
        self._newline = self.encode("\n")

    def encode(self, text: str) -> list[int]:
        """The ids of plain text, special strings included as characters."""
        whole = text.encode("utf-8", "ignore").decode("utf-8")  # half a surrogate pair has no bytes
        return list(self._bpe.encode(whole, add_special_tokens=False).ids)

    def role(self, name: str) -> list[int]:
        """How a turn begins: `<|im_start|>`, the role, newline."""
        return [self._open, *self.encode(name), *self._newline]

    def spoken(self, text: str) -> list[int]:
        """The ids of a text to be spoken, blanks at its ends cut. Raises `RequestError` if nothing is left."""
        ids = self.encode(text.strip())
        if not ids:
            raise RequestError("There is no text to speak. Type a sentence first.")
        return ids

    def instruction(self, text: str) -> list[int]:
        """A style prompt as a whole user turn; empty for an empty prompt."""
        if not text.strip():
            return []
        return [*self.role("user"), *self.encode(text.strip()), self._close, *self._newline]

    def assistant_turn(self, text: str) -> list[int]:
        """The official frame around a text to be spoken, as `tokenizer-goldens` and reference cases list it."""
        return [*self.role("assistant"), *self.spoken(text), *self._end, *self.role("assistant")]

    @property
    def _end(self) -> Sequence[int]:
        return [self._close, *self._newline]
