"""Levels against arithmetic, envelopes against one-piece ones."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.sound import levels
from tests.app.sound.fakes import sine


@pytest.mark.parametrize("dbfs", [0.0, -6.0, -20.0, -60.0])
def test_sine_has_its_peak_and_three_less_in_rms(dbfs: float) -> None:
    tone = sine(997.0, 1.0, 10 ** (dbfs / 20), 48_000)
    assert levels.peak_dbfs(tone) == pytest.approx(dbfs, abs=0.02)
    assert levels.rms_dbfs(tone) == pytest.approx(dbfs - 3.01, abs=0.02)


def test_silence_and_nothing_are_the_floor() -> None:
    for samples in (np.zeros(10, np.float32), np.zeros(0, np.float32), np.zeros((0, 2), np.float32)):
        assert levels.peak_dbfs(samples) == levels.FLOOR_DBFS
        assert levels.rms_dbfs(samples) == levels.FLOOR_DBFS


def test_a_dead_channel_does_not_lower_the_level() -> None:
    both = np.stack([sine(440.0, 1.0, 0.5), np.zeros(16_000, np.float32)], axis=1)
    assert levels.rms_dbfs(both) == pytest.approx(-6.02 - 3.01, abs=0.02)


def test_only_runs_at_full_scale_are_clipped() -> None:
    samples = np.zeros(100, np.float32)
    samples[10] = 1.0  # a peak
    samples[20:22] = 1.0  # two
    assert levels.clipped_runs(samples) == 0
    samples[30:33] = 32767 / 32768  # three, as a 16-bit converter says full scale
    samples[40:50] = -1.0
    samples[97:] = 1.2  # to the very end
    assert levels.clipped_runs(samples) == 3
    assert levels.clipped_runs(np.stack([samples, samples], axis=1)) == 6


@given(
    st.integers(1, 400),
    st.sampled_from([8000, 11_025, 22_050, 44_100, 48_000]),
    st.lists(st.integers(0, 700), max_size=12),
    st.integers(1, 2),
)
def test_envelope_is_the_same_however_the_sound_is_cut(seed: int, rate: int, cuts: list[int], channels: int) -> None:
    samples = np.random.default_rng(seed).uniform(-1, 1, (sum(cuts), channels)).astype(np.float32)
    builder = levels.Envelope(rate)
    columns, at = [], 0
    for cut in cuts:
        columns.append(builder.add(samples[at : at + cut]))
        at += cut
    pieces = np.concatenate([np.zeros((0, 2), np.float32), *columns, builder.finish()])
    starts = [-(-index * rate // 100) for index in range(len(samples) * 100 // rate + 2)]
    expected = [
        (samples[a:b].min(), samples[a:b].max())
        for a, b in zip(starts, [*starts[1:], None], strict=True)
        if len(samples[a:b])
    ]
    assert pieces.dtype == np.float32
    np.testing.assert_array_equal(pieces, np.array(expected, np.float32).reshape(-1, 2))
    np.testing.assert_array_equal(pieces, levels.envelope(samples, rate))
