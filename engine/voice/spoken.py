"""One sentence as a whole, for comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from engine.progress import Cancel, Report, no_report
from engine.speech.request import SpeechRequest
from engine.voice.voice import FloatArray, Voice

if TYPE_CHECKING:
    from engine.model.model import Model


@dataclass(frozen=True)
class Sentence:
    """What is spoken: the same words with the same seed, whatever the model."""

    text: str = "This sentence is spoken twice, and both times it should be the same."
    language: str | None = None  # None: the voice's own, where the model lists it
    seed: int = 7
    max_new_tokens: int | None = None
    in_context: bool | None = None  # None: wherever the voice has codes and a transcript
    instruct: str | None = None  # a style prompt

    def request(self, voice: Voice, model: Model) -> SpeechRequest:
        language = self.language or voice.language or ""
        if self.language is None and language not in model.summary.languages:
            language = "auto"
        return SpeechRequest(
            self.text, voice, language=language, seed=self.seed,
            max_new_tokens=self.max_new_tokens, in_context=self.in_context, instruct=self.instruct,
        )  # fmt: skip


@dataclass(frozen=True, eq=False)
class Spoken:
    """Sound float32 [n] at 24 kHz, and its codes int32 [frames, codebooks]."""

    samples: FloatArray
    codes: npt.NDArray[np.int32]

    def equals(self, other: Spoken) -> bool:
        """Code for code and sample for sample."""
        return np.array_equal(self.codes, other.codes) and np.array_equal(self.samples, other.samples)


def speak_whole(
    model: Model, voice: Voice, sentence: Sentence, cancel: Cancel | None = None, report: Report = no_report
) -> Spoken:
    """Speak `sentence` with `voice`. Raises what `Model.speak` raises."""
    samples, codes = [], []
    for chunk in model.speak(sentence.request(voice, model), cancel):
        report(chunk.progress)
        samples.append(chunk.samples)
        if len(chunk.codes):
            codes.append(chunk.codes)
    return Spoken(np.concatenate(samples), np.concatenate(codes) if codes else np.empty((0, 0), np.int32))
