"""Sounds that every machine computes alike; none is a recording of a person."""

from __future__ import annotations

import numpy as np

RATE = 24_000


def voiced(seconds: float, rate: int = RATE) -> np.ndarray:
    """float32 [n]: harmonics of a gliding pitch under moving formants and a syllable-like envelope, a little noise.

    The very clip the official results in `tests/data/goldens` were made with.
    """
    t = np.arange(round(seconds * rate), dtype=np.float64) / rate
    pitch = 140 + 35 * np.sin(2 * np.pi * 0.7 * t) + 10 * np.sin(2 * np.pi * 5.1 * t)
    phase = 2 * np.pi * np.cumsum(pitch) / rate
    formants_hz = (500 + 250 * np.sin(2 * np.pi * 1.3 * t), 1500 + 500 * np.sin(2 * np.pi * 0.9 * t + 1), 2600)
    voice = np.zeros_like(t)
    for k in range(1, 25):
        weight = sum(np.exp(-(((k * pitch - hz) / 180.0) ** 2)) for hz in formants_hz)
        voice += (0.05 + weight) / k**0.5 * np.sin(k * phase)
    envelope = np.clip(np.sin(2 * np.pi * 2.3 * t) + 0.6, 0.02, 1.0)
    wave = 0.12 * voice * envelope + 0.01 * _noise(len(t))
    integers = np.round(np.clip(wave, -1, 1) * 32767).astype(np.int16)
    return integers.astype(np.float32) / np.float32(32768.0)


def tone(hz: float, seconds: float, level: float = 0.5, rate: int = RATE) -> np.ndarray:
    """float32 [n]: a sine."""
    t = np.arange(round(seconds * rate)) / rate
    return (level * np.sin(2 * np.pi * hz * t)).astype(np.float32)


def _noise(count: int) -> np.ndarray:
    """A linear congruential generator's values in -1 .. 1: no library's random stream."""
    state, out = 12345, np.empty(count)
    for i in range(count):
        state = (1103515245 * state + 12345) % 2147483648
        out[i] = state / 1073741824 - 1
    return out


def snr_db(wanted: np.ndarray, found: np.ndarray) -> float:
    """Signal-to-difference ratio in dB of two equally long waves."""
    assert wanted.shape == found.shape
    difference = float(np.square(wanted - found, dtype=np.float64).sum())
    return np.inf if difference == 0 else 10 * np.log10(float(np.square(wanted, dtype=np.float64).sum()) / difference)


def best_match(wanted: np.ndarray, heard: np.ndarray) -> tuple[float, int]:
    """The highest normalised correlation of `wanted` with any stretch of `heard`, and where that stretch begins.

    Aligned to a twentieth of a sample, since a resampler on the way delays by a fraction of one.
    """
    wanted, heard = wanted.astype(np.float64), heard.astype(np.float64)
    size = 1 << (len(heard) + len(wanted)).bit_length()
    products = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(wanted, size)), size)
    products = products[: max(1, len(heard) - len(wanted) + 1)]
    power = np.concatenate(([0.0], np.cumsum(np.square(heard))))
    energy = np.maximum(power[len(wanted) :] - power[: -len(wanted)], 1e-12)[: len(products)]
    start = int((products / np.sqrt(energy)).argmax())
    stretch = heard[start : start + len(wanted)]
    spectrum, turns = np.fft.rfft(wanted), np.fft.rfftfreq(len(wanted))
    scores = []
    for delay in np.linspace(-1, 1, 41):
        shifted = np.fft.irfft(spectrum * np.exp(-2j * np.pi * turns * delay), len(wanted))
        scores.append(np.dot(shifted, stretch) / (np.linalg.norm(shifted) * np.linalg.norm(stretch) + 1e-12))
    return float(max(scores)), start
