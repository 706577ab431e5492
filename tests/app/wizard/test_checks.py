"""The checks of a selection, on sounds whose faults are known."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from app.wizard.best_part import best_part
from tests.app.wizard.conftest import voice
from tests.sounds import RATE, tone


@pytest.mark.parametrize(
    ("seconds", "verdict", "blocks"),
    [
        *((0.4, "bad", True), (0.99, "bad", True), (1.0, "warn", False), (2.9, "warn", False), (3.0, "note", False)),
        *((5.0, "good", False), (15.0, "good", False), (29.9, "good", False), (30.0, "good", False)),
        *((30.1, "bad", True), (61.0, "bad", True)),
    ],
)
def test_length_is_judged_against_the_useful_range(seconds: float, verdict: str, blocks: bool) -> None:
    finding = engine.length_finding(seconds)
    assert (finding.verdict, finding.blocks) == (verdict, blocks)
    assert f"{seconds:.1f} s" in finding.text


def found(samples: np.ndarray) -> dict[str, engine.Finding]:
    return {finding.key: finding for finding in engine.examine_clip(engine.clip_from_samples(samples, RATE))}


def test_a_peak_at_full_scale_is_not_clipping_but_flat_runs_are() -> None:
    assert found(tone(440.0, 3.0, level=1.0))["clipping"].verdict == "good"
    clipped = voice(3.0)
    for place in range(300):
        clipped[place * 200 : place * 200 + 8] = 1.0
    assert found(clipped)["clipping"].verdict == "warn"


def test_twenty_seconds_with_nineteen_of_silence() -> None:
    samples = np.zeros(20 * RATE, np.float32)
    samples[8 * RATE : 9 * RATE] = voice(1.0)
    finding = found(samples)["silence"]
    assert (finding.verdict, finding.text) == ("warn", "95 % pauses")
    assert finding.mend is not None


def test_a_short_sound_is_taken_whole() -> None:
    assert best_part(voice(4.0)) == (0.0, 4.0)


def test_the_best_part_of_a_long_sound_is_where_the_speech_is() -> None:
    samples = np.zeros(90 * RATE, np.float32)
    samples[50 * RATE : 78 * RATE] = voice(28.0)
    start, end = best_part(samples)
    assert start <= 50.0
    assert end >= 78.0
    assert 28.0 <= end - start <= 30.0


def test_the_best_part_avoids_clipped_speech() -> None:
    samples = voice(70.0)
    samples[: 30 * RATE] = np.clip(samples[: 30 * RATE] * 30, -1, 1)
    start, end = best_part(samples)
    assert start >= 29.5
    assert end - start <= 30.0
