"""Marks, redone paragraphs, best of several, the style meter, speed: with the real lanes and the bundled models."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
import pytest

import engine
from app.speak.meter import change_text, first_line
from app.speak.offer import voice_key
from app.speak.pace import Pace, seconds_in_hand
from app.speak.take import SAMPLE_RATE
from app.speak.take_files import read_samples, read_takes
from app.speak.tuning import Tuning
from app.speak.words import facts_text

if TYPE_CHECKING:
    from app.speak.take import Take
    from tests.app.speak.conftest import Room

TWO = "Hello there.\n\nHow are you?"


def newest(room: Room) -> Take:
    return room.presenter.takes.all[0]


def wait_all(room: Room) -> None:
    """Until nothing is spoken and nothing is written."""
    presenter = room.presenter
    room.wait(lambda: not (presenter.is_speaking or presenter.best.count or presenter.meter.is_measuring))
    room.wait(lambda: not (room.studio.model_lane.busy or room.studio.file_lane.busy))


class Listener:
    """Understands everything in one take, half of it in the others; or breaks, or waits to be cancelled."""

    def __init__(self, understood: int, *, broken: bool = False, endless: bool = False) -> None:
        self.understood, self.broken, self.endless, self.heard = understood, broken, endless, 0

    def hear(self, _samples: object, cancel: engine.Cancel | None = None) -> engine.Heard:
        self.heard += 1
        if self.broken:
            raise engine.ModelError("tiny could not be read.")
        while self.endless and cancel is not None:
            cancel.check()
        return engine.Heard("Hello there." if self.heard == self.understood else "Hello", "english")


def listen_with(monkeypatch: pytest.MonkeyPatch, listener: Listener | str) -> None:
    monkeypatch.setattr(engine, "find_recognizer", lambda *_: listener, raising=False)


@pytest.mark.usefixtures("ends_early")
def test_each_paragraph_has_the_voice_the_style_and_the_silence_of_its_marks(room: Room) -> None:
    record = room.save_voice("Mario")
    room.presenter.choose_voice("preset:ryan")
    room.presenter.set_style("calm")
    room.speak_seed(7, "One. [pause: 1.25 s] Two.\n\n[voice: mario] [style: sad] Three.")
    take = newest(room)
    assert [(part.text, part.voice_key, part.style) for part in take.parts] == [
        ("One.", "preset:ryan", "calm"),
        ("Two.", "preset:ryan", "calm"),
        ("Three.", voice_key(record.id), "sad"),
    ]
    first, second, third = take.parts
    assert second.start - (first.start + first.frames) == round(1.25 * SAMPLE_RATE)
    assert third.start - (second.start + second.frames) == round(0.75 * SAMPLE_RATE)
    assert take.samples is not None
    assert not take.samples[first.frames : second.start].any()
    assert third.start + third.frames == len(take.samples)


def test_a_mark_that_names_nobody_says_so_before_anything_is_spoken(room: Room) -> None:
    room.presenter.set_text("[voice: Nobody] Hello.")
    assert room.presenter.blocked_reason == "There is no voice called “Nobody”. Choose one with the button Mark."
    room.presenter.choose_voice("preset:ryan")
    wide = room.save_voice("Wide", width=2048)
    room.presenter.set_text("[voice: Wide] Hello.")
    assert wide.name in room.presenter.blocked_reason
    assert "does not fit" in room.presenter.blocked_reason
    room.presenter.set_text("[pause: 2 s]")
    assert room.presenter.blocked_reason == "Type something to say."


@pytest.mark.usefixtures("ends_early")
def test_one_paragraph_anew_leaves_every_other_sample_as_it_was(room: Room) -> None:
    room.speak_seed(3, f"{TWO}\n\nFine.")
    old = newest(room)
    room.presenter.redo(old.id, 1)
    wait_all(room)
    new = newest(room)
    assert new.number == old.number + 1
    assert old.samples is not None
    assert new.samples is not None
    before, after = old.parts[1], new.parts[1]
    np.testing.assert_array_equal(new.samples[: before.start], old.samples[: before.start])
    np.testing.assert_array_equal(
        new.samples[after.start + after.frames :], old.samples[before.start + before.frames :]
    )
    assert after.seed != before.seed
    assert [part.seed for part in (new.parts[0], new.parts[2])] == [3, 3]
    shift = after.frames - before.frames
    assert new.parts[2] == replace(old.parts[2], start=old.parts[2].start + shift)
    np.testing.assert_array_equal(read_samples(room.presenter.takes.folder, replace(new, samples=None)), new.samples)
    room.presenter.redo(new.id, 7)  # no such paragraph
    assert not room.presenter.is_speaking


@pytest.mark.usefixtures("never_ends")
def test_a_paragraph_that_runs_on_is_not_taken_over(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.model.model.budget_tokens", lambda _: 10)
    room.speak_seed(3, TWO)
    room.presenter.redo(newest(room).id, 0)
    wait_all(room)
    assert len(room.presenter.takes.all) == 1
    assert room.said[-1].startswith("The paragraph ran on")


@pytest.mark.usefixtures("ends_early")
def test_best_of_stars_the_take_that_sounds_most_like_the_voice(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    listen_with(monkeypatch, "no speech recogniser is installed")
    record = room.save_voice("Mario")
    room.presenter.choose_voice(voice_key(record.id))
    room.presenter.set_text("Hello there.")
    room.presenter.set_seed(5)
    room.presenter.set_best_of(3)
    room.presenter.speak_best_of()
    wait_all(room)
    takes = room.presenter.takes.all
    assert sorted(take.seed for take in takes) == [5, 6, 7]
    assert all(take.likeness is not None and -1 <= take.likeness <= 1 for take in takes)
    (best,) = [take for take in takes if take.star]
    assert best.likeness == max(take.likeness for take in takes if take.likeness is not None)
    message = room.studio.messages.history[-1]
    assert message.text.startswith(f"Best of 3: take {best.number}, seed {best.seed}, by likeness")
    assert message.text.endswith("The words were not checked: no speech recogniser is installed.")
    assert message.action is not None
    message.action.run()
    assert [take.id for take in room.presenter.takes.all] == [best.id]


@pytest.mark.usefixtures("ends_early")
def test_best_of_stars_the_take_whose_words_came_out(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    listen_with(monkeypatch, Listener(understood=2))
    room.presenter.set_text("[pause: 0.1 s] Hello there.")
    room.presenter.set_seed(5)
    room.presenter.set_best_of(3)
    room.presenter.speak_best_of()
    wait_all(room)
    (best,) = [take for take in room.presenter.takes.all if take.star]
    assert best.seed == 6
    assert {take.seed: take.agreement for take in room.presenter.takes.all} == {5: 0.5, 6: 1.0, 7: 0.5}
    assert room.said[-1].endswith("by words (100 % heard as written) and length. It has a star.")
    assert "words 100 %" in facts_text(best)
    room.wait_files()
    kept = {take.seed: take.agreement for take in read_takes(room.presenter.takes.folder, 9)[0]}
    assert kept == {5: 0.5, 6: 1.0, 7: 0.5}


@pytest.mark.usefixtures("ends_early")
def test_a_recogniser_that_is_broken_takes_no_star_away(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    listen_with(monkeypatch, Listener(1, broken=True))
    room.presenter.set_text("Hello there.")
    room.presenter.set_best_of(2)
    room.presenter.speak_best_of()
    wait_all(room)
    assert [take.star for take in room.presenter.takes.all].count(True) == 1
    assert room.said[-1].endswith("The words were not checked: tiny could not be read.")


@pytest.mark.usefixtures("ends_early")
def test_judging_is_left_at_once(room: Room, monkeypatch: pytest.MonkeyPatch) -> None:
    listener = Listener(1, endless=True)
    listen_with(monkeypatch, listener)
    room.presenter.set_text("Hello there.")
    room.presenter.set_best_of(2)
    room.presenter.speak_best_of()
    room.wait(lambda: listener.heard == 1)
    room.presenter.stop()
    room.wait(lambda: not room.studio.model_lane.busy)
    assert [take.star for take in room.presenter.takes.all] == [False, False]


@pytest.mark.usefixtures("never_ends")
def test_best_of_stops_at_once_and_makes_no_other(room: Room) -> None:
    room.presenter.set_text("Hello there.")
    room.presenter.speak_best_of()
    room.wait(lambda: room.presenter.talk.run is not None and room.presenter.talk.run.source.frames > 0)
    assert (room.presenter.best.step, room.presenter.best.count) == (1, 4)
    room.presenter.stop()
    wait_all(room)
    assert [take.reason for take in room.presenter.takes.all] == ["stopped"]
    assert not any(take.star for take in room.presenter.takes.all)


@pytest.mark.usefixtures("ends_early")
def test_the_style_meter_keeps_both_readings_as_a_and_b(room: Room) -> None:
    presenter = room.presenter
    presenter.set_text("One line.\n\nNot this one.")
    presenter.measure_style()
    assert not presenter.is_speaking  # no style, nothing to measure
    presenter.set_style("angry")
    presenter.set_seed(4)
    presenter.measure_style()
    wait_all(room)
    styled, plain = presenter.takes.all
    assert ((plain.style, styled.style), plain.seed, styled.seed, plain.text) == (("", "angry"), 4, 4, "One line.")
    assert presenter.comparing.sides == {plain.id: "A", styled.id: "B"}
    assert plain.samples is not None
    assert styled.samples is not None
    assert presenter.meter.words == change_text(engine.delivery_change(plain.samples, styled.samples))
    presenter.set_style("calm")
    assert presenter.meter.words == ""


def test_what_the_meter_says() -> None:
    change = engine.DeliveryChange(1.84, 0.88, 3.02)
    assert change_text(change) == "pitch +1.8 semitones · 12 % slower · 3.0 dB louder"
    assert change_text(engine.DeliveryChange(None, 1.0, 0.0)) == "pitch not found · as fast · as loud"
    assert first_line("[pause: 1 s] One. Two.") == "One. Two."
    assert len(first_line("A sentence of some words. " * 60)) < 200


@pytest.mark.usefixtures("ends_early")
def test_speed_is_exact_and_kept(room: Room) -> None:
    room.speak_seed(3, TWO)
    room.presenter.set_tuning(Tuning(speed=1.25, temperature=0.5))
    room.presenter.set_tuning(Tuning(speed=1.25))
    room.speak()
    fast, usual = room.presenter.takes.all
    assert fast.tuning == Tuning(speed=1.25)
    for quick, slow in zip(fast.parts, usual.parts, strict=True):
        assert slow.frames / quick.frames == pytest.approx(1.25, rel=0.05)  # a window of 40 ms is a twentieth here
    assert "1.25 × speed" in room.presenter.takes.all[0].tuning.words


@pytest.mark.usefixtures("ends_early")
def test_sampling_reaches_the_model(room: Room) -> None:
    room.speak_seed(3)
    room.presenter.set_tuning(Tuning(top_k=1))
    room.speak()
    room.presenter.set_seed(4)
    room.speak()
    greedy_again, greedy, usual = (read_samples(room.presenter.takes.folder, take) for take in room.presenter.takes.all)
    assert not np.array_equal(greedy[: 1920 * 4], usual[: 1920 * 4])
    assert len(greedy_again) == len(greedy)


@pytest.mark.usefixtures("ends_early")
def test_prompts_that_were_spoken_with_are_remembered(room: Room) -> None:
    for style in ("calm", "sad", "calm"):
        room.presenter.set_style(style)
        room.speak_seed(3)
    assert room.presenter.choices.used_styles == ("calm", "sad")


def test_pace_counts_from_the_first_sound_on() -> None:
    pace = Pace()
    pace.note(0.0, 0.5)
    assert pace.speed is None
    pace.note(0.1, 2.0)  # the first sound took two seconds: that is the reading of the text
    assert pace.speed is None
    pace.note(1.1, 2.5)
    assert pace.speed == pytest.approx(2.0)


@pytest.mark.parametrize("speed", [0.25, 0.5, 0.8, 0.95])
def test_what_is_in_hand_lasts_to_the_end(speed: float) -> None:
    """Played from then on, sound made at that speed never runs dry, as long as the wait is not too long."""
    whole = 6.0
    made = next(made for made in np.arange(0, whole, 0.01) if made >= seconds_in_hand(whole - made, speed))
    for played in np.arange(0, whole, 0.01):
        assert min(whole, made + played * speed) >= min(played, whole) - 1e-6
    assert seconds_in_hand(whole, 2.0) == 0.3  # fast enough: at once
    assert seconds_in_hand(600.0, 0.2) == 10.0
