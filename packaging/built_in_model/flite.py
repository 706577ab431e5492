"""flite's voices made into many speakers: formants warped by resampling, pitch and pace set by flite's own features."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import soundfile
import soxr

RATE = 24_000
FLITE_RATE = 16_000
_LOUDNESS, _PEAK = 0.08, 0.9
_EDGE_SECONDS = 0.06  # of silence kept at either end
_AUDIBLE = 0.01
_FFT, _HOP, _SMOOTH = 1024, 256, 40  # of the whisper; cepstral bins that make the envelope

FloatArray = npt.NDArray[np.float32]
Phone = tuple[str, float]  # its name, when it ends in seconds


@dataclass(frozen=True)
class Manner:
    """How an utterance is said: factors on duration and pitch, the pitch's spread in Hz, whether it is whispered."""

    stretch: float = 1.0
    pitch: float = 1.0
    spread_hz: float | None = None
    whispered: bool = False


MANNERS = {
    "plain": Manner(),
    "slow": Manner(stretch=1.5),
    "fast": Manner(stretch=0.7),
    "excited": Manner(stretch=0.92, pitch=1.35, spread_hz=32),
    "low": Manner(stretch=1.12, pitch=0.78, spread_hz=6),
    "whisper": Manner(whispered=True),
}


@dataclass(frozen=True)
class Speaker:
    """A flite voice with its formants warped by `warp`, at a mean pitch and a pace of its own."""

    voice: str
    warp: float
    pitch_hz: float
    stretch: float = 1.0


def speak(text: str, speaker: Speaker, manner: Manner, scratch: Path) -> tuple[FloatArray, list[Phone]]:
    """Samples at 24 kHz and the phones with the times they end at."""
    k = speaker.warp
    features = {
        "duration_stretch": speaker.stretch * manner.stretch * k,
        "int_f0_target_mean": speaker.pitch_hz * manner.pitch / k,
    }
    if manner.spread_hz is not None:
        features["int_f0_target_stddev"] = manner.spread_hz / k
    settings = [part for name, value in features.items() for part in ("--setf", f"{name}={value:.4f}")]
    command = ["flite", "-voice", speaker.voice, *settings, "-psdur", "-t", text, "-o", str(scratch)]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()
    samples, rate = soundfile.read(scratch, dtype="float32")
    samples = soxr.resample(samples, rate * k, RATE)
    phones = [(name, float(end) / k) for name, _, end in (item.rpartition(":") for item in said)]
    if manner.whispered:
        samples = whispered(samples)
    return _trimmed(samples, phones)


def _trimmed(samples: FloatArray, phones: list[Phone]) -> tuple[FloatArray, list[Phone]]:
    gain = min(
        _LOUDNESS / max(1e-4, float(np.sqrt(np.mean(samples**2)))), _PEAK / max(1e-4, float(np.abs(samples).max()))
    )
    samples = samples * np.float32(gain)
    loud = np.flatnonzero(np.abs(samples) > _AUDIBLE)
    edge = int(_EDGE_SECONDS * RATE)
    first, last = max(0, int(loud[0]) - edge), min(len(samples), int(loud[-1]) + 2 * edge)
    return samples[first:last], [(name, end - first / RATE) for name, end in phones]


def whispered(samples: FloatArray) -> FloatArray:
    """The same spectral envelope over noise instead of a voice."""
    noise = np.random.default_rng(0).standard_normal(len(samples)).astype(np.float32)
    window = np.hanning(_FFT).astype(np.float32)
    starts = np.arange(0, max(1, len(samples) - _FFT), _HOP)[:, None] + np.arange(_FFT)
    spectra = np.fft.rfft(np.take(samples, starts, mode="clip") * window)
    cepstra = np.fft.irfft(np.log(np.abs(spectra) + 1e-4))
    cepstra[:, _SMOOTH:-_SMOOTH] = 0
    envelope = np.exp(np.fft.rfft(cepstra).real)
    envelope *= np.linspace(0.25, 1.6, envelope.shape[1])  # a whisper has little below 500 Hz
    frames = np.fft.irfft(np.fft.rfft(np.take(noise, starts, mode="clip") * window) * envelope) * window
    out = np.zeros(len(samples) + _FFT, np.float32)
    for row, start in zip(frames, starts[:, 0], strict=True):
        out[start : start + _FFT] += row
    return out[: len(samples)]
