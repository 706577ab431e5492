"""What is cloned in context ends well."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.audio.reference import end_quietly
from tests.sounds import RATE, tone, voiced

_HALF_SECOND = RATE // 2


def clip_of(samples: np.ndarray) -> engine.Clip:
    return engine.clip_from_samples(samples, RATE)


def test_a_clip_cut_in_mid_vowel_loses_the_vowel() -> None:
    word, pause, begun = tone(200, 2.0), np.zeros(RATE // 5, np.float32), tone(200, 0.3)
    ended = end_quietly(clip_of(np.concatenate((word, pause, begun))))
    assert len(ended.samples) < len(word) + len(pause) + _HALF_SECOND + 1
    assert np.array_equal(ended.samples[: len(word)], word)
    assert not ended.samples[len(word) + len(pause) :].any()
    assert "mid-word" in ended.notes[-1]


def test_a_clip_that_ends_quietly_is_only_lengthened() -> None:
    wave = np.concatenate((voiced(2.0), np.zeros(RATE // 4, np.float32)))
    ended = end_quietly(clip_of(wave))
    assert len(ended.samples) == len(wave) + _HALF_SECOND
    assert np.array_equal(ended.samples[: 2 * RATE], wave[: 2 * RATE])
    assert ended.notes == clip_of(wave).notes


def test_where_nothing_is_quiet_nothing_is_cut() -> None:
    wave = tone(200, 3.0)
    ended = end_quietly(clip_of(wave))
    assert len(ended.samples) == len(wave) + _HALF_SECOND
    assert abs(ended.samples[len(wave) - 1]) < 1e-3  # faded, so that the silence does not begin with a click


@pytest.mark.parametrize("seconds", [0.005, 0.02, 0.5])
def test_short_clips(seconds: float) -> None:
    wave = tone(200, seconds)
    assert len(end_quietly(clip_of(wave)).samples) <= len(wave) + _HALF_SECOND


def test_the_codes_are_of_the_quiet_end(model, clip) -> None:
    base = model("tiny-base")
    as_it_is = base.clone(clip, "Some words.", quiet_end=False)
    ended = base.clone(clip, "Some words.")
    assert np.array_equal(ended.x_vector, as_it_is.x_vector)  # of the clip as it was seen
    whole = base.codec.encode(end_quietly(clip).samples).numpy()
    assert np.array_equal(ended.codes, whole)
