"""A take: one thing that was said, and everything needed to say it again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from app.speak.tuning import USUAL, Tuning

Samples = NDArray[np.float32]

Reason = Literal["end", "limit", "loop", "silence", "stopped", "failed", "interrupted"]
REASONS: Final[tuple[str, ...]] = get_args(Reason)

RAN_ON: Final = ("limit", "loop", "silence")

PEAKS: Final = 160  # of a whole take; what its small picture is drawn from
SAMPLE_RATE: Final = 24_000

REMARKS: Final[dict[str, str]] = {
    "end": "",
    "limit": "ran on: no end came; try another seed",
    "loop": "ran on, going round in circles; try another seed",
    "silence": "ran on into silence; try another seed",
    "stopped": "stopped",
    "failed": "broken off by an error",
    "interrupted": "cut off when the studio ended",
}


@dataclass(frozen=True)
class Part:
    """A paragraph (or what a mark parts) of a take: samples `start` to `start + frames`, and how it was said."""

    start: int
    frames: int
    text: str
    seed: int
    voice_key: str
    style: str


@dataclass(frozen=True, eq=False)
class Take:
    """One take. `samples` float32 [n] at 24 kHz, or None while they are only in its file.

    `voice_key` and `model_folder` say what it was spoken with ("voice:<id>" or "preset:<name>"). `language` is "auto"
    or a name of the model's. `made_in_seconds` counts from the moment the model was ready. `peaks` are the loudest
    values, 0 to 1, of equal stretches of it. `reason` says why it ended. `parts` are in the order of the sound; what
    lies between them is silence. `likeness` is the cosine of the speaker heard and the voice, where it was measured,
    `agreement` how much of the text a recogniser heard in it, 0 to 1.
    """

    id: str
    number: int
    text: str
    voice_key: str
    voice_name: str
    model_label: str
    model_folder: str
    language: str
    style: str
    seed: int
    made_at: datetime
    seconds: float = 0.0
    made_in_seconds: float = 0.0
    first_sound_seconds: float | None = None
    reason: Reason = "interrupted"
    peaks: tuple[float, ...] = ()
    star: bool = False
    samples: Samples | None = None
    as_written: bool = False
    tuning: Tuning = USUAL
    parts: tuple[Part, ...] = ()
    likeness: float | None = None
    agreement: float | None = None

    @property
    def remark(self) -> str:
        """What is to be said about its ending; empty for one that ended well."""
        return REMARKS[self.reason]

    @property
    def ran_on(self) -> bool:
        """Whether the model missed the end, so that another seed may do better."""
        return self.reason in RAN_ON

    @property
    def needs_care(self) -> bool:
        """Whether it is something other than a whole take or one a person stopped."""
        return self.reason not in ("end", "stopped")


def peaks_of(samples: Samples, count: int = PEAKS) -> tuple[float, ...]:
    """The loudest value of each of `count` equal stretches (fewer for very short sounds), rounded to a thousandth."""
    if not len(samples):
        return ()
    starts = np.unique(np.linspace(0, len(samples), count, endpoint=False).astype(np.int64))
    loudest = np.maximum.reduceat(np.abs(samples), starts)
    return tuple(round(float(value), 3) for value in np.minimum(loudest, 1.0))
