"""Edits applied to a clip. The original stays: to undo an edit is to apply the others again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE, Clip
from engine.audio.doctor.finding import Amplify, Edit, Keep, Notch, RemoveOffset

_NOTCH_HZ = 1.5  # half width of a notch

FloatArray = npt.NDArray[np.float32]


def mend_clip(clip: Clip, edits: Sequence[Edit]) -> Clip:
    """A new clip with the edits applied in order; length and times stay, except for `Keep`."""
    for edit in edits:
        match edit:
            case Keep():
                clip = clip.cut(edit.start_seconds, edit.end_seconds)
            case RemoveOffset():
                clip = replace(clip, samples=clip.samples - np.float32(clip.samples.mean(dtype=np.float64)))
            case Amplify():
                clip = replace(clip, samples=clip.samples * np.float32(10 ** (edit.decibels / 20)))
            case Notch():
                clip = replace(clip, samples=_notched(clip.samples, edit.hz))
    return clip


def _notched(samples: FloatArray, notches_hz: Sequence[float]) -> FloatArray:
    """Zero phase, over the whole clip at once; mirrored at the end, so that the two ends do not meet in a step."""
    both = np.concatenate((samples, samples[::-1]))
    spectrum = np.fft.rfft(both)
    hz = np.fft.rfftfreq(len(both), 1 / SAMPLE_RATE)
    for notch in notches_hz:
        near = slice(*np.searchsorted(hz, (notch - 6 * _NOTCH_HZ, notch + 6 * _NOTCH_HZ)))
        spectrum[near] *= 1 - np.exp(-np.square((hz[near] - notch) / _NOTCH_HZ))
    return np.fft.irfft(spectrum, len(both))[: len(samples)].astype(np.float32)
