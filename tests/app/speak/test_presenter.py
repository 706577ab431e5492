"""Speaking with the real lanes, the real library and the bundled tiny model. No sound device answers here."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile

import engine
import resources
from app.speak.offer import voice_key
from app.speak.presenter import SpeakPresenter
from app.speak.speech import Actor, Order, speak
from app.speak.take import peaks_of
from app.speak.tuning import Tuning
from app.store import clock
from app.work import JobContext
from tests.app.helpers import made_voice
from tests.app.speak.conftest import PACE, Room, open_studio

if TYPE_CHECKING:
    from pathlib import Path

    from pytestqt.qtbot import QtBot

    from app.speak.take import Take
    from app.studio import Studio

LONG = "This is a long text that takes the model a good while to say, sentence after sentence. " * 4
SEED = 3


def newest(room: Room) -> Take:
    return room.presenter.takes.all[0]


@pytest.mark.usefixtures("ends_early")
def test_same_seed_same_samples_and_another_seed_others(room: Room) -> None:
    for seed in (SEED, SEED, SEED + 1):
        room.speak_seed(seed)
    third, second, first = room.presenter.takes.all
    assert first.samples is not None
    assert second.samples is not None
    assert third.samples is not None
    np.testing.assert_array_equal(first.samples, second.samples)
    assert len(first.samples) != len(third.samples) or not np.array_equal(first.samples, third.samples)
    assert [take.number for take in room.presenter.takes.all] == [3, 2, 1]
    assert (first.seed, third.seed) == (SEED, SEED + 1)


def test_a_take_is_what_the_engine_says(room: Room) -> None:
    """Equal to a direct call with everything the page chose."""
    record = room.save_voice("Mario", language="italian")
    room.presenter.choose_voice(voice_key(record.id))
    room.presenter.set_style("sad and slow")
    room.speak_seed(26)
    take = newest(room)
    model = engine.load_model(resources.path("test_model", "custom_voice"))
    request = engine.SpeechRequest(
        take.text, voice=room.studio.library.load(record.id), instruct="sad and slow", language="italian", seed=26
    )
    expected = np.concatenate([chunk.samples for chunk in model.speak(request)])
    np.testing.assert_array_equal(take.samples, expected)
    assert (take.voice_name, take.style, take.language) == ("Mario", "sad and slow", "italian")
    assert take.seconds == pytest.approx(len(expected) / 24_000)
    assert take.made_in_seconds > 0


@pytest.mark.usefixtures("never_ends")
def test_a_take_that_ran_on_says_so_and_offers_another_seed(room: Room) -> None:
    room.speak_seed(SEED)
    take = newest(room)
    assert take.reason == "limit"
    assert take.remark == "ran on: no end came; try another seed"
    message = room.studio.messages.history[-1]
    assert message.text == "Take 1 ran on: no end came."
    assert message.action is not None
    message.action.run()
    assert room.presenter.is_speaking
    assert room.presenter.choices.seed != SEED
    room.presenter.stop()
    room.wait(lambda: not room.presenter.is_speaking)


@pytest.mark.usefixtures("ends_early")
def test_a_long_text_is_spoken_in_parts(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    """Equal to what the engine reads; one part that runs on marks the whole."""
    monkeypatch.setattr("engine.speech.script.LONGEST_IN_ONE_GO_SECONDS", 1.0)
    room.speak_seed(SEED, "Hello there, how are you? " * 20)
    take = newest(room)
    model = engine.load_model(resources.path("test_model", "custom_voice"))
    chunks = list(model.read(engine.SpeechRequest(take.text, speaker="aiden", seed=SEED)))
    assert len(chunks) == 2
    np.testing.assert_array_equal(take.samples, np.concatenate([chunk.samples for chunk in chunks]))
    assert take.reason == "end"


@pytest.mark.usefixtures("never_ends")
def test_stop_keeps_what_was_made_and_makes_hardly_more(room: Room) -> None:
    """Measured in frames, not on a clock that a busy machine would spoil: a piece is eight frames at most."""
    presenter = room.presenter
    presenter.set_text(LONG)
    presenter.set_seed(SEED)
    presenter.speak()
    room.wait(lambda: presenter.talk.run is not None and presenter.talk.run.seconds > 1.0)
    run = presenter.talk.run
    assert run is not None
    job = run._job
    assert job is not None
    posted = run.source.frames + sum(len(mail.value.samples) for mail in list(job.task.mailbox))
    presenter.stop()
    room.wait(lambda: not presenter.is_speaking)
    take = newest(room)
    assert take.reason == "stopped"
    assert take.remark == "stopped"
    assert take.samples is not None
    assert posted <= len(take.samples) <= posted + 8 * 1920  # one piece may have been on its way
    assert not take.needs_care


@pytest.mark.usefixtures("never_ends")
def test_the_work_ends_at_the_very_next_frame_when_cancelled(studio: Studio, qtbot: QtBot) -> None:
    cancel = engine.Cancel()
    order = Order(LONG, resources.path("test_model", "custom_voice"), SEED, Actor("preset:ryan", speaker="ryan"))
    pieces = speak(studio.shelf, order, None, JobContext(cancel, engine.no_report))
    next(pieces)
    cancel.cancel()
    with pytest.raises(engine.Cancelled):
        next(pieces)


@pytest.mark.usefixtures("ends_early")
def test_stop_before_anything_was_made_leaves_no_take(room: Room) -> None:
    room.presenter.set_text(LONG)
    room.presenter.speak()
    room.presenter.stop()
    room.wait(lambda: not room.presenter.is_speaking)
    room.wait_files()
    assert room.presenter.takes.all == []
    assert not list(room.presenter.takes.folder.glob("*"))
    room.speak_seed(SEED)
    assert newest(room).number == 1  # no number was used up


@pytest.mark.usefixtures("never_ends")
def test_unlocked_draws_a_new_seed_each_time_and_shows_it(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.speak.presenter.secrets.randbelow", lambda _: 41)
    presenter = room.presenter
    presenter.set_text(LONG)
    seeds: list[int] = []
    for turn in range(4):
        if turn == 3:
            presenter.roll_seed()
            assert presenter.choices.seed_locked
            assert presenter.choices.seed != seeds[-1]
            seeds.append(presenter.choices.seed)
        room.speak_a_little()
        assert newest(room).seed == presenter.choices.seed
        seeds.append(presenter.choices.seed)
    assert len(set(seeds[:3])) == 3
    assert seeds[3] == seeds[4]  # locked by the dice


@pytest.mark.usefixtures("ends_early")
def test_style_is_live_only_where_the_model_obeys(room: Room) -> None:
    record = room.save_voice("Mario")
    presenter = room.presenter
    presenter.choose_voice(voice_key(record.id))
    room.choose("custom_voice")
    assert presenter.style.obeyed
    assert presenter.style.words == ""
    room.choose("base")
    assert not presenter.style.obeyed
    assert presenter.style.words.startswith("Base models")
    assert presenter.style.better is not None
    assert presenter.style.better.kind == "custom_voice"
    presenter.set_style("angry")
    room.speak_seed(SEED)
    assert newest(room).style == ""  # nothing is claimed that was not done
    assert newest(room).model_label == engine.summarize_model(resources.path("test_model", "base")).label
    presenter.choose_model(str(presenter.style.better.folder))
    assert presenter.style.obeyed
    assert presenter.choices.style == "angry"  # what was typed is still there


def test_the_voices_own_language_is_chosen_with_it(room: Room) -> None:
    german = room.save_voice("Anna", 1, language="german")
    silent = room.save_voice("Nobody", 2)
    presenter = room.presenter
    presenter.choose_voice(voice_key(german.id))
    assert presenter.language == "german"
    presenter.choose_voice(voice_key(silent.id))
    assert presenter.language == "auto"
    presenter.choose_language("french")
    assert presenter.language == "french"
    assert presenter.languages[0] == "auto"
    presenter.choose_voice("preset:ryan")
    assert presenter.language == "auto"
    assert [voice.name for voice in presenter.voices][:3] == ["Anna", "Nobody", "Aiden"]


def test_a_voice_no_model_fits_is_refused_before_anything_is_loaded(room: Room) -> None:
    record = room.save_voice("Wide", width=2048)
    room.presenter.choose_voice(voice_key(record.id))
    room.presenter.set_text("Hello.")
    assert room.presenter.blocked_reason == "No model here fits Wide. Add one of its size in Models."
    room.presenter.speak()
    assert not room.presenter.is_speaking


def test_empty_text_blocks_with_a_reason(room: Room) -> None:
    told: list[str] = []
    room.presenter.talk_changed.connect(lambda: told.append(room.presenter.blocked_reason))
    for text in ("", "  \n\t", "\x00\x07"):
        room.presenter.set_text(text)
        assert room.presenter.blocked_reason == "Type something to say."
    room.presenter.set_text("a")
    assert told[-1] == ""


def test_a_voice_whose_file_went_is_told_and_nothing_is_left_running(room: Room) -> None:
    record = room.save_voice("Mario")
    room.presenter.choose_voice(voice_key(record.id))
    room.studio.library.file_of(record).unlink()
    room.presenter.set_text("Hello.")
    room.speak()
    assert "The file of Mario is gone" in room.said[-1]
    assert room.presenter.takes.all == []


@pytest.mark.parametrize(("suffix", "exact"), [(".wav", True), (".flac", False), (".mp3", False), (".ogg", False)])
@pytest.mark.usefixtures("ends_early")
def test_export_equals_the_take(room: Room, tmp_path: Path, suffix: str, exact: bool) -> None:
    room.speak_seed(SEED)
    take = newest(room)
    target = tmp_path / f"out{suffix}"
    room.presenter.export(take.id, target)
    room.wait(target.exists)
    room.wait_files()
    samples, rate = soundfile.read(target, dtype="float32")
    assert rate == 24_000
    assert take.samples is not None
    if exact:
        np.testing.assert_array_equal(samples, take.samples)
    elif suffix == ".flac":
        np.testing.assert_allclose(samples, take.samples, atol=2**-22)
    else:
        assert len(samples) >= len(take.samples) * 0.9
    message = room.studio.messages.history[-1]
    assert message.text == f"Saved out{suffix}."
    assert message.action is not None
    assert message.action.label == "Show folder"


@pytest.mark.usefixtures("ends_early")
def test_export_that_fails_says_which_file(room: Room, tmp_path: Path) -> None:
    room.speak_seed(SEED)
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    room.presenter.export(newest(room).id, tmp_path / "file" / "out.wav")
    room.wait(lambda: any("out.wav" in text for text in room.said))


def test_the_suggested_name_is_voice_and_first_words(room: Room) -> None:
    room.speak_seed(0, "What / is: this? And more words than fit a name.")
    assert room.presenter.export_start(newest(room)).name == "Aiden - What _ is_ this_ And more.wav"


@pytest.mark.usefixtures("never_ends")
def test_progress_is_told_in_real_units(room: Room) -> None:
    told: list[str] = []
    room.presenter.talk_changed.connect(lambda: told.append(room.presenter.talk.text))
    room.speak_seed(SEED)
    assert any("loading the model" in text for text in told)
    assert any("of ≈ 1.8 s" in text and PACE.search(text) for text in told)
    assert any("first sound" in text and "longer than the ≈ 1.8 s expected" in text for text in told)
    assert told[-1] == ""


@pytest.mark.usefixtures("ends_early")
def test_everything_survives_a_restart(room: Room, qtbot: QtBot) -> None:
    record = room.save_voice("Mario", language="italian")
    presenter = room.presenter
    presenter.choose_voice(voice_key(record.id))
    presenter.set_style("calm")
    presenter.set_splitter((300, 200))
    room.speak_seed(SEED, "Ciao a tutti.")
    first = newest(room)
    presenter.takes.set_star(first.id, True)
    presenter.set_tuning(Tuning(speed=1.25, temperature=0.7))
    presenter.comparing.mark("B", first.id)
    presenter.close()
    chosen = presenter.choices
    room.studio.close()
    again = open_studio()
    later = SpeakPresenter(again)
    later.start()
    qtbot.waitUntil(lambda: later.is_loaded and later.takes.is_loaded, timeout=20_000)
    assert later.choices == chosen
    assert later.choices.used_styles == ("calm",)
    assert later.choices.tuning == Tuning(speed=1.25, temperature=0.7)
    assert later.comparing.sides == {first.id: "B"}
    assert later.voice is not None
    assert (later.voice.name, later.language) == ("Mario", "italian")
    (kept,) = later.takes.all
    assert kept.samples is None  # read when it is asked for
    for name in (
        "text",
        "seed",
        "style",
        "language",
        "voice_name",
        "number",
        "peaks",
        "made_at",
        "seconds",
        "parts",
        "tuning",
    ):
        assert getattr(kept, name) == getattr(first, name), name
    assert kept.star
    read: list[np.ndarray] = []
    later.takes.read(kept, read.append, lambda: None)
    qtbot.waitUntil(lambda: bool(read), timeout=5000)
    np.testing.assert_array_equal(read[0], first.samples)
    assert later.takes.next_number() == 2
    later.close()
    again.close()


@pytest.mark.usefixtures("never_ends")
def test_closing_while_it_speaks_keeps_what_was_made(room: Room, qtbot: QtBot) -> None:
    presenter = room.presenter
    presenter.set_text(LONG)
    presenter.set_seed(SEED)
    presenter.speak()
    room.wait(lambda: presenter.talk.run is not None and presenter.talk.run.seconds > 0.5)
    presenter.set_text("typed a moment before the end")
    room.studio.close()  # without a word to the presenter
    assert not presenter.is_speaking
    presenter.close()
    again = open_studio()
    later = SpeakPresenter(again)
    later.start()
    qtbot.waitUntil(lambda: later.takes.is_loaded, timeout=20_000)
    (kept,) = later.takes.all
    assert kept.reason == "stopped"
    assert kept.seconds > 0.5
    assert later.choices.text == "typed a moment before the end"
    later.close()
    again.close()


def test_use_its_settings_brings_everything_back(room: Room) -> None:
    record = room.save_voice("Mario", language="italian")
    presenter = room.presenter
    presenter.choose_voice(voice_key(record.id))
    presenter.set_style("calm")
    room.speak_seed(16, "Ciao.")
    presenter.choose_voice("preset:ryan")
    presenter.set_text("Something else")
    presenter.set_style("angry")
    presenter.roll_seed()
    presenter.use_settings(newest(room).id)
    choices = presenter.choices
    assert (choices.text, choices.style, choices.seed, choices.seed_locked) == ("Ciao.", "calm", 16, True)
    assert presenter.voice is not None
    assert (presenter.voice.name, presenter.language) == ("Mario", "italian")


def test_a_voice_just_saved_can_be_spoken_with(room: Room) -> None:
    """As the library and the wizard ask for it: the page has not heard of the voice yet."""
    saved: list[object] = []
    job = room.studio.file_lane.submit(
        lambda _: room.studio.library.save(made_voice(5, 96, language="french"), "Nouvelle", "light"), "saving"
    )
    job.finished.connect(saved.append)
    room.wait(lambda: bool(saved))
    room.presenter.choose_voice_of_library(saved[0].id)  # type: ignore[attr-defined]
    room.wait(lambda: room.presenter.voice is not None and room.presenter.voice.name == "Nouvelle")
    assert room.presenter.language == "french"


@pytest.mark.usefixtures("ends_early")
def test_preview_is_spoken_and_handed_to_the_library(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    record = room.save_voice("Mario", language="italian", origin=engine.Origin(consent="my own voice"))
    monkeypatch.setattr("app.speak.preview.secrets.randbelow", lambda _: SEED)
    told: list[bool] = []
    room.studio.library_changed.connect(lambda: told.append(True))
    room.presenter.preview(record.id)
    assert room.presenter.is_speaking
    room.wait(lambda: bool(told))
    stored = room.studio.library.preview_of(room.studio.library.get(record.id))
    assert stored is not None
    samples, rate = soundfile.read(stored, dtype="float32")
    assert rate == 24_000
    assert len(samples) > 1920
    assert room.presenter.takes.all == []  # a preview is no take
    assert not list(room.studio.places.cache.glob("preview-*"))
    room.wait_files()
    room.studio.library.set_notes(record.id, "A note.")  # writes the notes beside the voice again
    origin = room.studio.library.load(record.id).origin
    assert origin == engine.Origin(consent="my own voice", preview_seed=SEED)


def test_a_preview_asked_for_twice_stops(room: Room) -> None:
    record = room.save_voice("Mario")
    room.presenter.preview(record.id)
    room.presenter.preview(record.id)
    room.wait(lambda: not room.presenter.is_speaking)
    assert room.studio.library.get(record.id).preview == ""


@pytest.mark.usefixtures("ends_early")
def test_the_memory_of_many_takes_is_bounded(room: Room) -> None:
    room.speak_seed(SEED)
    first = newest(room)
    for number in range(2, 15):
        take = replace(first, id=f"take-{number}", number=number, made_at=clock.now(), peaks=peaks_of(first.samples))  # type: ignore[arg-type]
        room.presenter.takes.add(take, is_on_disk=False)
        room.wait_files()
    room.presenter.takes.add(replace(first, id="take-15", number=15), is_on_disk=False)
    held = [take for take in room.presenter.takes.all if take.samples is not None]
    assert len(held) == 8
    oldest = room.presenter.takes.all[-1]
    read: list[np.ndarray] = []
    room.presenter.takes.read(oldest, read.append, lambda: None)
    room.wait(lambda: bool(read))
    np.testing.assert_array_equal(read[0], first.samples)
