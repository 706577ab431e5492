"""Fetching from a hub that is slow, drops, lies, refuses or stalls; and what is left on the disk then."""

from __future__ import annotations

import itertools
import os
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.errors import FetchError
from engine.hub import fetch as fetching
from engine.hub.catalogue import RELEASED
from engine.hub.fetch import WAITING, fetch_model, forget_kept, kept_bytes, staging_folder
from engine.hub.files import read_note
from engine.hub.sources import SOURCES
from engine.hub.verify import verify_model
from tests.engine.hub.conftest import BASE, CUSTOM, QUICK, Hub

MAIN = "model.safetensors"
CODEC = "speech_tokenizer/model.safetensors"


def fetch(root: Path, model=BASE, source: str = "huggingface", **more) -> Path:
    return fetch_model(model, root, SOURCES[source], patience=QUICK, **more)


def assert_whole(folder: Path, hub: Hub) -> None:
    for path in (MAIN, CODEC, "config.json", "vocab.json"):
        assert (folder / path).read_bytes() == hub.files[path], path
    assert engine.summarize_model(folder).can_clone
    assert verify_model(folder) == ()
    assert not list(folder.parent.rglob("*.part"))


@pytest.mark.parametrize("source", list(SOURCES))
@pytest.mark.parametrize("name", ["models", "Modèles d'été 语音"])
def test_a_model_is_fetched_whole(hub: Hub, tmp_path: Path, source: str, name: str) -> None:
    told = []
    folder = fetch(tmp_path / name, source=source, report=told.append)
    assert_whole(folder, hub)
    assert folder.name == "Qwen3-TTS-12Hz-0.6B-Base"
    assert not (folder / "README.md").exists()
    note = read_note(folder)
    assert note is not None
    assert (note.source, note.repo, note.revision) == (source, BASE.repo, hub.revision)
    assert told[-1].fraction == 1.0
    assert all(a.done <= b.done for a, b in itertools.pairwise(told))


@pytest.mark.parametrize("fault", ["drop", "short", "busy", "stall", "no ranges", "slow"])
def test_what_breaks_off_goes_on(hub: Hub, tmp_path: Path, fault: str) -> None:
    hub.faults[MAIN] = (fault, 1)
    assert_whole(fetch(tmp_path), hub)
    if fault in ("drop", "stall"):
        assert [asked for path, asked in hub.asked if path == MAIN][1].startswith("bytes=")


def test_a_server_that_knows_no_ranges_begins_anew(hub: Hub, tmp_path: Path) -> None:
    hub.faults[MAIN] = ("drop", 1)
    with pytest.MonkeyPatch.context() as patched:
        faults = iter(["drop", "no ranges"])
        patched.setattr(hub, "fault", lambda path: next(faults, "") if path == MAIN else "")
        assert_whole(fetch(tmp_path), hub)


def test_wrong_bytes_are_fetched_once_more_and_never_kept(hub: Hub, tmp_path: Path) -> None:
    hub.faults[MAIN] = ("wrong", 1)
    assert_whole(fetch(tmp_path / "once"), hub)
    hub.faults[CODEC] = ("wrong", 9)
    with pytest.raises(FetchError, match="other bytes than the source promises"):
        fetch(tmp_path / "always")
    assert not (tmp_path / "always" / BASE.folder).exists()


@pytest.mark.parametrize(
    ("fault", "words"),
    [
        ("refuse", "refused"),
        ("gone", "not there"),
        ("long", "longer than"),
        ("busy", "nothing came in 3 tries"),
    ],
)
def test_what_no_try_mends_is_said(hub: Hub, tmp_path: Path, fault: str, words: str) -> None:
    hub.faults[MAIN] = (fault, 99)
    with pytest.raises(FetchError, match=words) as told:
        fetch(tmp_path)
    assert MAIN in str(told.value)
    assert not (tmp_path / BASE.folder).exists()
    hub.faults.clear()
    assert_whole(fetch(tmp_path), hub)


def test_a_pause_keeps_what_came(hub: Hub, tmp_path: Path) -> None:
    hub.faults[MAIN] = ("stall", 99)
    cancel, seen = engine.Cancel(), []

    def report(progress: engine.Progress) -> None:
        seen.append(progress)
        transfers = staging_folder(tmp_path, BASE)
        part = transfers / (MAIN + ".part")
        if part.exists() and part.stat().st_size > 0:
            cancel.cancel()

    began = time.perf_counter()
    with pytest.raises(engine.Cancelled):
        fetch(tmp_path, cancel=cancel, report=report)
    print(f"cancelled after {time.perf_counter() - began:.2f} s")
    kept = kept_bytes(tmp_path, BASE)
    assert kept > len(hub.files["vocab.json"])
    hub.faults.clear()
    hub.released.set()
    hub.asked.clear()
    assert_whole(fetch(tmp_path), hub)
    assert next(asked for path, asked in hub.asked if path == MAIN).startswith("bytes=")
    assert {path for path, _ in hub.asked} != set(hub.files)  # what was whole was not fetched again


def test_a_fetch_goes_on_with_the_revision_it_began_with(hub: Hub, tmp_path: Path) -> None:
    hub.faults[MAIN] = ("gone", 1)
    with pytest.raises(FetchError):
        fetch(tmp_path)
    first, hub.revision = hub.revision, "f" * 40
    note = read_note(fetch(tmp_path))
    assert note is not None
    assert note.revision == first


def test_cancelled_for_good_leaves_nothing(hub: Hub, tmp_path: Path) -> None:
    hub.faults[MAIN] = ("gone", 1)
    with pytest.raises(FetchError):
        fetch(tmp_path)
    assert kept_bytes(tmp_path, BASE) > 0
    forget_kept(tmp_path, BASE)
    assert list(tmp_path.iterdir()) == []


def test_a_stall_is_seen_and_said(hub: Hub, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr(fetching, "STALL_SECONDS", 0.1)
    hub.faults[MAIN] = ("stall", 1)
    stages = set()
    assert_whole(fetch(tmp_path, report=lambda progress: stages.add(progress.stage)), hub)
    assert WAITING in stages


def test_the_codec_is_stored_once(hub: Hub, tmp_path: Path) -> None:
    first = fetch(tmp_path)
    hub.asked.clear()
    second = fetch(tmp_path, CUSTOM)
    assert CODEC not in {path for path, _ in hub.asked}
    assert (first / CODEC).samefile(second / CODEC)
    assert_whole(second, hub)


def test_the_codec_is_copied_where_the_disk_cannot_link(hub: Hub, tmp_path: Path, monkeypatch) -> None:
    first = fetch(tmp_path)

    link = os.link

    def refuse(*names: Any, **more: Any) -> None:
        if not more:
            raise OSError("no links here")
        link(*names, **more)  # how a file that we have written takes its name

    monkeypatch.setattr(os, "link", refuse)
    second = fetch(tmp_path, CUSTOM)
    assert not (first / CODEC).samefile(second / CODEC)
    assert_whole(second, hub)


def test_a_broken_model_is_mended_with_what_it_lacks(hub: Hub, tmp_path: Path) -> None:
    folder = fetch(tmp_path)
    whole = (folder / MAIN).read_bytes()
    (folder / MAIN).write_bytes(whole[: len(whole) // 2])
    (folder / "vocab.json").unlink()
    faults = verify_model(folder)
    assert [MAIN in faults[0] or MAIN in faults[1], any("vocab.json" in fault for fault in faults)] == [True, True]
    hub.asked.clear()
    assert fetch(tmp_path) == folder
    assert {path for path, _ in hub.asked} == {MAIN, "vocab.json"}
    assert_whole(folder, hub)


def test_a_flipped_bit_is_found(hub: Hub, tmp_path: Path) -> None:
    folder = fetch(tmp_path)
    data = bytearray((folder / MAIN).read_bytes())
    data[-5] ^= 1
    (folder / MAIN).write_bytes(data)
    (fault,) = verify_model(folder)
    assert "other bytes" in fault


def test_too_little_room_is_said_before_anything_is_fetched(hub: Hub, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("engine.files.shutil.disk_usage", lambda _: type("Usage", (), {"free": 1000})())
    with pytest.raises(engine.WriteError, match="Not enough room"):
        fetch(tmp_path)
    assert hub.asked == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device that is always full")
def test_a_full_disk_keeps_what_came(hub: Hub, tmp_path: Path) -> None:
    part = staging_folder(tmp_path, BASE) / (MAIN + ".part")
    part.parent.mkdir(parents=True)
    part.symlink_to("/dev/full")
    with pytest.raises(engine.WriteError, match="No space left"):
        fetch(tmp_path)
    assert not (tmp_path / BASE.folder).exists()
    part.unlink()
    assert_whole(fetch(tmp_path), hub)


def test_a_folder_that_cannot_be_written_is_said(hub: Hub, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(engine.WriteError, match="Choose another folder"):
        fetch(tmp_path / "file" / "models")


@pytest.mark.parametrize("path", ["../evil.json", "/etc/evil.json", "a/../../evil.json", "C:evil.json", "a\\b.json"])
def test_a_listing_that_leads_elsewhere_is_refused(hub: Hub, tmp_path: Path, path: str) -> None:
    hub.files[path] = b"{}"
    with pytest.raises(FetchError, match="no place inside a model"):
        fetch(tmp_path / "models")
    assert not (tmp_path / "evil.json").exists()


def test_no_hub_at_all(tmp_path: Path, hub: Hub, monkeypatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://127.0.0.1:9")
    with pytest.raises(FetchError, match="cannot be reached"):
        fetch(tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_a_login_page_is_no_hub(tmp_path: Path, hub: Hub, monkeypatch) -> None:
    monkeypatch.setattr(hub, "hugging_face", lambda: ["<html>"])
    with pytest.raises(FetchError, match="does not know"):
        fetch(tmp_path)


def test_a_token_is_sent_only_where_a_person_set_one(tmp_path: Path, hub: Hub, monkeypatch) -> None:
    fetch(tmp_path / "without")
    assert set(hub.tokens) == {""}
    hub.tokens.clear()
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    fetch(tmp_path / "with")
    assert set(hub.tokens) == {"Bearer hf_secret"}
    assert "hf_secret" not in "".join(p.read_text() for p in (tmp_path / "with").rglob("qvoice-fetch.json"))


def test_files_come_several_at_once(hub: Hub, tmp_path: Path, monkeypatch) -> None:
    hub.faults.update({MAIN: ("slow", 1), CODEC: ("slow", 1)})
    running: list[int] = []

    def report(_: engine.Progress) -> None:
        running.append(sum(thread.name == "fetch" for thread in threading.enumerate()))

    assert_whole(fetch(tmp_path, report=report), hub)
    assert max(running) >= 2


def test_the_catalogue_names_the_five() -> None:
    assert [model.name for model in RELEASED] == [
        "0.6b-base",
        "0.6b-custom-voice",
        "1.7b-base",
        "1.7b-custom-voice",
        "1.7b-voice-design",
    ]
