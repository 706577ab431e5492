"""The cache of a pair's WDELTA section: the second save is a copy, and a broken or stale copy is never used."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from engine.errors import Cancelled, WriteError
from engine.progress import Cancel
from engine.voice import delta_cache
from engine.voice.delta_cache import cached_delta_path
from engine.voice.files import save_voice, voice_file_size
from engine.voice.pair import ModelPair
from tests.conftest import Checkpoints
from tests.engine.voice.test_files import a_voice


@pytest.fixture
def pair(checkpoints: Checkpoints, tmp_path: Path) -> ModelPair:
    return ModelPair(checkpoints.folder("tiny-base"), checkpoints.folder("tiny-custom"), tmp_path / "cache")


@pytest.fixture
def plain(pair: ModelPair, tmp_path: Path) -> bytes:
    """The file as it is without a cache."""
    path = tmp_path / "plain.qvoice"
    save_voice(a_voice(), path, "wdelta", ModelPair(pair.base, pair.custom_voice))
    return path.read_bytes()


def _save(pair: ModelPair, path: Path) -> bytes:
    save_voice(a_voice(), path, "wdelta", pair)
    return path.read_bytes()


def _kept(pair: ModelPair) -> Path:
    place = cached_delta_path(pair)
    assert place is not None
    return place


def _refuse(*_: object) -> None:
    raise AssertionError("computed instead of copied")


def test_the_second_save_is_a_copy(
    pair: ModelPair, plain: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert _save(pair, tmp_path / "one.qvoice") == plain
    assert list((tmp_path / "cache").iterdir()) == [_kept(pair)]
    assert voice_file_size(a_voice(), "wdelta", pair) == len(plain)  # exact now
    monkeypatch.setattr(delta_cache, "write_delta", _refuse)
    assert _save(pair, tmp_path / "two.qvoice") == plain
    again = ModelPair(pair.base, pair.custom_voice, pair.cache)
    assert _save(again, tmp_path / "three.qvoice") == plain
    with pytest.raises(AssertionError, match="computed"):
        _save(ModelPair(pair.base, pair.custom_voice), tmp_path / "four.qvoice")


@pytest.mark.parametrize("damage", ["cut", "flip", "empty", "longer"])
def test_a_broken_one_is_made_anew(pair: ModelPair, plain: bytes, tmp_path: Path, damage: str) -> None:
    _save(pair, tmp_path / "one.qvoice")
    whole = _kept(pair).read_bytes()
    middle = len(whole) // 2
    flipped = whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]
    broken = {"cut": whole[:-100], "flip": flipped, "empty": b"", "longer": whole + b"x"}
    _kept(pair).write_bytes(broken[damage])
    assert _save(pair, tmp_path / "two.qvoice") == plain
    assert _kept(pair).read_bytes() == whole


def test_one_with_other_weights_under_a_good_digest_is_found_by_reading_back(
    pair: ModelPair, plain: bytes, tmp_path: Path, checkpoints: Checkpoints
) -> None:
    """Base's own differences from itself: whole, of the right sizes, and wrong."""
    import hashlib

    from engine.voice.delta_writer import write_delta

    _save(pair, tmp_path / "one.qvoice")
    folder = tmp_path / "same"
    shutil.copytree(pair.base, folder)
    text = (checkpoints.folder("tiny-custom") / "config.json").read_text(encoding="utf-8")
    (folder / "config.json").write_text(text, encoding="utf-8")
    section = tmp_path / "section"
    with section.open("wb") as file:
        write_delta(file, ModelPair(pair.base, folder))
    data = section.read_bytes()
    _kept(pair).write_bytes(data + hashlib.sha256(data).digest())
    target = tmp_path / "two.qvoice"
    with pytest.raises(WriteError, match="did not come back as written"):
        _save(pair, target)
    assert not target.exists()
    assert not _kept(pair).exists()
    assert _save(pair, target) == plain


def test_another_model_has_another_name(pair: ModelPair, tmp_path: Path) -> None:
    folder = tmp_path / "custom"
    assert pair.custom_voice is not None
    shutil.copytree(pair.custom_voice, folder)
    weights = folder / "model.safetensors"
    os.utime(weights, ns=(weights.stat().st_atime_ns, weights.stat().st_mtime_ns + 10**9))
    touched = ModelPair(pair.base, folder, pair.cache)
    assert _kept(touched) != _kept(pair)
    assert cached_delta_path(ModelPair(pair.base, folder)) is None


def test_a_cache_that_cannot_be_written_is_done_without(pair: ModelPair, plain: bytes, tmp_path: Path) -> None:
    (tmp_path / "cache").write_bytes(b"a file, no folder")
    assert _save(pair, tmp_path / "one.qvoice") == plain


def test_cancelling_leaves_nothing(pair: ModelPair, tmp_path: Path) -> None:
    _save(pair, tmp_path / "one.qvoice")
    cancel = Cancel()
    cancel.cancel()
    with pytest.raises(Cancelled):
        save_voice(a_voice(), tmp_path / "two.qvoice", "wdelta", pair, cancel)
    assert not (tmp_path / "two.qvoice").exists()
    assert list((tmp_path / "cache").iterdir()) == [_kept(pair)]
