"""Noise under the speech, a standing offset, hum of the mains."""

from __future__ import annotations

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view

from engine.audio.clip import SAMPLE_RATE
from engine.audio.doctor.finding import Finding, Mend, Notch, RemoveOffset
from engine.audio.doctor.hearing import Doubles, Hearing

_OFFSET = 0.01
_FLOOR_PERCENTILE = 5
_POOR_SNR_DB = 15.0
_FAIR_SNR_DB = 22.0
_MAINS_HZ = (50.0, 60.0)
_MOST_HARMONICS = 12
_PROMINENCE_DB = 15.0
_LOWEST_HUM_DBFS = -65.0
_STEADY_PERCENTILE = 25  # hum is there all the time; a voice passes


def noise(hearing: Hearing) -> Finding:
    """The quietest twentieth of the clip against its speech."""
    floor = float(np.percentile(hearing.fine, _FLOOR_PERCENTILE))
    snr = hearing.speech_dbfs - floor
    text = f"Speech {snr:.0f} dB over noise"
    if snr >= _FAIR_SNR_DB:
        return Finding("noise", "good", text, "The level of the speech against the quietest moments.")
    why = "Noise becomes part of the voice. Record in a quieter place, nearer to the microphone."
    return Finding("noise", "warn" if snr < _POOR_SNR_DB else "note", text, why)


def offset(hearing: Hearing) -> Finding | None:
    """A mean that is not zero, as from a poor sound card."""
    mean = float(hearing.clip.samples.mean(dtype=np.float64))
    if abs(mean) < _OFFSET:
        return None
    why = "The wave does not swing around zero, which wastes room and clicks at the edges."
    return Finding("offset", "warn", f"Offset of {mean:+.2f}", why, mend=Mend("Centre it", RemoveOffset()))


def hum(hearing: Hearing) -> Finding | None:
    """A steady line at 50 or 60 Hz, with those of its harmonics that stand out."""
    steady = _steady_spectrum(hearing)
    if steady is None:
        return None
    for mains in _MAINS_HZ:
        lines = [mains * k for k in range(1, _MOST_HARMONICS + 1) if _stands_out(steady, mains * k)]
        if mains in lines:
            why = "The mains are heard in it, and would be in the voice."
            text = f"Hum at {mains:.0f} Hz"
            return Finding("hum", "warn", text, why, spans=((0.0, hearing.clip.seconds),), mend=_filter(lines))
    return None


def _filter(lines: list[float]) -> Mend:
    return Mend("Filter", Notch(tuple(lines)))


def _steady_spectrum(hearing: Hearing) -> Doubles | None:
    """Level in dBFS of a sine at each whole Hz, as it is reached three quarters of the time; None of a short clip."""
    if len(hearing.samples) < 2 * SAMPLE_RATE:
        return None
    frames = sliding_window_view(hearing.samples, SAMPLE_RATE)[:: SAMPLE_RATE // 2]
    window = np.hanning(SAMPLE_RATE)
    lines = np.stack([np.abs(np.fft.rfft((frame - frame.mean()) * window)[:1024]) for frame in frames])
    steady = np.percentile(lines, _STEADY_PERCENTILE, axis=0) * 2 / window.sum()
    return np.asarray(20 * np.log10(steady / np.sqrt(2) + 1e-9))


def _stands_out(steady: Doubles, hz: float) -> bool:
    at = round(hz)
    line = steady[at - 1 : at + 2].max()
    around = np.median(np.concatenate((steady[at - 14 : at - 3], steady[at + 4 : at + 15])))
    return bool(line > _LOWEST_HUM_DBFS and line - around > _PROMINENCE_DB)
