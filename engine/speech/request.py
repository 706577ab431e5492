"""What a caller asks for, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    from engine.progress import Progress
    from engine.voice.voice import Voice


@dataclass(frozen=True)
class SamplerSettings:
    """One sampler's settings; None takes the checkpoint's `generation_config.json`, then the official default."""

    do_sample: bool | None = None
    temperature: float | None = None
    top_k: int | None = None
    top_p: float | None = None


@dataclass(frozen=True)
class Sampling:
    """Settings of both samplers: the talker's (code 0 of a frame) and the code predictor's (codes 1 to 15)."""

    talker: SamplerSettings = field(default_factory=SamplerSettings)
    predictor: SamplerSettings = field(default_factory=SamplerSettings)
    repetition_penalty: float | None = None

    @classmethod
    def greedy(cls) -> Sampling:
        off = SamplerSettings(do_sample=False)
        return cls(off, off)


@dataclass(frozen=True)
class SpeechRequest:
    """One thing to say.

    `voice` (a cloned one) or `speaker` (a preset's name), or neither. `instruct` is the style prompt. `language`
    is a name from the model's configuration or "auto". `seed` None draws one; it is told in every chunk.
    `max_new_tokens` counts as the official code does: N gives at most N - 1 frames; None takes a generous budget
    from the length of the spoken form, below the checkpoint's own limit. `streamed_text` None takes the mode's
    official default. `normalize` False hands the text to the tokenizer as it is; otherwise its spoken form is said
    (`engine.spoken_form`). `rescale` brings a cloned vector to a preset's norm, as the C engine does.
    """

    text: str
    voice: Voice | None = None
    speaker: str | None = None
    instruct: str | None = None
    language: str = "auto"
    seed: int | None = None
    sampling: Sampling = field(default_factory=Sampling)
    max_new_tokens: int | None = None
    streamed_text: bool | None = None
    in_context: bool | None = None  # None: wherever the voice has codes and a transcript
    rescale: bool = True
    normalize: bool = True


@dataclass(frozen=True, eq=False)
class SpeechChunk:
    """A piece of speech: `samples` float32 [n] at 24 kHz, `codes` int32 [frames, codebooks].

    The last one has `last` set and `reason` "end" (the model ended) or "limit" (`max_new_tokens`, or else the length
    budget of the text, was reached), or "loop" or "silence" (it had run away). In a long text each chunk is one of
    `groups` and tells how that one ended. `notes` says what of the request this model leaves out, a line each.
    """

    samples: npt.NDArray[np.float32]
    codes: npt.NDArray[np.int32]
    progress: Progress
    seed: int
    last: bool = False
    reason: str = ""
    notes: tuple[str, ...] = ()
    group: int = 0
    groups: int = 1
