"""The signal bank: one clip without a fault, and the faults that can be added to it. All of it is computed."""

from __future__ import annotations

from functools import cache

import numpy as np
import soxr

import engine
import resources
from engine.audio.reference import quiet_end

RATE = engine.SAMPLE_RATE


@cache
def _sample() -> np.ndarray:
    """Synthetic speech that ships with the program; it begins and ends in a pause."""
    samples = engine.read_clip(resources.path("sample", "sample_clip.flac"), end_seconds=10.0).samples
    samples = samples[: quiet_end(samples, 1.0)]
    samples.flags.writeable = False
    return samples


def speech() -> np.ndarray:
    """float32 [n], nearly 10 s of clean speech."""
    return _sample().copy()


def clip(samples: np.ndarray, rate: int = RATE) -> engine.Clip:
    return engine.clip_from_samples(samples.astype(np.float32), rate)


def seconds_of(samples: np.ndarray) -> np.ndarray:
    return np.arange(len(samples)) / RATE


def noisy(snr_db: float) -> np.ndarray:
    samples = speech()
    level = np.sqrt(np.mean(samples**2)) * 10 ** (-snr_db / 20)
    return samples + level * np.random.default_rng(1).standard_normal(len(samples))


def hummed(hz: float, level: float = 0.01) -> np.ndarray:
    samples = speech()
    return samples + level * np.sin(2 * np.pi * hz * seconds_of(samples))


def telephone(rate: int = 48_000) -> engine.Clip:
    """Through 8 kHz, back in a wide file."""
    return clip(soxr.resample(soxr.resample(speech(), RATE, 8000), 8000, rate), rate)


def echoed(seconds: float) -> np.ndarray:
    """In a room whose sound takes `seconds` to fall by 60 dB."""
    samples = speech()
    length = round(1.5 * seconds * RATE)
    room = np.random.default_rng(1).standard_normal(length) * 10 ** (-3 * np.arange(length) / RATE / seconds)
    room[0] = 8
    size = 1 << 20
    wet = np.fft.irfft(np.fft.rfft(samples, size) * np.fft.rfft(room, size))[: len(samples)]
    return 0.7 * wet / np.abs(wet).max()


def with_music(level: float = 0.05) -> np.ndarray:
    """Three-part chords that change a little more than once a second."""
    samples = speech()
    t = seconds_of(samples)
    notes = np.array([262, 330, 392, 440])
    return samples + level * sum(np.sin(2 * np.pi * notes[((t * 1.2).astype(int) * k) % 4] * t) for k in (1, 2, 3))


def two_voices() -> np.ndarray:
    """The same speech, then played 1.8 times as fast: another, much higher voice."""
    samples = speech()
    half = samples[: len(samples) // 2]
    high = np.interp(np.arange(0, len(half), 1.8), np.arange(len(half)), half)
    return np.concatenate([samples[: 10 * RATE], high, high])
