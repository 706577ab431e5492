"""What the doctor says: a verdict, where, why it matters, and one way to mend it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["good", "note", "warn", "bad"]
Key = Literal[
    "length", "level", "clipping", "silence", "noise", "offset", "hum", "band",
    "start", "end", "channels", "voices", "music", "room",
]  # fmt: skip
Span = tuple[float, float]


@dataclass(frozen=True)
class RemoveOffset:
    """Take the mean off."""


@dataclass(frozen=True)
class Notch:
    """Take narrow bands of sound out, at these frequencies in Hz."""

    hz: tuple[float, ...]


@dataclass(frozen=True)
class Amplify:
    """Make it louder by so many decibels, or softer."""

    decibels: float


@dataclass(frozen=True)
class Keep:
    """Select the part from `start_seconds` to `end_seconds`; the sound itself stays as it is."""

    start_seconds: float
    end_seconds: float


Edit = RemoveOffset | Notch | Amplify | Keep


@dataclass(frozen=True)
class Mend:
    """What would mend a finding: a word or two for the button, and the edit."""

    label: str
    edit: Edit


@dataclass(frozen=True)
class Finding:
    """One verdict: `text` in a few words, `why` in a sentence, `spans` in seconds of the clip; `blocks` forbids
    cloning, anything else may be cloned anyway."""

    key: Key
    verdict: Verdict
    text: str
    why: str = ""
    blocks: bool = False
    spans: tuple[Span, ...] = ()
    mend: Mend | None = None
