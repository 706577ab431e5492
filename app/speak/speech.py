"""Speaking, as a job of the model lane sees it: an order in, pieces of sound out."""

from __future__ import annotations

import time
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import engine
from app.speak.take import RAN_ON, Part
from app.speak.tuning import USUAL, Tuning

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.models.shelf import ModelShelf
    from app.speak.take import Reason, Samples
    from app.speak.take_files import TakeWriter
    from app.work import JobContext


@dataclass(frozen=True, eq=False)
class Actor:
    """Who speaks: `voice` or `speaker`."""

    key: str = ""
    voice: engine.Voice | None = None
    speaker: str | None = None


@dataclass(frozen=True, eq=False)
class Order:
    """One thing to say: `text` with its marks. `actor` says what no mark gives to somebody of the `cast` (by name,
    casefolded). `style` is empty where the model would not obey it, as are the styles of marks: `obeys_style`."""

    text: str
    model_folder: Path
    seed: int
    actor: Actor = Actor()
    cast: Mapping[str, Actor] = field(default_factory=dict)
    language: str = "auto"
    style: str = ""
    obeys_style: bool = True
    as_written: bool = False
    tuning: Tuning = USUAL


@dataclass(frozen=True, eq=False)
class Piece:
    """`samples` float32 [n] at 24 kHz; `made_in_seconds` since the model was ready. `reason` of the last piece.

    `part` is told with the last of its sound; `seconds_waiting` is made, and comes when its part is whole.
    """

    samples: Samples
    made_in_seconds: float
    reason: Reason | None = None
    notes: tuple[str, ...] = ()
    part: Part | None = None
    seconds_waiting: float = 0.0


def speak(shelf: ModelShelf, order: Order, writer: TakeWriter | None, context: JobContext) -> Iterator[Piece]:
    """Load the model of `order` if need be, then speak. Work for the model lane.

    The first paragraph is heard as it comes, each later one when it is whole.
    """
    model = shelf.load(order.model_folder, context)
    began = time.perf_counter()
    passages = engine.parse_script(order.text)
    parts = [_script_part(order, passage) for passage in passages]
    frames, start, fault = 0, 0, ""
    try:
        with closing(engine.read_script(model, parts, context.cancel)) as chunks:  # type: ignore[type-var]
            for chunk in chunks:
                if writer is not None:
                    writer.append(chunk.samples)
                frames += len(chunk.samples)
                part = None
                if chunk.is_pause:
                    start = frames
                elif chunk.part_ends:
                    part = _part(order, passages[chunk.part], start, frames, chunk.seed)
                    start = frames
                    fault = fault or (chunk.reason if chunk.reason in RAN_ON else "")
                reason = (fault or "end") if chunk.last else None
                seconds = time.perf_counter() - began
                yield Piece(chunk.samples, seconds, reason, chunk.notes, part, chunk.seconds_waiting)  # type: ignore[arg-type]
    finally:
        if writer is not None:
            writer.close()


def _script_part(order: Order, passage: engine.Passage) -> engine.ScriptPart:
    if not passage.text:
        return engine.ScriptPart(None, passage.pause_seconds)
    actor = _actor(order, passage)
    request = engine.SpeechRequest(
        passage.text,
        voice=actor.voice,
        speaker=actor.speaker,
        instruct=_style(order, passage) or None,
        language=order.language,
        seed=order.seed,
        sampling=order.tuning.sampling,
        normalize=not order.as_written,
    )
    return engine.ScriptPart(request, passage.pause_seconds, order.tuning.speed)


def _part(order: Order, passage: engine.Passage, start: int, end: int, seed: int) -> Part:
    return Part(start, end - start, passage.text, seed, _actor(order, passage).key, _style(order, passage))


def _actor(order: Order, passage: engine.Passage) -> Actor:
    return order.cast[passage.voice.casefold()] if passage.voice else order.actor


def _style(order: Order, passage: engine.Passage) -> str:
    style = order.style if passage.style is None else passage.style
    return style if order.obeys_style else ""
