"""Models in Hugging Face's cache are used, and verified, where they lie: a folder of links to blobs."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

import engine
from engine.hub.cached import in_hub_cache, model_folder_in
from engine.hub.catalogue import RELEASED, recommended
from engine.hub.verify import knows_bytes, verify_model

BASE, CUSTOM = RELEASED[:2]


def cached(cache: Path, model: Path, revision: str = "0123") -> Path:
    """`model` as that cache keeps it: blobs called by SHA-256 (weights) or git's name, and a snapshot of links."""
    repo = cache / f"models--{BASE.repo.replace('/', '--')}"
    (repo / "blobs").mkdir(parents=True, exist_ok=True)
    for path in model.rglob("*"):
        if not path.is_file():
            continue
        data = path.read_bytes()
        git = hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()
        name = hashlib.sha256(data).hexdigest() if path.suffix == ".safetensors" else git
        (repo / "blobs" / name).write_bytes(data)
        link = repo / "snapshots" / revision / path.relative_to(model)
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(os.path.relpath(repo / "blobs" / name, link.parent))
    return repo / "snapshots" / revision


@pytest.fixture
def snapshot(checkpoints, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    cache = tmp_path / "l'été dernier" / "hub"
    monkeypatch.setenv("HF_HUB_CACHE", str(cache))
    return cached(cache, checkpoints.folder("tiny-base"))


def test_it_is_found_and_used_where_it_lies(snapshot: Path) -> None:
    assert in_hub_cache(BASE) == snapshot
    assert in_hub_cache(CUSTOM) is None
    repo = snapshot.parent.parent
    assert model_folder_in(repo) == model_folder_in(snapshot) == snapshot
    before = sorted(path for path in repo.rglob("*"))
    assert engine.load_model(model_folder_in(repo)).summary.can_clone
    assert sorted(path for path in repo.rglob("*")) == before


def test_a_snapshot_that_lacks_files_is_passed_over(snapshot: Path) -> None:
    half = snapshot.parent / "4567"
    half.mkdir()
    (half / "config.json").write_bytes((snapshot / "config.json").read_bytes())
    assert in_hub_cache(BASE) == snapshot


def test_every_byte_of_it_can_be_verified(snapshot: Path) -> None:
    assert knows_bytes(snapshot)
    assert verify_model(snapshot) == ()
    blob = (snapshot / "model.safetensors").resolve()
    data = bytearray(blob.read_bytes())
    data[-5] ^= 1
    blob.write_bytes(data)
    (fault,) = verify_model(snapshot)
    assert "model.safetensors has other bytes than Qwen/Qwen3-TTS-12Hz-0.6B-Base" in fault
    (snapshot / "merges.txt").resolve().unlink()
    assert any("merges.txt is missing" in fault for fault in verify_model(snapshot))


def test_of_a_folder_from_elsewhere_only_headers_are_known(checkpoints) -> None:
    folder = checkpoints.folder("tiny-base")
    assert not knows_bytes(folder)
    assert verify_model(folder) == ()


def test_models_that_are_here_need_no_room() -> None:
    pair = recommended(8 << 30, 20 << 30)
    assert [model.name for model in pair] == ["0.6b-base", "0.6b-custom-voice"]
    assert recommended(8 << 30, 3 << 30) == ()
    assert recommended(8 << 30, 3 << 30, here=pair[:1]) == pair
    assert recommended(64 << 30, 0, here=RELEASED)[0].size_label == "1.7B"
    assert recommended(64 << 30, 90 << 30, lambda _: 50.0) == pair
    assert recommended(2 << 30, 90 << 30) == ()
