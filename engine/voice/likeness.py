"""Who is heard: the speaker encoder of a Base model alone, and which of several takes is the best."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

import numpy as np
import torch

from engine.audio.measure import cosine
from engine.audio.mel import mel_tensor
from engine.errors import ClipError, ModelError
from engine.model.checkpoint import Checkpoint
from engine.model.speaker_encoder import SpeakerEncoder
from engine.model.weights import Tensors, load_module
from engine.voice.voice import FloatArray

_FREE_FACTOR = 1.3  # so much longer or shorter than expected costs nothing
_LENGTH_WEIGHT = 0.25  # of likeness, for each factor e beyond that
_NO_END = 2.0  # more than all else together


class Ear:
    """The speaker encoder of the Base model in `folder`: none of its other weights are read. Raises `ModelError`."""

    def __init__(self, folder: str | Path) -> None:
        checkpoint = Checkpoint(folder)
        config = checkpoint.config.speaker_encoder_config
        if config is None:
            raise ModelError(f"{checkpoint.summary().label} has no speaker encoder. Choose a Base model.")
        with torch.device("meta"):
            self._encoder = SpeakerEncoder(config)
        load_module(
            self._encoder, Tensors(checkpoint.weights), "speaker_encoder.", torch.float32, torch.device("cpu"), _nothing
        )

    @torch.inference_mode()
    def vector(self, samples: FloatArray) -> FloatArray | None:
        """The speaker heard in `samples` float32 [n] at 24 kHz, float32 [width]; None where they are too short."""
        try:
            mel = mel_tensor(torch.from_numpy(np.ascontiguousarray(samples, np.float32))[None])
        except ClipError:
            return None
        if mel.shape[2] < self._encoder.shortest:
            return None
        heard: FloatArray = self._encoder(mel, _nothing)[0].numpy()
        return heard

    def likeness(self, samples: FloatArray, x_vector: FloatArray) -> float | None:
        """Cosine of the speaker heard in `samples` float32 [n] at 24 kHz and a voice's vector [width].

        None where the sound is too short to tell, or the vector is of another size.
        """
        heard = self.vector(samples)
        if heard is None or heard.shape != x_vector.shape or not np.linalg.norm(heard) * np.linalg.norm(x_vector) > 0:
            return None
        return cosine(heard, x_vector)


@dataclass(frozen=True)
class Candidate:
    """A take to be judged: its length, whether the model ended it by itself, and, where they are known, its likeness
    and how much of the text was heard in it (`recognize.agreement`)."""

    seconds: float
    ended: bool
    likeness: float | None = None
    agreement: float | None = None


def scores(candidates: Sequence[Candidate], expected_seconds: float) -> list[float]:
    """A figure for each candidate, the higher the better: likeness and agreement (0 where unknown), less for a length
    that is off.

    The expected length is the median of those that ended if there are three or more, since a style changes the pace
    of all; else `expected_seconds`. One that did not end is worse than any that did.
    """
    ended = [candidate.seconds for candidate in candidates if candidate.ended]
    usual = median(ended) if len(ended) > 2 else expected_seconds
    return [_score(candidate, usual) for candidate in candidates]


def _score(candidate: Candidate, usual: float) -> float:
    factor = max(candidate.seconds, 1e-3) / max(usual, 1e-3)
    beyond = max(0.0, abs(math.log(factor)) - math.log(_FREE_FACTOR))
    known = (candidate.likeness or 0.0) + (candidate.agreement or 0.0)
    return known - _LENGTH_WEIGHT * beyond - (0.0 if candidate.ended else _NO_END)


def _nothing() -> None:
    """Nobody counts along: it is a few megabytes, and a few seconds of sound."""
