"""Features, whisper and spoiling of made-up sounds."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from built_in_model import features, judges
from built_in_model.decoder import SpectralLoss, resampled
from built_in_model.flite import whispered
from built_in_model.speaker import spoilt
from built_in_model.speech import SLOT

RATE = 24_000


def voice(pitch_hz: float, seconds: float = 1.0) -> np.ndarray:
    t = np.arange(int(seconds * RATE)) / RATE
    return sum(0.2 / k * np.sin(2 * np.pi * k * pitch_hz * t) for k in range(1, 12)).astype(np.float32)


@pytest.mark.parametrize("pitch_hz", [90.0, 150.0, 240.0])
def test_pitch_is_heard(pitch_hz: float) -> None:
    samples = voice(pitch_hz)
    found = features.pitch(torch.from_numpy(samples), pitch_hz * 1.2)
    assert len(found) == len(samples) // SLOT
    assert float(found[5:-5].median()) == pytest.approx(pitch_hz, rel=0.02)
    assert judges.pitch_of(samples)[0] == pytest.approx(pitch_hz, rel=0.02)


def test_noise_has_no_pitch() -> None:
    noise = 0.1 * np.random.default_rng(0).standard_normal(RATE).astype(np.float32)
    assert float((features.pitch(torch.from_numpy(noise), 150.0) > 0).float().mean()) < 0.1


def test_a_whisper_keeps_the_length_and_loses_the_voice() -> None:
    samples = voice(120.0)
    whisper = whispered(samples)
    assert len(whisper) == len(samples)
    assert judges.pitch_of(whisper)[1] < 0.3 < judges.pitch_of(samples)[1]


def test_envelopes_have_a_row_a_slot() -> None:
    mel = features.log_mel(torch.from_numpy(voice(120.0, 0.8)))
    assert mel.shape == (int(0.8 * RATE) // SLOT, features.BANDS)
    assert bool(torch.isfinite(mel).all())


@pytest.mark.parametrize("part", ["2k", "8k", "24k"])
def test_the_loss_is_nothing_for_the_same_sound(part: str) -> None:
    loss = SpectralLoss(part)
    sound = resampled(torch.from_numpy(voice(120.0))[None], {"2k": 2000, "8k": 8000, "24k": RATE}[part])
    same, other = loss(sound, sound), loss(0.3 * sound, sound)
    assert float(sum(same)) == pytest.approx(0, abs=1e-5)
    assert float(other[0]) > 0.2


def test_spoilt_clips_stay_clips() -> None:
    r = np.random.default_rng(0)
    for _ in range(12):
        clip = spoilt(voice(150.0), r)
        assert clip.dtype == np.float32
        assert clip.shape == (RATE,)
        assert np.isfinite(clip).all()
        assert np.abs(clip).max() <= 1
