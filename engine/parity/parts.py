"""The cases of single parts: resampling, mel and speaker vector, the codec's two directions.

A case is known by the names of its arrays, so that one may hold any mixture of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import torch
from torch import Tensor

from engine.audio.clip import clip_from_samples
from engine.audio.mel import mel_tensor
from engine.parity import quantities as q
from engine.parity.clip import as_float, reference_samples
from engine.parity.goldens import Case, Wanted
from engine.parity.measure import Finding, compare
from engine.parity.subject import Subject

_RESAMPLED_SECONDS = 0.25
_FROM_RATE = re.compile(r"from_(\d+)")
_CODES_OF_CLIP = re.compile(r"codes_([\d.]+)s")
_CODES = re.compile(r"codes_(\d+)")


def compare_parts(subject: Subject, case: Case) -> Iterator[Finding]:
    """Every comparison that the arrays of `case` allow."""
    for name, wanted in case.arrays.items():
        if name == "mel":
            mel = mel_tensor(torch.from_numpy(subject.clip.samples)[None])[0]
            yield compare(q.MEL, case.name, mel, wanted, ("band", "frame"))
        elif name == "x_vector":
            vector = torch.from_numpy(subject.voice.x_vector)
            yield compare(q.X_VECTOR, case.name, vector, wanted, ("column",))
        elif found := _FROM_RATE.fullmatch(name):
            yield _resampled(case, int(found[1]), wanted)
        elif found := _CODES_OF_CLIP.fullmatch(name):
            codes = subject.model.codec.encode(as_float(reference_samples(float(found[1])))).int()
            yield compare(q.ENCODED, case.name, codes, wanted, (f"frame of {found[1]} s", "codebook"))
        elif found := _CODES.fullmatch(name):
            yield from _decoded(subject, case, int(found[1]), case.integers(name).long())


def _resampled(case: Case, rate: int, wanted: Wanted) -> Finding:
    clip = clip_from_samples(as_float(reference_samples(_RESAMPLED_SECONDS, rate)), rate)
    return compare(q.RESAMPLED, case.name, torch.from_numpy(clip.samples), wanted, (f"sample from {rate} Hz",))


def _decoded(subject: Subject, case: Case, count: int, codes: Tensor) -> Iterator[Finding]:
    """All that is told of one decode: the wave, the level of each frame, two frames around a place."""
    sound, per_frame = torch.from_numpy(subject.official_sound(codes, None)), subject.model.codec.samples_per_frame
    frames = sound.reshape(len(codes), per_frame)
    for name, wanted in case.arrays.items():
        if name == f"wave_{count}":
            yield compare(q.DECODED, case.name, sound, wanted, ("sample",))
        elif name == f"rms_{count}":
            levels = frames.pow(2).mean(1).sqrt()
            yield compare(q.FRAME_LEVELS, case.name, levels, wanted, ("frame",))
        elif name.startswith(f"wave_{count}_around_"):
            first = int(name.rpartition("_")[2]) - 1
            part, begin = frames[first : first + 2].flatten(), first * per_frame
            yield compare(q.DECODED, case.name, part, wanted, ("sample",), begin)
