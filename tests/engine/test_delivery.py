"""Pitch, pace and energy, against sounds whose figures are known."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.audio.delivery import measure_delivery
from engine.audio.stretch import stretch
from tests.sounds import RATE, tone, voiced


def buzz(hz: float, seconds: float = 1.0, level: float = 0.2) -> np.ndarray:
    """Harmonics, the second louder than the first, as in a voice."""
    return level * (tone(hz, seconds, 0.5) + tone(2 * hz, seconds, 1.0) + tone(3 * hz, seconds, 0.7)).astype(np.float32)


@pytest.mark.parametrize("hz", [70.0, 110.0, 143.7, 220.0, 333.0, 480.0])
def test_pitch_is_right_to_a_tenth_of_a_semitone(hz: float) -> None:
    found = measure_delivery(buzz(hz)).pitch_hz
    assert found is not None
    assert abs(12 * np.log2(found / hz)) < 0.1


def test_pauses_at_either_end_do_not_count() -> None:
    silence = np.zeros(RATE, np.float32)
    found = measure_delivery(np.concatenate((silence, buzz(200, 1.5), silence)))
    assert found.seconds == pytest.approx(1.5, abs=0.03)
    assert found.level_dbfs == pytest.approx(measure_delivery(buzz(200, 1.5)).level_dbfs, abs=0.2)


def test_noise_and_silence_have_no_pitch() -> None:
    noise = np.random.default_rng(1).normal(0, 0.1, RATE).astype(np.float32)
    assert measure_delivery(noise).pitch_hz is None
    for nothing in (np.zeros(RATE, np.float32), np.zeros(0, np.float32), np.zeros(10, np.float32)):
        found = measure_delivery(nothing)
        assert (found.pitch_hz, found.seconds) == (None, 0.0)
        assert engine.delivery_change(nothing, noise).pace == 1.0


def test_a_change_is_told_in_semitones_times_and_decibels() -> None:
    change = engine.delivery_change(buzz(100, 2.0, 0.1), buzz(200, 1.0, 0.2))
    assert change.pitch_semitones == pytest.approx(12, abs=0.1)
    assert change.pace == pytest.approx(2, abs=0.05)
    assert change.level_db == pytest.approx(6, abs=0.2)


def test_the_same_speech_faster_is_only_faster() -> None:
    change = engine.delivery_change(voiced(3.0), stretch(voiced(3.0), 1.25))
    assert change.pace == pytest.approx(1.25, rel=0.02)
    assert change.pitch_semitones == pytest.approx(0, abs=0.5)  # its pitch glides; other frames are heard
    assert change.level_db == pytest.approx(0, abs=0.5)
