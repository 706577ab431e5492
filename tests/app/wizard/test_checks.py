"""The checks of a selection, on sounds whose faults are known."""

from __future__ import annotations

import numpy as np
import pytest

from app.wizard.best_part import best_part
from app.wizard.checks import length_finding, sound_findings
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
    finding = length_finding(seconds)
    assert (finding.verdict, finding.blocks) == (verdict, blocks)
    assert f"{seconds:.1f} s" in finding.text


def found(samples: np.ndarray, clipped: bool = False) -> dict[str, str]:
    return {finding.key: finding.verdict for finding in sound_findings(samples, clipped)}


def test_a_good_clip_has_no_fault() -> None:
    assert found(voice(5.0)) == {"level": "good", "clipping": "good", "silence": "good"}


def test_digital_silence_forbids_cloning() -> None:
    (finding,) = sound_findings(np.zeros(RATE, np.float32))
    assert (finding.key, finding.verdict, finding.blocks) == ("silence", "bad", True)


def test_a_peak_at_full_scale_is_not_clipping_but_flat_runs_are() -> None:
    honest = tone(440.0, 3.0, level=1.0)
    assert found(honest)["clipping"] == "good"
    clipped = voice(3.0)
    for place in range(300):
        clipped[place * 200 : place * 200 + 8] = 1.0
    assert found(clipped)["clipping"] == "warn"


def test_clipping_seen_by_the_recorder_counts_after_resampling() -> None:
    assert found(voice(3.0), clipped=True)["clipping"] == "warn"


def test_a_whisper_of_a_level_is_told() -> None:
    assert found(voice(3.0) * 0.002)["level"] == "warn"


def test_twenty_seconds_with_nineteen_of_silence() -> None:
    samples = np.zeros(20 * RATE, np.float32)
    samples[8 * RATE : 9 * RATE] = voice(1.0)
    assert found(samples)["silence"] == "warn"
    assert "95 % pauses" in [finding.text for finding in sound_findings(samples)]


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
