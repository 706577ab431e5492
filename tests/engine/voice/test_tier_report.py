"""All tiers of one voice, measured: nothing stays on the disk, what cannot be made is said."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import engine
from engine.errors import Cancelled
from engine.progress import Cancel, Progress
from engine.voice.pair import ModelPair
from engine.voice.tier_report import likeness_of_halves, measure_tiers
from engine.voice.voice import Voice
from tests.engine.voice.test_compare import BASE, CLIP, CUSTOM, SHORT, voice

__all__ = ["voice"]


def test_every_tier_is_measured(voice: Voice, tmp_path: Path) -> None:
    clip = engine.read_clip(CLIP)
    report = measure_tiers(voice, ModelPair(BASE, CUSTOM), clip, SHORT, "Speak slowly.", tmp_path)
    assert [one.tier for one in report.tiers] == ["light", "standard", "wdelta"]
    assert [one.compared.identical for one in report.tiers] == [False, False, True]
    assert all(one.write_seconds > 0 for one in report.tiers)
    assert report.refused == {}
    assert report.halves is not None
    assert -1 <= report.halves <= 1
    assert not list(tmp_path.iterdir())


def test_a_style_is_measured_where_the_model_takes_one(voice: Voice, tmp_path: Path) -> None:
    report = measure_tiers(voice, ModelPair(BASE, CUSTOM), None, SHORT, "Speak slowly.", tmp_path)
    obeys = engine.summarize_model(CUSTOM).obeys_style
    assert [one.compared.style_change is not None for one in report.tiers] == [obeys] * 3
    assert report.halves is None


def test_calling_it_off_leaves_nothing(voice: Voice, tmp_path: Path) -> None:
    cancel = Cancel()

    def stop(progress: Progress) -> None:
        if progress.stage == "speech":
            cancel.cancel()

    with pytest.raises(Cancelled):
        measure_tiers(voice, ModelPair(BASE, CUSTOM), None, SHORT, "", tmp_path, cancel, stop)
    assert not list(tmp_path.iterdir())


def test_the_halves_of_a_short_clip_are_not_judged() -> None:
    clip = engine.clip_from_samples(np.zeros(engine.SAMPLE_RATE // 50, np.float32), engine.SAMPLE_RATE)
    assert likeness_of_halves(clip, BASE) is None
