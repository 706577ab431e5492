"""Long texts: groups, joins, levels, single groups again."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.audio.measure import level_dbfs
from engine.speech.reading import join_groups, speak_group, split_request
from tests.sounds import RATE, best_match, tone

LONG = " ".join(f"Sentence number {word} is here to make the text longer." for word in ("one", "two", "three") * 12)


def test_groups_hold_the_whole_text_and_the_settings_of_the_whole() -> None:
    request = engine.SpeechRequest(LONG, speaker="ryan", seed=9, language="english")
    groups = split_request(request)
    assert len(groups) > 3
    assert " ".join(group.request.text for group in groups).split() == LONG.split()
    assert {(g.request.seed, g.request.speaker, g.request.language) for g in groups} == {(9, "ryan", "english")}
    assert all(len(group.request.text) <= 400 for group in groups)


def test_paragraphs_have_longer_pauses() -> None:
    groups = split_request(engine.SpeechRequest("First.\n\nSecond.\n\n\n\nThird."))
    assert [group.request.text for group in groups] == ["First.", "Second.", "Third."]
    assert groups[0].pause_seconds > 0.5
    assert groups[-1].pause_seconds == 0
    with pytest.raises(engine.RequestError, match="no text"):
        split_request(engine.SpeechRequest(" \n\n "))


def test_joining_trims_levels_and_pauses() -> None:
    silence = np.zeros(RATE, np.float32)
    loud = np.concatenate((silence, tone(300, 1.0, 0.4), silence))
    quiet = np.concatenate((tone(500, 1.0, 0.25), silence))
    joined = join_groups([loud, quiet], [0.5, 0.0])
    assert len(joined) / RATE == pytest.approx(2.5, abs=0.1)
    first, second = joined[: int(1.0 * RATE)], joined[int(1.6 * RATE) :]
    assert level_dbfs(first[2400:-2400]) == pytest.approx(level_dbfs(second[2400:-2400]), abs=0.5)
    gap = joined[int(1.1 * RATE) : int(1.4 * RATE)]
    assert np.abs(gap).max() < 1e-3


def test_a_whisper_is_not_pulled_up_to_a_shout() -> None:
    shout, whisper = tone(300, 1.0, 0.8), tone(300, 1.0, 0.02)
    joined = join_groups([shout, whisper], [0.3, 0.0])
    assert level_dbfs(joined[-RATE // 2 : -RATE // 10]) == pytest.approx(level_dbfs(whisper) + 6, abs=0.5)


def test_silent_groups_do_no_harm() -> None:
    silence = np.zeros(RATE, np.float32)
    assert np.isfinite(join_groups([silence, tone(300, 1.0), silence], [0.3, 0.3, 0])).all()
    assert len(join_groups([], [])) == 0


def test_reading_a_long_text(model) -> None:
    """Every group is spoken, in order; any one spoken alone again gives the same samples."""
    custom = model("tiny-custom")
    text = "This is the first group. " * 8 + "\n\n" + "And this is the second one. " * 8
    request = engine.SpeechRequest(text, speaker="ryan", seed=4, max_new_tokens=12)
    chunks = list(custom.read(request))
    groups = split_request(request)
    assert len(groups) > 1
    assert [chunk.group for chunk in chunks] == sorted(chunk.group for chunk in chunks)
    assert chunks[-1].last
    assert chunks[-1].groups == len(groups)
    assert chunks[-1].progress.done == chunks[-1].progress.total == len(groups)
    again = speak_group(custom.speak, groups[1].request, 1, retries=0, cancel=engine.Cancel())
    whole = np.concatenate([chunk.samples for chunk in chunks])
    assert best_match(again.samples[2000:-2000], whole)[0] > 0.99


def test_reading_a_short_text_is_speaking_it(model) -> None:
    custom = model("tiny-custom")
    request = engine.SpeechRequest("Hello.", speaker="ryan", seed=4, max_new_tokens=12)
    spoken = np.concatenate([chunk.samples for chunk in custom.speak(request)])
    read = np.concatenate([chunk.samples for chunk in custom.read(request)])
    assert np.array_equal(spoken, read)


@pytest.mark.usefixtures("never_ends")
def test_a_run_that_never_ends_is_tried_with_another_seed(model) -> None:
    """All tries are used, and the reason is said."""
    custom = model("tiny-custom")
    request = engine.SpeechRequest("Hello.", speaker="ryan", seed=4, max_new_tokens=8)
    spoken = speak_group(custom.speak, request, 0, retries=2, cancel=engine.Cancel())
    assert spoken.tries == 3
    assert spoken.reason == "limit"


@pytest.mark.usefixtures("never_ends")
def test_cancelling_a_long_text(model) -> None:
    custom = model("tiny-custom")
    cancel = engine.Cancel()
    heard = []
    request = engine.SpeechRequest("One two three. " * 60, speaker="ryan", seed=4, max_new_tokens=10)
    with pytest.raises(engine.Cancelled):  # noqa: PT012 - the point is when it comes
        for chunk in custom.read(request, cancel):
            heard.append(chunk)
            cancel.cancel()
    assert len(heard) == 1
