"""A text with marks: who says each paragraph, how, and how long the silence between is.

    [voice: Mario] [style: Whisper quietly.] Did you hear that? [pause: 1.5 s] There it is again.

A voice or a style holds until its paragraph (or the next such mark) ends; a pause is silence of just that length.
Whatever else stands in brackets is text. Paragraphs are parted by an empty line.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Final

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE
from engine.audio.stretch import Stretcher
from engine.progress import Cancel
from engine.speech.budget import expected_seconds
from engine.speech.reading import Joiner
from engine.speech.request import SpeechChunk, SpeechRequest

if TYPE_CHECKING:
    from collections.abc import Hashable

    from engine.model.model import Model

LONGEST_IN_ONE_GO_SECONDS: Final = 120.0  # users report that pace and voice fall apart after four to five minutes
LONGEST_PAUSE_SECONDS: Final = 60.0
PARAGRAPH_PAUSE_SECONDS: Final = 0.75

_MARK: Final = re.compile(
    r"\[(?:(?P<kind>voice|style)\s*:\s*(?P<words>[^\]\n]*)|pause\s*:?\s*(?P<number>\d{1,5}(?:[.,]\d{1,3})?)\s*"
    r"(?P<unit>ms|s)?)\s*\]",
    re.IGNORECASE,
)
_PARAGRAPH_END: Final = re.compile(r"\n[^\S\n]*\n\s*")

FloatArray = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Mark:
    """A mark at `start` to `end` of the text: `kind` "voice" or "style" with `words`, or "pause" with `seconds`."""

    start: int
    end: int
    kind: str
    words: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Passage:
    """Words to be said in one voice and style, then silence. `voice` "" and `style` None: as chosen for the whole.

    `text` is empty for a silence that nothing precedes.
    """

    text: str
    voice: str = ""
    style: str | None = None
    pause_seconds: float = 0.0


@dataclass(frozen=True)
class ScriptPart:
    """A passage ready to be said: its request (None: silence alone), the silence after it, and its speed."""

    request: SpeechRequest | None
    pause_seconds: float = 0.0
    speed: float = 1.0


@dataclass(frozen=True, eq=False)
class ScriptChunk:
    """A piece of a script's sound: float32 [n] at 24 kHz. `part` counts from 0; `is_pause` for its silence.

    `seconds_waiting` is what of a part is made already and comes when that part is whole. `part_ends` with the last
    sound of a part, `reason` then says how, as in `SpeechChunk`. `last` with the last chunk of all.
    """

    samples: FloatArray
    part: int
    seed: int
    is_pause: bool = False
    seconds_waiting: float = 0.0
    part_ends: bool = False
    reason: str = ""
    last: bool = False
    notes: tuple[str, ...] = ()


def find_marks(text: str) -> list[Mark]:
    """The marks in `text`, in order."""
    return [_mark(found) for found in _MARK.finditer(text)]


def parse_script(text: str) -> tuple[Passage, ...]:
    """The passages of `text`; a text of one paragraph without marks is one passage."""
    passages: list[Passage] = []
    told = False  # whether the pause after the last passage is a mark's, which replaces the usual one
    for paragraph in _PARAGRAPH_END.split(text.strip()):
        if passages and not told:
            passages[-1] = replace(passages[-1], pause_seconds=PARAGRAPH_PAUSE_SECONDS)
        for piece in _pieces(paragraph):
            if not isinstance(piece, Mark):
                passages.append(piece)
                told = False
                continue
            if not passages:
                passages.append(Passage(""))
            before = passages[-1].pause_seconds if told else 0.0
            pause = min(before + piece.seconds, LONGEST_PAUSE_SECONDS)
            passages[-1] = replace(passages[-1], pause_seconds=pause)
            told = True
    return tuple(passages)


def read_script(model: Model, parts: Sequence[ScriptPart], cancel: Cancel | None = None) -> Iterator[ScriptChunk]:
    """Say `parts` one after the other. The first is heard while it is made; each later one comes when it is whole,
    trimmed, faded and brought to the level of the first that has its voice and style.

    Where the first took longer to make than to hear, the others are computed several at once; the samples are the
    same. Raises as `Model.speak` does.
    """
    cancel = cancel or Cancel()
    joiners: dict[Hashable, Joiner] = {}
    first = True
    requests = [part.request for part in parts if part.request is not None]
    with closing(_spoken(model, requests, cancel)) as spoken:  # type: ignore[type-var]
        for index, part in enumerate(parts):
            last = index == len(parts) - 1
            if part.request is not None:
                pieces = _as_it_comes if first else _as_a_whole
                joiner = joiners.setdefault(_manner(part.request), Joiner())
                for chunk in pieces(next(spoken), part, joiner):
                    yield replace(chunk, part=index, last=last and chunk.part_ends and not part.pause_seconds)
                first = False
            if part.pause_seconds:
                silence = np.zeros(round(part.pause_seconds * SAMPLE_RATE), np.float32)
                yield ScriptChunk(silence, index, 0, is_pause=True, last=last, reason="end" if last else "")


def splice_part(whole: FloatArray, start: int, frames: int, new: FloatArray) -> tuple[FloatArray, int]:
    """`whole` with `new` in the place of the `frames` samples from `start`, and how many samples that came to.

    `new` is trimmed, faded and brought to the level of what it replaces; every other sample stays as it is.
    """
    joiner = Joiner()
    joiner.add(whole[start : start + frames], 0.0, last=True)
    fitted = joiner.add(new, 0.0, last=True)
    return np.concatenate((whole[:start], fitted, whole[start + frames :])), len(fitted)


def _pieces(paragraph: str) -> Iterator[Passage | Mark]:
    """Passages without pauses, and the pause marks between them."""
    voice, style, at = "", None, 0
    for mark in [*find_marks(paragraph), Mark(len(paragraph), len(paragraph), "end")]:
        words = paragraph[at : mark.start].strip()
        at = mark.end
        if words:
            yield Passage(words, voice, style)
        if mark.kind == "pause":
            yield mark
        elif mark.kind == "voice":
            voice = mark.words
        elif mark.kind == "style":
            style = mark.words


def _mark(found: re.Match[str]) -> Mark:
    if found["kind"]:
        return Mark(found.start(), found.end(), found["kind"].lower(), words=found["words"].strip())
    seconds = float(found["number"].replace(",", ".")) / (1000 if (found["unit"] or "").lower() == "ms" else 1)
    return Mark(found.start(), found.end(), "pause", seconds=min(seconds, LONGEST_PAUSE_SECONDS))


def _manner(request: SpeechRequest) -> Hashable:
    return id(request.voice), request.speaker, request.instruct


def _spoken(model: Model, requests: Sequence[SpeechRequest], cancel: Cancel) -> Iterator[Iterator[SpeechChunk]]:
    """The speech of each of `requests`; each is to be taken whole before the next."""
    began, samples = time.perf_counter(), 0

    def counted(chunks: Iterator[SpeechChunk]) -> Iterator[SpeechChunk]:
        nonlocal samples
        for chunk in chunks:
            samples += len(chunk.samples)
            yield chunk

    for request in requests[:1]:
        speak = model.read if _is_long(request) else model.speak
        with closing(speak(request, cancel)) as chunks:  # type: ignore[type-var]
            yield counted(chunks)
    in_time = keeps_up(samples / SAMPLE_RATE, time.perf_counter() - began)
    for is_long, some in groupby(requests[1:], _is_long):
        if is_long:
            for request in some:
                with closing(model.read(request, cancel)) as chunks:
                    yield chunks
        elif in_time:
            for request in some:
                with closing(model.speak(request, cancel)) as chunks:  # type: ignore[type-var]
                    yield chunks
        else:
            with closing(model.speak_each(list(some), cancel)) as numbered:
                for _, found in groupby(numbered, itemgetter(0)):
                    yield (chunk for _, chunk in found)


def keeps_up(seconds: float, took_seconds: float) -> bool:
    """Whether sound is made as fast as it is heard: then the next part had better come soon than all of them sooner."""
    return took_seconds <= seconds


def _is_long(request: SpeechRequest) -> bool:
    return expected_seconds(request.text) > LONGEST_IN_ONE_GO_SECONDS


def _as_it_comes(chunks: Iterator[SpeechChunk], part: ScriptPart, joiner: Joiner) -> Iterator[ScriptChunk]:
    stretcher, heard, fault = Stretcher(part.speed), [], ""
    for chunk in chunks:
        sound = stretcher.push(chunk.samples)
        if chunk.last:
            sound = np.concatenate((sound, stretcher.finish()))
        heard.append(chunk.samples)
        fault = fault or (chunk.reason if chunk.reason != "end" else "")
        reason = (fault or "end") if chunk.last else ""
        yield ScriptChunk(sound, 0, chunk.seed, part_ends=chunk.last, reason=reason, notes=chunk.notes)
    joiner.add(np.concatenate(heard), 0.0, last=True)  # its level is the one the others are brought to


def _as_a_whole(chunks: Iterator[SpeechChunk], part: ScriptPart, joiner: Joiner) -> Iterator[ScriptChunk]:
    made, fault, nothing = list[SpeechChunk](), "", np.empty(0, np.float32)
    for chunk in chunks:
        made.append(chunk)
        fault = fault or (chunk.reason if chunk.reason != "end" else "")
        waiting = sum(len(one.samples) for one in made) / SAMPLE_RATE / part.speed
        if not chunk.last:
            yield ScriptChunk(nothing, 0, chunk.seed, seconds_waiting=waiting)
    sound = joiner.add(np.concatenate([chunk.samples for chunk in made]), 0.0, last=True)
    stretcher = Stretcher(part.speed)
    sound = np.concatenate((stretcher.push(sound), stretcher.finish()))
    yield ScriptChunk(sound, 0, made[-1].seed, part_ends=True, reason=fault or "end", notes=made[-1].notes)
