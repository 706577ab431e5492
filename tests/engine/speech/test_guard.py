"""The runaway guard: ends loops and silence, leaves speech alone."""

from __future__ import annotations

import numpy as np
import torch

from engine.speech.guard import LOOP, SILENCE, Guard
from tests.sounds import RATE, tone, voiced

_FRAME_SAMPLES = 1920


def frames(count: int, seed: int = 1) -> torch.Tensor:
    return torch.randint(0, 2048, (count, 16), generator=torch.Generator().manual_seed(seed))


def first_reason(guard: Guard, codes: torch.Tensor) -> tuple[str, int]:
    for number, frame in enumerate(codes):
        if reason := guard.hear_codes(frame):
            return reason, number
    return "", len(codes)


def test_ordinary_codes_never_stop_it() -> None:
    assert first_reason(Guard(), frames(3000)) == ("", 3000)


def test_a_phrase_again_and_again_is_a_loop() -> None:
    for period in (1, 7, 30):
        codes = torch.cat((frames(100), frames(period, 2).repeat(1000 // period, 1)))
        reason, number = first_reason(Guard(), codes)
        assert reason == LOOP
        assert 100 + 60 <= number <= 100 + 63 + period


def test_a_phrase_said_twice_is_no_loop() -> None:
    phrase = frames(30, 3)
    assert first_reason(Guard(), torch.cat((frames(50), phrase, phrase, frames(50, 4))))[0] == ""


def test_frames_that_differ_in_one_book_are_no_loop() -> None:
    codes = frames(1, 5).repeat(200, 1)
    codes[:, 7] = torch.arange(200)
    assert first_reason(Guard(), codes)[0] == ""


def test_long_silence_after_speech() -> None:
    guard = Guard()
    assert guard.hear_sound(voiced(2.0)) == ""
    silence = np.zeros(_FRAME_SAMPLES, np.float32)
    said = [guard.hear_sound(silence) for _ in range(60)]
    assert SILENCE in said
    assert said.index(SILENCE) == 49  # four seconds of frames


def test_silence_before_speech_and_pauses_are_borne() -> None:
    guard = Guard()
    assert guard.hear_sound(np.zeros(10 * RATE, np.float32)) == ""
    for _ in range(5):
        assert guard.hear_sound(tone(200, 0.5)) == ""
        assert guard.hear_sound(np.zeros(3 * RATE, np.float32)) == ""
