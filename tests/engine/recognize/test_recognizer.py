"""Which recogniser is found, and that none is ever fetched; the real one hears what the built-in voice says."""

from __future__ import annotations

import importlib.machinery
import importlib.util
import json
from pathlib import Path

import numpy as np
import pytest

import engine
import resources
from engine.recognize import recognizer
from engine.recognize.recognizer import Whisper, find_recognizer

ENGLISH, ALL = 51_864, 51_865


def make_model(folder: Path, words: int, megabytes: int = 0, without: str = "") -> Path:
    """A folder with the files of a Whisper model; its weights are a hole."""
    folder.mkdir(parents=True)
    for name in ("config.json", "tokenizer.json"):
        (folder / name).write_text("{}")
    with (folder / "model.bin").open("wb") as file:
        file.truncate(megabytes << 20)
    (folder / "vocabulary.json").write_text(json.dumps(["a"] * words))
    (folder / without).unlink() if without else None
    return folder


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """faster-whisper counts as installed, no package carries a model, and the caches are empty."""
    real = importlib.util.find_spec

    def find_spec(name: str) -> importlib.machinery.ModuleSpec | None:
        return importlib.machinery.ModuleSpec(name, None) if name == "faster_whisper" else real(name)

    monkeypatch.setattr(recognizer, "_CARRIERS", ())
    monkeypatch.setattr(recognizer, "find_spec", find_spec)
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path / "hub"))
    monkeypatch.setenv("QVOICE_HOME", str(tmp_path / "home"))


def test_without_the_library_the_reason_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recognizer, "find_spec", lambda _: None)
    assert find_recognizer("english") == "no speech recogniser is installed"


@pytest.mark.usefixtures("installed")
def test_a_model_is_found_in_each_place(tmp_path: Path) -> None:
    assert find_recognizer("english") == "no Whisper model is on this computer"
    cached = make_model(tmp_path / "hub" / "models--x--whisper-tiny" / "snapshots" / "1", ALL)
    found = find_recognizer("english")
    assert isinstance(found, Whisper)
    assert found.folder == cached
    kept = make_model(tmp_path / "home" / "data" / "models" / "base", ALL, megabytes=1)
    found = find_recognizer("english")
    assert isinstance(found, Whisper)
    assert found.folder == kept
    given = make_model(tmp_path / "given" / "small", ALL, megabytes=2)
    found = find_recognizer("english", folders=[tmp_path / "given"])
    assert isinstance(found, Whisper)
    assert found.folder == given


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("without", ["tokenizer.json", "config.json", "vocabulary.json"])
def test_a_model_that_would_have_to_be_completed_from_the_network_is_none(tmp_path: Path, without: str) -> None:
    make_model(tmp_path / "tiny", ALL, without=without)
    assert find_recognizer("english", folders=[tmp_path]) == "no Whisper model is on this computer"


@pytest.mark.usefixtures("installed")
def test_the_largest_that_is_quick_is_preferred(tmp_path: Path) -> None:
    for name, megabytes in (("huge", 3000), ("large", 1500), ("small", 480), ("tiny", 75)):
        make_model(tmp_path / name, ALL, megabytes)
    found = find_recognizer("german", folders=[tmp_path])
    assert isinstance(found, Whisper)
    assert found.folder.name == "small"


@pytest.mark.usefixtures("installed")
def test_a_model_that_knows_english_only_hears_nothing_else(tmp_path: Path) -> None:
    make_model(tmp_path / "tiny.en", ENGLISH)
    assert isinstance(find_recognizer("english", folders=[tmp_path]), Whisper)
    for language, text in (("german", ""), ("auto", "Hello."), ("auto", "Привет."), ("beijing_dialect", "")):
        reason = find_recognizer(language, text, [tmp_path])
        assert isinstance(reason, str)
        assert "English only" in reason


@pytest.mark.usefixtures("installed")
def test_a_vocabulary_that_is_rubbish_makes_no_model_of_all_languages(tmp_path: Path) -> None:
    (make_model(tmp_path / "odd", ALL) / "vocabulary.json").write_text("7")
    assert isinstance(find_recognizer("german", folders=[tmp_path]), str)


@pytest.mark.slow
def test_the_real_one_hears_the_words_and_that_there_are_none(tmp_path: Path) -> None:
    """Needs the extras `recognizer` and `built-in-model`, whose package carries Whisper tiny.en."""
    found = find_recognizer("english")
    assert isinstance(found, Whisper), found
    clip = engine.read_clip(resources.path("sample", "sample_clip.flac"))
    heard = found.hear(clip.samples)
    assert heard.language == "english"
    assert len(heard.text.split()) > 10
    assert found.hear(np.zeros(0, np.float32)).text == ""
    cancel = engine.Cancel()
    cancel.cancel()
    with pytest.raises(engine.Cancelled):
        found.hear(clip.samples, cancel)
    broken = make_model(tmp_path / "broken", ALL)
    with pytest.raises(engine.ModelError, match="could not be read as a Whisper model"):
        Whisper(broken, "en").hear(clip.samples)
