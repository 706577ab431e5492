"""What several commands share: the model to use, progress on a terminal, results as JSON."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import engine
import resources
from engine.errors import ModelError
from engine.model.precisions import CHOICES
from engine.progress import Progress
from engine.voice.spoken import Sentence

TEST_BASE = resources.path("test_model", "base")
TEST_CUSTOM_VOICE = resources.path("test_model", "custom_voice")


def add_model(parser: argparse.ArgumentParser, default: Path) -> None:
    parser.add_argument(
        "--model", metavar="DIR", type=Path, default=default, help="a model folder (default: the test model, noise)"
    )


def add_placement(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--device", choices=("auto", "cpu", "cuda", "mps"), default="auto")
    parser.add_argument("--precision", choices=CHOICES, default="auto")


def add_pair(parser: argparse.ArgumentParser, what_for: str) -> None:
    parser.add_argument("--base", metavar="DIR", type=Path, help=f"the Base model; {what_for}")
    parser.add_argument("--custom-voice", "--cv", metavar="DIR", type=Path, help="the CustomVoice model of its size")


def pair_of(arguments: argparse.Namespace) -> engine.ModelPair | None:
    """The models of `add_pair`, None without any. Raises `ModelError` for a CustomVoice model alone."""
    if arguments.base is None:
        if arguments.custom_voice is not None:
            raise ModelError(
                f"{arguments.custom_voice}: the Base model of its size is needed too. Give it with --base."
            )
        return None
    return cached_pair(arguments.base, arguments.custom_voice)


def cached_pair(base: Path, custom_voice: Path | None) -> engine.ModelPair:
    """The pair, with the person's cache for what is computed once of it."""
    return engine.ModelPair(base, custom_voice, engine.pair_cache())


def add_sentence(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--text", default=Sentence.text, help=f"what is spoken (default: {Sentence.text!r})")
    parser.add_argument("--language", help="of the text (default: the voice's)")
    parser.add_argument("--seed", type=int, default=Sentence.seed)
    parser.add_argument("--max-new-tokens", metavar="N", type=int, help="stop after N - 1 frames of 80 ms")


def sentence_of(arguments: argparse.Namespace) -> Sentence:
    """The sentence of `add_sentence`."""
    return Sentence(arguments.text, arguments.language, arguments.seed, arguments.max_new_tokens)


def add_json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print JSON")


def show_progress(progress: Progress) -> None:
    """One line on a terminal, rewritten in place; nothing where the output is not one."""
    if not sys.stderr.isatty():
        return
    total = "" if progress.total is None else f" of {progress.total:.0f}"
    end = "\n" if progress.fraction == 1.0 else ""
    print(f"\r\033[K{progress.stage}: {progress.done:.0f}{total} {progress.unit}", end=end, file=sys.stderr, flush=True)


def tell(arguments: argparse.Namespace, facts: dict[str, Any], text: str) -> None:
    """Print `facts` as JSON where it was asked for, else `text`."""
    print(json.dumps(facts, indent=2, ensure_ascii=False) if arguments.json else text)
