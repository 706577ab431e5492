"""The cache of a pair's WDELTA section: the second save is a copy, and a broken or stale copy is never used."""

from __future__ import annotations

import os
import shutil
import time
from pathlib import Path

import pytest

from app.paths import paths
from engine.errors import Cancelled, WriteError
from engine.places import pair_cache
from engine.progress import Cancel
from engine.voice import delta_cache
from engine.voice.delta_cache import cached_delta_path, prune_deltas
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


def _aged(path: Path, days: float, size: int = 10) -> Path:
    path.write_bytes(bytes(size))
    moment = time.time() - days * 86400
    os.utime(path, (moment, moment))
    return path


def test_what_nobody_uses_goes_and_then_the_oldest(tmp_path: Path) -> None:
    ages = {name: _aged(tmp_path / f"{name}.section", days) for days, name in enumerate("abcd")}
    old = _aged(tmp_path / "old.section", 100)
    part, fresh = _aged(tmp_path / ".x.section.y.part", 2), _aged(tmp_path / ".z.section.y.part", 0)
    other = _aged(tmp_path / "other.txt", 1000)
    prune_deltas(tmp_path, kept_bytes=30, kept_days=90)
    assert set(tmp_path.iterdir()) == {ages["a"], ages["b"], ages["c"], fresh, other}
    assert not old.exists()
    assert not part.exists()
    prune_deltas(tmp_path, kept_bytes=5)
    assert set(tmp_path.iterdir()) == {ages["a"], fresh, other}  # the last one stays, however large
    prune_deltas(tmp_path / "nowhere")


def test_using_one_makes_it_young_and_keeping_one_prunes(pair: ModelPair, tmp_path: Path) -> None:
    _save(pair, tmp_path / "one.qvoice")
    os.utime(_kept(pair), (1, 1))
    _save(pair, tmp_path / "two.qvoice")
    assert time.time() - _kept(pair).stat().st_mtime < 1000
    forgotten = _aged(tmp_path / "cache" / "forgotten.section", 1000)
    _kept(pair).unlink()
    _save(pair, tmp_path / "three.qvoice")
    assert not forgotten.exists()


def test_the_command_line_keeps_it_where_the_window_does(
    checkpoints: Checkpoints, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from engine.cli.main import main

    save_voice(a_voice(), tmp_path / "light.qvoice")
    base, custom = str(checkpoints.folder("tiny-base")), str(checkpoints.folder("tiny-custom"))
    for name in ("one.qvoice", "two.qvoice"):
        arguments = ["convert", str(tmp_path / "light.qvoice"), "-o", str(tmp_path / name), "--tier", "wdelta"]
        assert main([*arguments, "--base", base, "--cv", custom]) == 0
        monkeypatch.setattr(delta_cache, "write_delta", _refuse)  # from now on
    kept = list(pair_cache().iterdir())
    assert [path.name for path in kept] == [_kept(ModelPair(Path(base), Path(custom), pair_cache())).name]
    assert pair_cache().parent == paths().cache
