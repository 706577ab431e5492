"""Speed without another pitch, whole and in pieces."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from engine.audio.delivery import measure_delivery
from engine.audio.stretch import Stretcher, stretch
from tests.sounds import RATE, tone, voiced


@pytest.mark.parametrize("speed", [0.5, 0.8, 1.25, 2.0])
def test_length_follows_and_pitch_stays(speed: float) -> None:
    sound = tone(150, 3.0, 0.3) + tone(300, 3.0, 0.2)
    made = stretch(sound, speed)
    assert len(sound) / len(made) == pytest.approx(speed, rel=0.01)
    assert measure_delivery(made).pitch_hz == pytest.approx(150, rel=0.005)
    assert measure_delivery(made).level_dbfs == pytest.approx(measure_delivery(sound).level_dbfs, abs=0.5)


def test_pieces_join_to_the_whole() -> None:
    sound = voiced(2.0)
    stretcher = Stretcher(1.2)
    pieces = [stretcher.push(piece) for piece in np.array_split(sound, 23)]
    np.testing.assert_array_equal(np.concatenate([*pieces, stretcher.finish()]), stretch(sound, 1.2))


def test_at_its_own_speed_every_sample_stays() -> None:
    sound = voiced(0.5)
    assert stretch(sound, 1.0) is not sound
    np.testing.assert_array_equal(stretch(sound, 1.0), sound)
    assert len(Stretcher(1.5).finish()) == 0  # nothing in, nothing out


@pytest.mark.parametrize("speed", [0.0, 0.49, 2.01, float("nan")])
def test_absurd_speeds_are_refused(speed: float) -> None:
    with pytest.raises(engine.RequestError, match="times as fast"):
        Stretcher(speed)


def test_a_short_sound_comes_out_short() -> None:
    assert len(stretch(tone(200, 0.05), 2.0)) <= RATE // 20
