"""Text vocabularies: a small cut of Qwen's, or the whole from a rank file (`qwen.tiktoken`)."""

from __future__ import annotations

import base64
import json
from itertools import pairwise
from pathlib import Path

DATA = Path(__file__).resolve().parent.parent / "data" / "tiny-vocab"

_MARKS = ["endoftext", "im_start", "im_end", "object_ref_start", "object_ref_end", "box_start", "box_end",
          "quad_start", "quad_end", "vision_start", "vision_end", "vision_pad", "image_pad", "video_pad"]  # fmt: skip
_PLAIN = ["<tool_call>", "</tool_call>", "<|fim_prefix|>", "<|fim_middle|>", "<|fim_suffix|>", "<|fim_pad|>",
          "<|repo_name|>", "<|file_sep|>", "<tool_response>", "</tool_response>", "<think>", "</think>"]  # fmt: skip
_SPEECH = ["<|audio_start|>", "<|audio_end|>", "<tts_pad>", "<tts_text_bos>", "<tts_text_eod>",
           "<tts_text_bos_single>", "<|audio_pad|>"]  # fmt: skip
SPECIAL_TOKENS = (
    [(f"<|{mark}|>", True) for mark in _MARKS] + [(text, False) for text in _PLAIN] + [(t, True) for t in _SPEECH]
)


def tiny() -> tuple[dict[str, int], list[str]]:
    """The 871-token cut in `tests/data/tiny-vocab`, for tests that need no download."""
    vocab = json.loads((DATA / "vocab.json").read_text(encoding="utf-8"))
    merges = (DATA / "merges.txt").read_text(encoding="utf-8").split("\n")[1:-1]
    return vocab, merges


def real(rank_file: Path) -> tuple[dict[str, int], list[str]]:
    """`vocab.json` and `merges.txt` of a rank file: a token's rank is its id, its merge the last BPE step."""
    ranks = {}
    for line in rank_file.read_bytes().splitlines():
        token, _, rank = line.partition(b" ")
        if rank:
            ranks[base64.b64decode(token)] = int(rank)
    letters = _byte_letters()
    ordered = sorted(ranks, key=ranks.__getitem__)
    vocab = {"".join(letters[b] for b in token): ranks[token] for token in ordered}
    merges = [
        " ".join("".join(letters[b] for b in part) for part in _last_merge(token, ranks))
        for token in ordered
        if len(token) > 1
    ]
    return vocab, merges


def write(folder: Path, vocab: dict[str, int], merges: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "vocab.json").write_text(json.dumps(vocab, ensure_ascii=False), encoding="utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(merges) + "\n", encoding="utf-8")
    added = {
        str(len(vocab) + i): {"content": text, "lstrip": False, "normalized": False, "rstrip": False,
                              "single_word": False, "special": special}
        for i, (text, special) in enumerate(SPECIAL_TOKENS)
    }  # fmt: skip
    config = {"added_tokens_decoder": added, "tokenizer_class": "Qwen2Tokenizer", "add_prefix_space": False}
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=2), encoding="utf-8")


def _byte_letters() -> list[str]:
    """The printable letter that stands for each byte in a byte-level vocabulary."""
    printable = {*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)}
    spare = iter(range(0x100, 0x200))
    return [chr(value) if value in printable else chr(next(spare)) for value in range(256)]


def _last_merge(token: bytes, ranks: dict[bytes, int]) -> list[bytes]:
    """The two parts that are left when `token`'s bytes are merged with lower ranks only."""
    parts = [bytes([value]) for value in token]
    while len(parts) > 2:
        pairs = [ranks.get(a + b, len(ranks)) for a, b in pairwise(parts)]
        best = min(range(len(pairs)), key=pairs.__getitem__)
        if pairs[best] >= ranks[token]:
            raise ValueError(f"{token!r} cannot be reached by merges")
        parts[best : best + 2] = [parts[best] + parts[best + 1]]
    return parts
