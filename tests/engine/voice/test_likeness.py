"""The ear alone hears what cloning hears; the best take ended, sounds alike and is of no odd length."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.voice.likeness import Candidate, scores
from tests.sounds import RATE, voiced


def test_the_ear_hears_the_vector_that_cloning_makes(checkpoints, model) -> None:
    folder = checkpoints.folder("tiny-base")
    sound = voiced(2.0)
    vector = model("tiny-base").clone(engine.clip_from_samples(sound, RATE, "clip")).x_vector
    ear = engine.Ear(folder)
    assert ear.likeness(sound, vector) == pytest.approx(1.0, abs=1e-6)
    other = ear.likeness(voiced(2.0)[::-1].copy(), vector)
    assert other is not None
    assert other < 1.0


def test_what_cannot_be_told_is_not_told(checkpoints) -> None:
    ear = engine.Ear(checkpoints.folder("tiny-base"))
    assert ear.likeness(np.zeros(10, np.float32), np.ones(64, np.float32)) is None
    assert ear.likeness(voiced(1.0), np.ones(7, np.float32)) is None
    assert ear.likeness(voiced(1.0), np.zeros(64, np.float32)) is None


def test_a_model_without_an_ear_is_refused(checkpoints) -> None:
    with pytest.raises(engine.ModelError, match="Choose a Base model"):
        engine.Ear(checkpoints.folder("tiny-custom"))


def test_the_end_counts_most_then_likeness_then_length() -> None:
    runaway, alike, odd = Candidate(4.0, False, 0.99), Candidate(4.0, True, 0.9), Candidate(9.0, True, 0.95)
    plain = Candidate(4.5, True, 0.85)
    ranked = scores([runaway, alike, odd, plain], expected_seconds=4.0)
    assert sorted(range(4), key=ranked.__getitem__, reverse=True) == [1, 3, 2, 0]


def test_a_slow_style_is_not_held_against_all() -> None:
    slow = [Candidate(8.0, True, 0.9), Candidate(8.2, True, 0.9), Candidate(4.0, True, 0.9)]
    assert scores(slow, expected_seconds=4.0)[0] == pytest.approx(0.9)
    assert scores(slow, expected_seconds=4.0)[2] < 0.9
    assert scores([Candidate(4.0, True)], 4.0) == [0.0]  # no likeness known


def test_words_that_were_swallowed_cost_more_than_a_little_likeness() -> None:
    alike, whole = Candidate(4.0, True, 0.95, 0.7), Candidate(4.0, True, 0.9, 1.0)
    assert scores([alike, whole], 4.0) == pytest.approx([1.65, 1.9])
