"""Where it was said: over a telephone, in an echoing room."""

from __future__ import annotations

import numpy as np

from engine.audio.clip import SAMPLE_RATE
from engine.audio.doctor.finding import Finding
from engine.audio.doctor.hearing import FFT_SAMPLES, FINE_SECONDS, Hearing

_SPEECH_BAND_HZ = (300.0, 3000.0)
_UPPER_BAND_HZ = (4300.0, 7000.0)
_EMPTY_DB = 55.0  # under the speech band; wide speech has 20 to 45
_NARROW_RATE = 10_000
_FALL_FINE = 8  # of 10 ms
_LOUD_DB = 10.0  # a fall counts from this far under the speech
_LEAST_ROOM_DB = 12.0
_FEWEST_FALLS = 100  # one second
_FASTEST_PERCENTILE = 98
_SLOWEST_DRY_SECONDS = 0.37  # a dry voice has 0.1 to 0.3 by this measure


def band(hearing: Hearing) -> Finding | None:
    """Nothing above 4 kHz, whatever the rate of the file says."""
    rate = hearing.clip.source_rate
    why = "Nothing above 4 kHz was kept, so the voice will sound dull. Look for a better recording."
    if rate <= _NARROW_RATE:
        return Finding("band", "warn", f"Telephone sound, {rate / 1000:g} kHz", why)
    if not len(hearing.spectra):
        return None
    power = hearing.spectra.mean(axis=0, dtype=np.float64)
    hz = np.arange(len(power)) * SAMPLE_RATE / FFT_SAMPLES
    lower, upper = (
        10 * np.log10(power[(hz >= low) & (hz <= high)].mean() + 1e-12)
        for low, high in (_SPEECH_BAND_HZ, _UPPER_BAND_HZ)
    )
    if lower - upper < _EMPTY_DB:
        return None
    return Finding("band", "warn", f"Telephone sound in a {rate / 1000:g} kHz file", why)


def room(hearing: Hearing) -> Finding | None:
    """How fast the sound falls at its fastest: dry speech stops at once, a room lets nothing stop at once.

    Told only where noise leaves room to fall.
    """
    levels = hearing.fine.astype(np.float64)
    if len(levels) <= _FALL_FINE or hearing.speech_dbfs - np.percentile(levels, 5) < _LEAST_ROOM_DB:
        return None
    falls = (levels[:-_FALL_FINE] - levels[_FALL_FINE:])[levels[:-_FALL_FINE] > hearing.speech_dbfs - _LOUD_DB]
    if len(falls) < _FEWEST_FALLS:
        return None
    seconds = 60 * _FALL_FINE * FINE_SECONDS / max(1.0, float(np.percentile(falls, _FASTEST_PERCENTILE)))
    if seconds < _SLOWEST_DRY_SECONDS:
        return None
    why = "The room is cloned with the voice. Record nearer to the microphone, or among soft furniture."
    return Finding("room", "warn", "Echoing room", why)
