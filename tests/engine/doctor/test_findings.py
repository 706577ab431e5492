"""Each fault is found in a clip that has it, and in none that has not."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import engine
from tests.engine.doctor import bank
from tests.engine.doctor.bank import RATE, clip


def found(sound: engine.Clip) -> dict[str, engine.Finding]:
    return {finding.key: finding for finding in engine.examine_clip(sound)}


def faults(sound: engine.Clip) -> set[str]:
    return {key for key, finding in found(sound).items() if finding.verdict != "good"}


def test_clean_speech_has_no_fault() -> None:
    verdicts = {key: finding.verdict for key, finding in found(clip(bank.speech())).items()}
    assert verdicts == dict.fromkeys(("level", "clipping", "silence", "noise"), "good")


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda: clip(bank.speech() * 0.002), "level"),
        (lambda: clip(np.clip(bank.speech() * 30, -1, 1)), "clipping"),
        (lambda: clip(bank.speech() + 0.3), "offset"),
        (lambda: clip(bank.hummed(50.0)), "hum"),
        (lambda: clip(bank.hummed(60.0)), "hum"),
        (lambda: clip(bank.noisy(10.0)), "noise"),
        (lambda: bank.telephone(), "band"),
        (lambda: clip(bank.echoed(1.2)), "room"),
        (lambda: clip(bank.with_music()), "music"),
        (lambda: clip(bank.two_voices()), "voices"),
        (lambda: clip(np.stack([bank.speech(), np.zeros_like(bank.speech())], axis=1)), "channels"),
        (lambda: clip(np.stack([bank.speech(), -bank.speech()], axis=1)), "channels"),
        (lambda: clip(np.pad(bank.speech()[: 4 * RATE], (0, 16 * RATE))), "silence"),
        (lambda: clip(0.1 * np.random.default_rng(1).standard_normal(5 * RATE)), "silence"),
    ],
)
def test_a_fault_is_found(make: Callable[[], engine.Clip], key: str) -> None:
    sound = make()
    finding = found(sound)[key]
    assert finding.verdict != "good"
    assert finding.why
    assert not finding.blocks
    assert all(0 <= start < end <= sound.seconds + 0.05 for start, end in finding.spans)


@pytest.mark.parametrize(
    ("make", "key"),
    [
        (lambda: clip(bank.speech() * 0.1), "level"),
        (lambda: clip(bank.speech() / np.abs(bank.speech()).max()), "clipping"),  # one peak at full scale
        (lambda: clip(bank.speech() + 0.003), "offset"),
        (lambda: clip(bank.hummed(55.0)), "hum"),
        (lambda: clip(bank.hummed(50.0, 1e-4)), "hum"),
        (lambda: clip(bank.noisy(40.0)), "noise"),
        (lambda: clip(bank.noisy(20.0)), "band"),
        (lambda: clip(bank.echoed(0.2)), "room"),
        (lambda: clip(bank.noisy(20.0)), "room"),
        (lambda: clip(bank.echoed(1.2)), "music"),
        (lambda: clip(bank.hummed(50.0)), "music"),
        (lambda: clip(bank.noisy(10.0)), "voices"),
        (lambda: clip(np.stack([bank.speech(), bank.speech()], axis=1)), "channels"),
        (lambda: clip(np.pad(bank.speech(), RATE)), "silence"),
    ],
)
def test_what_is_no_fault_is_not_one(make: Callable[[], engine.Clip], key: str) -> None:
    assert key not in faults(make())


def test_digital_silence_is_all_that_is_said_and_forbids_cloning() -> None:
    (finding,) = engine.examine_clip(clip(np.zeros(RATE)))
    assert (finding.key, finding.verdict, finding.blocks) == ("silence", "bad", True)


def test_words_cut_at_either_end_are_found_and_trimmed_into_a_pause() -> None:
    loud = np.flatnonzero(engine.hop_levels(bank.speech()) > -18) * engine.LEVEL_HOP_SECONDS
    first, last = float(loud[5]), float(loud[-5])
    cut = clip(bank.speech()).cut(first + 0.02, last + 0.02)
    assert {"start", "end"} <= faults(cut)
    for key in ("start", "end"):
        finding = found(cut)[key]
        assert finding.mend is not None
        assert key not in faults(engine.mend_clip(cut, [finding.mend.edit]))


def test_clipping_is_seen_before_resampling_and_keeps_its_place_in_a_cut() -> None:
    samples = np.zeros(48_000 * 4, np.float32)
    samples[96_000:96_008] = 1.0
    whole = clip(samples + 1e-3, 48_000)
    ((start, end),) = whole.clipped
    assert (start, end) == pytest.approx((2.0, 2.0 + 8 / 48_000))
    assert whole.cut(1.5, 3.0).clipped == ((pytest.approx(0.5), pytest.approx(0.5 + 8 / 48_000)),)
    assert whole.cut(2.5, 3.0).clipped == ()


@pytest.mark.parametrize("seconds", [0.001, 0.05, 0.3, 0.99, 2.0])
def test_short_clips_are_examined_too(seconds: float) -> None:
    assert engine.examine_clip(clip(bank.speech()[RATE : RATE + max(1, round(seconds * RATE))]))


def test_clean_speech_with_clicks_is_still_one_voice() -> None:
    samples = bank.speech()
    samples[:: 2 * RATE] = 0.9
    assert not {"voices", "music", "clipping"} & faults(clip(samples))


def test_a_cancelled_examination_ends() -> None:
    cancel = engine.Cancel()
    cancel.cancel()
    with pytest.raises(engine.Cancelled):
        engine.examine_clip(clip(bank.speech()), cancel)
