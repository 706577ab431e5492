"""Long texts: split into groups of sentences, spoken one after the other, joined so that it sounds like one reading.

Each group is a request of its own with the seed and the voice of the whole, so any of them can be spoken again alone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE
from engine.errors import RequestError
from engine.progress import Cancel
from engine.speech.request import SpeechChunk, SpeechRequest
from engine.text.normalize import spoken_form
from engine.text.sentences import group_sentences

_SENTENCE_PAUSE_SECONDS = 0.30
_PARAGRAPH_PAUSE_SECONDS = 0.75
_FADE_SECONDS = 0.010
_SOUND_DBFS = -50.0  # below it the end of a group is silence that the pause takes the place of
_LOOK_SAMPLES = SAMPLE_RATE // 100
_MOST_GAIN_DB = 6.0  # a group further off than that is a whisper or a shout on purpose

FloatArray = npt.NDArray[np.float32]
Speak = Callable[[SpeechRequest, Cancel], Iterator[SpeechChunk]]


@dataclass(frozen=True)
class Group:
    """One piece of a long text: its request, and the pause that follows it in seconds."""

    request: SpeechRequest
    pause_seconds: float


@dataclass(frozen=True, eq=False)
class SpokenGroup:
    """What a group came to: `samples` float32 [n] before joining, how it ended, and the seed it was made with."""

    index: int
    samples: FloatArray
    codes: npt.NDArray[np.int32]
    seed: int
    reason: str
    tries: int
    notes: tuple[str, ...]


def split_request(request: SpeechRequest) -> list[Group]:
    """The groups of `request`'s text, in order. Raises `RequestError` if there is nothing to say.

    The spoken form is made of the whole text first, since markup may span sentences.
    """
    if not request.text.strip():
        raise RequestError("There is no text to speak. Type a sentence first.")
    if request.normalize:
        spoken = spoken_form(request.text, request.language).text
        request = replace(request, text=spoken, normalize=False)
    groups: list[Group] = []
    for paragraph in (part for part in request.text.split("\n\n") if part.strip()):
        texts = group_sentences(paragraph, request.language)
        groups += [Group(replace(request, text=text), _SENTENCE_PAUSE_SECONDS) for text in texts]
        if groups:
            groups[-1] = replace(groups[-1], pause_seconds=_PARAGRAPH_PAUSE_SECONDS)
    groups[-1] = replace(groups[-1], pause_seconds=0.0)
    return groups


def speak_group(speak: Speak, request: SpeechRequest, index: int, retries: int, cancel: Cancel) -> SpokenGroup:
    """Speak one group; where it runs away, up to `retries` times more with the next seeds. The shortest try is kept
    if none comes to its end."""
    best: SpokenGroup | None = None
    for attempt in range(retries + 1):
        seeded = request if request.seed is None else replace(request, seed=request.seed + attempt)
        chunks = list(speak(seeded, cancel))
        samples = np.concatenate([chunk.samples for chunk in chunks])
        codes = np.concatenate([chunk.codes for chunk in chunks if len(chunk.codes)] or [chunks[-1].codes])
        last = chunks[-1]
        spoken = SpokenGroup(index, samples, codes, last.seed, last.reason, attempt + 1, last.notes)
        if spoken.reason == "end":
            return spoken
        if best is None or len(samples) < len(best.samples):
            best = spoken
    assert best is not None
    return replace(best, tries=retries + 1)


def join_groups(parts: list[FloatArray], pauses_seconds: list[float]) -> FloatArray:
    """One sound from the groups' sounds: ends trimmed and faded, levels matched to the first, pauses put between.

    `pauses_seconds[i]` follows group i; the last one's is not used.
    """
    joiner = Joiner()
    pieces = [
        joiner.add(part, pause, last=index == len(parts) - 1)
        for index, (part, pause) in enumerate(zip(parts, pauses_seconds, strict=True))
    ]
    return np.concatenate(pieces) if pieces else np.empty(0, np.float32)


class Joiner:
    """`join_groups` one group at a time, for those who play while the next is made."""

    def __init__(self) -> None:
        self._level: float | None = None

    def add(self, samples: FloatArray, pause_seconds: float, *, last: bool) -> FloatArray:
        """The next group as it goes into the whole, its pause included."""
        sound = _trim(samples)
        level = _speech_level(sound)
        if self._level is None:
            self._level = level
        elif level > 0:
            most = 10 ** (_MOST_GAIN_DB / 20)
            sound = sound * np.float32(np.clip(self._level / level, 1 / most, most))
        sound = _fade(np.clip(sound, -1, 1))
        return sound if last else np.concatenate((sound, np.zeros(round(pause_seconds * SAMPLE_RATE), np.float32)))


def _looks(samples: FloatArray) -> FloatArray:
    """RMS of each hundredth of a second."""
    whole = len(samples) // _LOOK_SAMPLES * _LOOK_SAMPLES
    looks: FloatArray = np.sqrt(np.mean(np.square(samples[:whole].reshape(-1, _LOOK_SAMPLES)), axis=1))
    return looks


def _trim(samples: FloatArray) -> FloatArray:
    """Without the silence at either end, a fade's length of it excepted."""
    loud = np.flatnonzero(_looks(samples) > 10 ** (_SOUND_DBFS / 20))
    if not len(loud):
        return samples
    start = max(0, loud[0] - 1) * _LOOK_SAMPLES
    return samples[start : (loud[-1] + 3) * _LOOK_SAMPLES]


def _speech_level(samples: FloatArray) -> float:
    """RMS over what is loud enough to be speech; 0 for silence."""
    looks = _looks(samples)
    loud = looks[looks > 10 ** (_SOUND_DBFS / 20)]
    return float(np.sqrt(np.mean(np.square(loud)))) if len(loud) else 0.0


def _fade(samples: FloatArray) -> FloatArray:
    count = min(round(_FADE_SECONDS * SAMPLE_RATE), len(samples) // 2)
    out = samples.astype(np.float32, copy=True)
    if count:
        ramp = np.linspace(0, 1, count, dtype=np.float32)
        out[:count] *= ramp
        out[-count:] *= ramp[::-1]
    return out
