"""What is mended is no longer found, nothing else is touched, and the original stays."""

from __future__ import annotations

import numpy as np
import pytest

import engine
from tests.engine.doctor import bank
from tests.engine.doctor.bank import clip
from tests.sounds import snr_db


def mend_of(sound: engine.Clip, key: str) -> engine.Mend:
    mend = next(finding.mend for finding in engine.examine_clip(sound) if finding.key == key)
    assert mend is not None
    return mend


@pytest.mark.parametrize(
    ("key", "samples"),
    [("offset", bank.speech() + 0.3), ("hum", bank.hummed(50.0)), ("level", bank.speech() * 0.002)],
)
def test_a_mend_takes_its_finding_away_and_leaves_the_original(key: str, samples: np.ndarray) -> None:
    sound = clip(samples)
    before = sound.samples.copy()
    mended = engine.mend_clip(sound, [mend_of(sound, key).edit])
    assert [finding for finding in engine.examine_clip(mended) if finding.key == key and finding.mend] == []
    np.testing.assert_array_equal(sound.samples, before)
    assert len(mended.samples) == len(before)


def test_the_hum_filter_brings_the_sound_nearer_to_the_speech_without_it() -> None:
    sound = clip(bank.hummed(50.0, 0.05))
    mended = engine.mend_clip(sound, [mend_of(sound, "hum").edit])
    assert snr_db(bank.speech(), mended.samples) > snr_db(bank.speech(), sound.samples) + 15


def test_without_edits_nothing_changes() -> None:
    sound = clip(bank.speech())
    assert engine.mend_clip(sound, []) is sound
