"""Fetching, pausing, mending and removing models as a person does."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QLabel

import engine
from app.models.shelf import ModelEntry
from app.models.standing import FetchState
from app.models.words import fetch_words, left_words, outlook_words
from app.paths import paths
from app.settings.table import BROKEN_OFF
from app.studio import Studio
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
    def found() -> list[QAbstractButton]:
        buttons = room.page.findChildren(QAbstractButton)
        return [button for button in buttons if button.accessibleName() == name and button.isVisible()]

    room.wait(lambda: len(found()) == 1)
    return found()[0]


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
    assert "expected here: " in told
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


def test_cancel_throws_away_what_came(room: ModelsRoom, hub: Hub) -> None:
    hub.faults[MAIN] = ("stall", 9)
    row = room.page.released["0.6b-base"]
    press(row.fetch_button)
    part = room.studio.fetching.root / f".{BASE.folder}.part" / f"{MAIN}.part"
    room.wait(lambda: part.exists() and part.stat().st_size > 0)
    assert row.discard_button.text() == "Cancel"
    press(row.discard_button)
    room.wait(lambda: room.kind("0.6b-base") == "absent")
    assert list(room.studio.fetching.root.iterdir()) == []


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


def test_what_the_end_broke_off_goes_on_at_the_next_start(room: ModelsRoom, hub: Hub, qtbot) -> None:
    hub.faults[MAIN] = ("stall", 9)
    room.studio.fetching.fetch(BASE)
    part = room.studio.fetching.root / f".{BASE.folder}.part" / f"{MAIN}.part"
    room.wait(lambda: part.exists() and part.stat().st_size > 0)
    room.studio.close()
    hub.faults.clear()
    hub.released.set()
    hub.asked.clear()
    again = Studio(paths())
    try:
        again.shelf.refresh()
        again.engine_ready.emit()  # as at the end of a start
        qtbot.waitUntil(lambda: any(entry.folder.name == BASE.folder for entry in again.shelf.entries))
        assert engine.verify_model(again.fetching.folder(BASE)) == ()
        assert next(asked for path, asked in hub.asked if path == MAIN).startswith("bytes=")
        assert f"Fetching {BASE.title} goes on." in [message.text for message in again.messages.history]
        qtbot.waitUntil(lambda: again.settings.get(BROKEN_OFF) == ())
    finally:
        again.close()
        again.deleteLater()


def test_what_a_person_paused_does_not_go_on_by_itself(room: ModelsRoom, hub: Hub) -> None:
    hub.faults[MAIN] = ("stall", 9)
    room.studio.fetching.fetch(BASE)
    assert room.studio.settings.get(BROKEN_OFF) == (BASE.name,)
    part = room.studio.fetching.root / f".{BASE.folder}.part" / f"{MAIN}.part"
    room.wait(lambda: part.exists() and part.stat().st_size > 0)
    room.studio.fetching.pause(BASE)
    room.wait(lambda: room.kind("0.6b-base") == "kept")
    assert room.studio.settings.get(BROKEN_OFF) == ()


def test_what_the_command_line_fetched_is_here(room: ModelsRoom, hub: Hub) -> None:
    folder = engine.fetch_model(BASE, room.studio.fetching.root, engine.source_called("huggingface"))
    room.page.enter()
    room.wait(lambda: any(entry.folder == folder for entry in room.studio.shelf.entries))
    room.wait(lambda: room.kind("0.6b-base") == "here")
    (folder / MAIN).write_bytes((folder / MAIN).read_bytes()[:-64])
    room.studio.shelf.refresh()
    room.wait(lambda: any(entry.problem for entry in room.studio.shelf.entries))
    press(named(room, f"Mend {BASE.title}: fetch what is missing or broken"))
    room.wait(lambda: not any(entry.problem for entry in room.studio.shelf.entries))
    assert engine.verify_model(folder) == ()


def test_a_model_that_lies_elsewhere_needs_no_fetching(room: ModelsRoom) -> None:
    shelf = room.studio.shelf
    summary = next(entry.summary for entry in shelf.entries if entry.summary and entry.summary.can_clone)
    elsewhere = replace(summary, folder=Path("/elsewhere"), size_label="0.6B", is_test_model=False)
    shelf._set_entries((*shelf.entries, ModelEntry(elsewhere.folder, elsewhere, memory_bytes=(45 * 10**8, 27 * 10**8))))
    assert room.kind("0.6b-base") == "here"
    assert not room.page.released["0.6b-base"].isVisible()
    assert room.page.released["1.7b-base"].isVisible()
    room.wait(lambda: "4.5 GB of memory, 2.7 GB in int8 · speed not measured yet" in words_of(room))


def test_the_speed_of_a_model_is_measured(room: ModelsRoom, hub: Hub, monkeypatch: pytest.MonkeyPatch) -> None:
    fetch(room)
    summary = room.studio.shelf.base
    assert summary is not None
    monkeypatch.setattr("engine.system.benchmark.benchmark.__defaults__", ("auto", None, engine.no_report, 0.2))
    monkeypatch.setattr("engine.model.checkpoint._TEST_WIDTH", 0)  # as if it were a real one
    press(named(room, f"Measure how fast {summary.label} speaks here, ten seconds"))
    room.wait(lambda: any("of work per second of speech" in text for text in room.said))
    room.wait(lambda: "measured here: " in words_of(room))


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
