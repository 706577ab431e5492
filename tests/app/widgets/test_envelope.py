"""The envelope against the plain definition, at every zoom."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.widgets.envelope import Envelope, find_clipped_runs
from app.widgets.live_columns import LiveColumns

NOISE = np.random.default_rng(5).uniform(-0.9, 0.9, 50_000).astype(np.float32)
NOISY = Envelope(NOISE)


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 49_000), st.integers(800, 60_000), st.integers(1, 400))
def test_extremes_are_never_missed_nor_invented(start, length, count) -> None:
    """Each column holds every sample under it, and at most two blocks more at its sides."""
    end = start + length
    if length / count < 1:
        return
    columns = NOISY.columns(start, end, count)
    edges = np.linspace(start, end, count + 1)
    for at in range(0, count, max(1, count // 7)):
        first, last = int(np.ceil(edges[at])), int(np.floor(edges[at + 1]))
        under = NOISE[first:last]
        if len(under) == 0:
            continue
        block = max(1, int((edges[at + 1] - edges[at]) / 2))
        around = NOISE[max(0, first - 1 - block) : last + 1 + block]
        assert around.min() <= columns.low[at] <= under.min()
        assert under.max() <= columns.high[at] <= around.max()


def test_rms_of_a_sine_is_its_level_over_root_two() -> None:
    t = np.arange(48_000) / 24_000
    columns = Envelope((0.5 * np.sin(2 * np.pi * 440 * t)).astype(np.float32)).columns(0, 48_000, 40)
    assert columns.rms == pytest.approx(np.full(40, 0.5 / np.sqrt(2)), rel=0.02)


def test_outside_the_sound_there_is_silence() -> None:
    columns = NOISY.columns(-20_000, 70_000, 90)
    assert not columns.high[:19].any()
    assert not columns.high[71:].any()
    assert columns.high[30:60].all()


def test_finer_than_samples_the_curve_goes_through_them() -> None:
    samples = np.array([0, 0.5, -0.5, 0.25, 0], dtype=np.float32)
    columns = Envelope(samples).columns(0, 5, 50)
    assert columns.high.max() == pytest.approx(0.5, abs=0.05)
    assert columns.low.min() == pytest.approx(-0.5, abs=0.05)


def test_an_empty_sound_is_silence() -> None:
    assert not Envelope(np.zeros(0, dtype=np.float32)).columns(0, 100, 10).high.any()


def test_clipped_runs_are_found_and_honest_peaks_are_not() -> None:
    samples = np.zeros(1000, dtype=np.float32)
    samples[100:108] = 1.0
    samples[500:502] = -1.0
    samples[997:] = -1.0
    assert find_clipped_runs(samples).tolist() == [[100, 108], [997, 1000]]


@pytest.mark.parametrize("count", [3, 10, 97, 1000, 1900])
def test_a_clipped_run_marks_its_columns_at_every_zoom(count) -> None:
    samples = np.zeros(2000, dtype=np.float32)
    samples[1200:1210] = 1.0
    clipped = np.flatnonzero(Envelope(samples).columns(0, 2000, count).clipped)
    places = (clipped + 0.5) * 2000 / count
    assert len(clipped) >= 1
    assert np.all(np.abs(places - 1205) <= 5 + 2000 / count)


def test_live_columns_read_like_an_envelope() -> None:
    live = LiveColumns()
    for at in range(3000):
        level = np.array([at / 3000], dtype=np.float32)
        live.append(-level, level, level / 2, np.array([at == 2999]))
    columns = live.columns(0, 6000, 600)
    assert columns.high[299] == pytest.approx(2999 / 3000)
    assert columns.low[100] == pytest.approx(-1009 / 3000)
    assert not columns.high[300:].any()
    assert np.flatnonzero(columns.clipped).tolist() == [299]
