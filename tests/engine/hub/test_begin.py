"""Before the first byte: one program at a time, the revision, the proxy, and servers that do not answer."""

from __future__ import annotations

import threading
from pathlib import Path

import filelock
import pytest

import engine
from engine.errors import FetchError
from engine.hub.fetch import fetch_model, kept_bytes, staging_folder
from engine.hub.files import read_note
from engine.hub.sources import SOURCES
from tests.engine.hub.conftest import BASE, QUICK, Hub, new_session

MAIN = "model.safetensors"


def fetch(root: Path, source: str = "huggingface", **more) -> Path:
    return fetch_model(BASE, root, SOURCES[source], patience=QUICK, **more)


def revision_of(folder: Path) -> str:
    note = read_note(folder)
    assert note is not None
    return note.revision


class Behind:
    """A fetch in a thread of its own."""

    def __init__(self, root: Path) -> None:
        self.cancel, self.errors = engine.Cancel(), list[BaseException]()
        self._thread = threading.Thread(target=self._run, args=(root,))
        self._thread.start()

    def _run(self, root: Path) -> None:
        try:
            fetch(root, cancel=self.cancel)
        except engine.QVoiceError as error:
            self.errors.append(error)

    def stop(self) -> None:
        self.cancel.cancel()
        self._thread.join(10)
        assert not self._thread.is_alive()
        assert [type(error) for error in self.errors] == [engine.Cancelled]


def wait_for(condition) -> None:
    for _ in range(600):
        if condition():
            return
        threading.Event().wait(0.05)
    raise AssertionError("it never came")


def test_a_server_that_never_answers_is_left_when_cancelled(hub: Hub, tmp_path: Path) -> None:
    hub.faults["listing"] = ("late", 1)
    behind = Behind(tmp_path)
    wait_for(lambda: hub.listings)
    behind.stop()
    assert list(tmp_path.iterdir()) == []
    hub.released.set()
    wait_for(lambda: not any(thread.name == "listing" for thread in threading.enumerate()))


def test_an_answer_that_comes_after_a_pause_spoils_nothing(hub: Hub, tmp_path: Path) -> None:
    half = hub.files[MAIN][: len(hub.files[MAIN]) // 2]
    part = staging_folder(tmp_path, BASE) / f"{MAIN}.part"
    part.parent.mkdir(parents=True)
    part.write_bytes(half)
    hub.faults[MAIN] = ("late", 1)
    behind = Behind(tmp_path)
    wait_for(lambda: any(path == MAIN for path, _ in hub.asked))
    behind.stop()
    hub.released.set()  # a whole answer now, which would begin anew
    wait_for(lambda: not any(thread.name == "fetch" for thread in threading.enumerate()))
    assert part.read_bytes() == half
    assert (fetch(tmp_path) / MAIN).read_bytes() == hub.files[MAIN]


def test_two_programs_do_not_fetch_the_same_model(hub: Hub, tmp_path: Path) -> None:
    with filelock.FileLock(staging_folder(tmp_path, BASE).with_suffix(".lock")):
        with pytest.raises(FetchError, match="by another program"):
            fetch(tmp_path)
        assert hub.asked == []
        assert kept_bytes(tmp_path, BASE) == 0
    fetch(tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == [BASE.folder]


@pytest.mark.parametrize("source", list(SOURCES))
def test_a_revision_can_be_chosen(hub: Hub, tmp_path: Path, source: str) -> None:
    fetch(tmp_path, source, revision="v1/a b")
    assert "v1%2Fa%20b" in hub.listings[0]


def test_mending_stays_with_the_revision_that_is_here(hub: Hub, tmp_path: Path) -> None:
    first = hub.revision
    folder = fetch(tmp_path)
    hub.revision = "f" * 40
    (folder / MAIN).unlink()
    hub.asked.clear()
    hub.listings.clear()
    fetch(tmp_path)
    assert revision_of(folder) == first
    assert ([path for path, _ in hub.asked], hub.listings) == ([MAIN], [])
    fetch(tmp_path, revision="main")
    assert revision_of(folder) == "f" * 40


def test_a_proxy_is_used(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", "http://models.invalid")
    monkeypatch.setenv("HTTP_PROXY", hub.url)
    new_session()
    fetch(tmp_path)
    assert hub.listings[0].startswith("http://models.invalid/api/models/Qwen/")


def test_a_proxy_that_is_none_is_said(hub: Hub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ALL_PROXY", "nonsense://127.0.0.1:9")
    new_session()
    with pytest.raises(FetchError, match="proxy in the environment"):
        fetch(tmp_path)
