"""A reference that ends well: cut at a quiet place, then half a second of silence.

In context the model goes on where the reference stops. One that stops inside a word is finished first: users of the
model hear the last words of their clip before the wanted text.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE, Clip

_SILENCE_SECONDS = 0.5
_FADE_SECONDS = 0.02
_LOOK_SAMPLES = SAMPLE_RATE // 100
_SEARCHED_SECONDS = 0.6  # back from the end
_QUIET_BELOW_SPEECH_DB = 15.0
_SPEECH_PERCENTILE = 90

FloatArray = npt.NDArray[np.float32]


def end_quietly(clip: Clip) -> Clip:
    """`clip` without a word begun at its end, faded, and with half a second of silence after it; says so in `notes`."""
    end = quiet_end(clip.samples)
    samples = clip.samples[:end].copy()
    fade = min(round(_FADE_SECONDS * SAMPLE_RATE), len(samples))
    samples[len(samples) - fade :] *= np.linspace(1, 0, fade, dtype=np.float32)
    silence = np.zeros(round(_SILENCE_SECONDS * SAMPLE_RATE), np.float32)
    cut_seconds = (len(clip.samples) - end) / SAMPLE_RATE
    notes = (f"Left out the last {cut_seconds:.2f} s, which ended in mid-word.",) if cut_seconds else ()
    return replace(clip, samples=np.concatenate((samples, silence)), notes=(*clip.notes, *notes))


def ends_loud(samples: FloatArray) -> bool:
    """Whether the last hundredth of a second is as loud as speech: the clip stops inside a word."""
    levels, quiet = _levels(samples)
    return bool(len(levels)) and bool(levels[-1] > quiet)


def quiet_end(samples: FloatArray, searched_seconds: float = _SEARCHED_SECONDS) -> int:
    """Where to end: where it ends, if that is quiet or nothing near it is; else at the quietest place just before."""
    levels, quiet = _levels(samples)
    near = levels[-round(searched_seconds * SAMPLE_RATE / _LOOK_SAMPLES) :]
    if not len(levels) or near[-1] <= quiet or near.min() > quiet:
        return len(samples)
    after = len(near) - 1 - int(near[::-1].argmin())
    return len(samples) - (len(near) - 1 - after) * _LOOK_SAMPLES


def _levels(samples: FloatArray) -> tuple[npt.NDArray[np.float64], float]:
    """Level in dB of each hundredth of a second, counted from the end, and below what it is quiet."""
    whole = len(samples) // _LOOK_SAMPLES * _LOOK_SAMPLES
    power = np.mean(np.square(samples[len(samples) - whole :].reshape(-1, _LOOK_SAMPLES), dtype=np.float64), axis=1)
    levels = 10 * np.log10(power + 1e-12)
    quiet = float(np.percentile(levels, _SPEECH_PERCENTILE)) - _QUIET_BELOW_SPEECH_DB if len(levels) else 0.0
    return levels, quiet
