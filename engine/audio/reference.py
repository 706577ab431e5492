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
_SEARCHED_LOOKS = 60  # of a hundredth of a second, back from the end
_QUIET_BELOW_SPEECH_DB = 15.0
_SPEECH_PERCENTILE = 90

FloatArray = npt.NDArray[np.float32]


def end_quietly(clip: Clip) -> Clip:
    """`clip` without a word begun at its end, faded, and with half a second of silence after it; says so in `notes`."""
    end = _quiet_end(clip.samples)
    samples = clip.samples[:end].copy()
    fade = min(round(_FADE_SECONDS * SAMPLE_RATE), len(samples))
    samples[len(samples) - fade :] *= np.linspace(1, 0, fade, dtype=np.float32)
    silence = np.zeros(round(_SILENCE_SECONDS * SAMPLE_RATE), np.float32)
    cut_seconds = (len(clip.samples) - end) / SAMPLE_RATE
    notes = (f"Left out the last {cut_seconds:.2f} s, which ended in mid-word.",) if cut_seconds else ()
    return replace(clip, samples=np.concatenate((samples, silence)), notes=(*clip.notes, *notes))


def _quiet_end(samples: FloatArray) -> int:
    """Where to end: where it ends, if that is quiet or nothing near it is; else at the quietest place just before."""
    whole = len(samples) // _LOOK_SAMPLES * _LOOK_SAMPLES
    power = np.mean(np.square(samples[len(samples) - whole :].reshape(-1, _LOOK_SAMPLES), dtype=np.float64), axis=1)
    levels = 10 * np.log10(power + 1e-12)
    if not len(levels):
        return len(samples)
    quiet = np.percentile(levels, _SPEECH_PERCENTILE) - _QUIET_BELOW_SPEECH_DB
    near = levels[-_SEARCHED_LOOKS:]
    if near[-1] <= quiet or near.min() > quiet:
        return len(samples)
    after = len(near) - 1 - int(near[::-1].argmin())
    return len(samples) - (len(near) - 1 - after) * _LOOK_SAMPLES
