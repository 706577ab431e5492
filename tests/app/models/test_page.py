"""Fetching, pausing, mending and removing models as a person does."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel

import engine
from app.models.fetching import FetchState
from app.models.words import fetch_words, left_words, outlook_words
from tests.app.models.conftest import ModelsRoom
from tests.engine.hub.conftest import Hub

BASE = engine.RELEASED[0]
MAIN = "model.safetensors"


def press(button: QAbstractButton) -> None:
    assert button.isVisible()
    assert button.isEnabled()
    QTest.mouseClick(button, Qt.MouseButton.LeftButton)


def words_of(room: ModelsRoom) -> str:
    return "\n".join(label.text() for label in room.page.findChildren(QLabel) if label.isVisibleTo(room.page))


def named(room: ModelsRoom, name: str) -> QAbstractButton:
    found = [b for b in room.page.findChildren(QAbstractButton) if b.accessibleName() == name and b.isVisible()]
    assert len(found) == 1, [b.accessibleName() for b in room.page.findChildren(QAbstractButton)]
    return found[0]


def fetch(room: ModelsRoom) -> None:
    press(room.page.released["0.6b-base"].fetch_button)
    room.wait(lambda: room.kind("0.6b-base") == "here")
    room.wait(lambda: len(room.studio.shelf.entries) == 3)


def test_what_there_is_is_told_without_a_network(room: ModelsRoom) -> None:
    told = words_of(room)
    for model in engine.RELEASED:
        assert model.title in told
        assert model.does in told
    assert "to fetch" in told
    assert "of memory" in told
    assert "than speech" in told or "as fast as speech" in told
    assert "For this computer" in told or "too little" in told


def test_a_model_is_fetched_and_ready(room: ModelsRoom, hub: Hub) -> None:
    fetch(room)
    folder = room.studio.fetching.folder(BASE)
    assert engine.verify_model(folder) == ()
    assert room.studio.shelf.base is not None
    assert room.studio.shelf.base.folder == folder
    assert not room.page.released["0.6b-base"].isVisible()


def test_pause_resume_and_discard(room: ModelsRoom, hub: Hub) -> None:
    hub.faults[MAIN] = ("stall", 1)
    row = room.page.released["0.6b-base"]
    press(row.fetch_button)
    part = room.studio.fetching.root / f".{BASE.folder}.part" / f"{MAIN}.part"
    room.wait(lambda: part.exists() and part.stat().st_size > 0)
    press(row.pause_button)
    room.wait(lambda: room.kind("0.6b-base") == "kept")
    assert row.fetch_button.text() == "Resume"
    assert "Fetching goes on from there" in words_of(room)
    hub.released.set()
    fetch(room)
    assert next(asked for path, asked in reversed(hub.asked) if path == MAIN).startswith("bytes=")
    hub.faults["config.json"] = ("gone", 99)
    other = room.page.released["0.6b-custom-voice"]
    press(other.fetch_button)
    room.wait(lambda: room.kind("0.6b-custom-voice") == "kept")
    assert any("config.json" in text for text in room.said)
    press(other.discard_button)
    room.wait(lambda: room.kind("0.6b-custom-voice") == "absent")
    assert [path.name for path in room.studio.fetching.root.iterdir()] == [BASE.folder]


def test_removing_can_be_undone(room: ModelsRoom, hub: Hub) -> None:
    fetch(room)
    fetching, folder = room.studio.fetching, room.studio.fetching.folder(BASE)
    fetching.remove(BASE)
    room.wait(lambda: room.kind("0.6b-base") == "absent")
    assert not folder.exists()
    assert len(room.studio.shelf.entries) == 2
    undo = room.studio.messages.history[-1].action
    assert undo is not None
    undo.run()
    room.wait(lambda: room.kind("0.6b-base") == "here" and len(room.studio.shelf.entries) == 3)
    assert engine.verify_model(folder) == ()
    fetching.remove(BASE)
    room.wait(lambda: room.kind("0.6b-base") == "absent")
    fetching.empty_removed()  # as the next start does
    room.wait(lambda: not room.studio.file_lane.busy)
    assert list(fetching.root.iterdir()) == []


def test_a_broken_model_is_found_and_mended(room: ModelsRoom, hub: Hub) -> None:
    fetch(room)
    folder = room.studio.fetching.folder(BASE)
    (folder / "merges.txt").write_text("broken")
    room.studio.fetching.verify(folder, "it")
    room.wait(lambda: "merges.txt" in room.said[-1])
    mend = room.studio.messages.history[-1].action
    assert mend is not None
    assert mend.label == "Mend"
    mend.run()
    room.wait(lambda: engine.verify_model(folder) == ())
    room.wait(lambda: not room.studio.web_lane.busy)
    room.studio.fetching.verify(folder, "it")
    room.wait(lambda: room.said[-1] == "it is whole.")


def test_closing_in_the_middle_keeps_what_came(room: ModelsRoom, hub: Hub) -> None:
    hub.faults[MAIN] = ("stall", 9)
    room.studio.fetching.fetch(BASE)
    part = room.studio.fetching.root / f".{BASE.folder}.part" / f"{MAIN}.part"
    room.wait(lambda: part.exists() and part.stat().st_size > 0)
    room.studio.close()
    assert part.stat().st_size > 0
    assert not room.studio.fetching.folder(BASE).exists()


def test_what_another_program_fetched_is_used_where_it_lies(
    room: ModelsRoom, checkpoints, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    cache = tmp_path / "Zwischenspeicher d'été" / "hub"
    snapshot = cache / "models--Qwen--Qwen3-TTS-12Hz-0.6B-Base" / "snapshots" / "0123"
    snapshot.parent.mkdir(parents=True)
    shutil.copytree(checkpoints.folder("tiny-base"), snapshot)
    monkeypatch.setenv("HF_HUB_CACHE", str(cache))
    room.page.enter()
    room.wait(lambda: room.kind("0.6b-base") == "found")
    row = room.page.released["0.6b-base"]
    assert row.fetch_button.text() == "Use it"
    press(row.fetch_button)
    room.wait(lambda: any(entry.folder == snapshot for entry in room.studio.shelf.entries))
    room.wait(lambda: room.kind("0.6b-base") == "here")
    room.studio.shelf.remove_folder(snapshot)
    room.studio.shelf.add_folder(snapshot.parent.parent)  # the cache's own folder of the model
    room.wait(lambda: any(entry.folder == snapshot for entry in room.studio.shelf.entries))
    assert not room.studio.fetching.root.exists()


def test_unloading_gives_the_model_back(room: ModelsRoom) -> None:
    import weakref

    studio = room.studio
    loaded: list[weakref.ref[engine.Model]] = []
    folder = studio.shelf.usable[0].folder
    job = studio.model_lane.submit(lambda context: loaded.append(weakref.ref(studio.shelf.load(folder, context))), "")
    room.wait(lambda: job.is_over)
    assert loaded[0]() is not None
    room.page._unload()
    room.wait(lambda: "All models are unloaded." in room.said)
    assert loaded[0]() is None


def test_the_words_of_a_fetch() -> None:
    state = FetchState("running", 412e6, 2517e6, "fetching", 5.2e6, 404)
    assert fetch_words(state) == "Fetching · 412 MB of 2.5 GB · 5.2 MB/s · 7 min left"
    assert left_words(20) == "20 s left"
    assert left_words(7200) == "2.0 h left"
    assert "too little memory" in outlook_words(())
