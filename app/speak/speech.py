"""Speaking, as a job of the model lane sees it: an order in, pieces of sound out."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import engine

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.models.shelf import ModelShelf
    from app.speak.take import Reason, Samples
    from app.speak.take_files import TakeWriter
    from app.work import JobContext

_FRAMES_PER_SECOND: Final = 12.5  # of the codec, as `SpeechChunk.progress` counts
_NEARLY: Final = 0.9


@dataclass(frozen=True, eq=False)
class Order:
    """One thing to say. Either `voice` or `speaker`; `style` is empty where the model would not obey it."""

    text: str
    model_folder: Path
    seed: int
    voice: engine.Voice | None = None
    speaker: str | None = None
    language: str = "auto"
    style: str = ""


@dataclass(frozen=True, eq=False)
class Piece:
    """`samples` float32 [n] at 24 kHz; `made_in_seconds` since the model was ready. `reason` of the last piece."""

    samples: Samples
    made_in_seconds: float
    reason: Reason | None = None
    notes: tuple[str, ...] = ()


def speak(shelf: ModelShelf, order: Order, writer: TakeWriter | None, context: JobContext) -> Iterator[Piece]:
    """Load the model of `order` if need be, then speak. Work for the model lane."""
    model = shelf.load(order.model_folder, context)
    began = time.perf_counter()
    request = engine.SpeechRequest(
        order.text,
        voice=order.voice,
        speaker=order.speaker,
        instruct=order.style or None,
        language=order.language,
        seed=order.seed,
    )
    try:
        with closing(model.speak(request, cancel=context.cancel)) as chunks:  # type: ignore[type-var]
            for chunk in chunks:
                if writer is not None:
                    writer.append(chunk.samples)
                yield Piece(chunk.samples, time.perf_counter() - began, _ending(chunk, order), chunk.notes)
    finally:
        if writer is not None:
            writer.close()


def _ending(chunk: engine.SpeechChunk, order: Order) -> Reason | None:
    """Why speech ends with `chunk`; a limit that the text itself would need is no running on."""
    if not chunk.last:
        return None
    if chunk.reason != "limit":
        return "end"
    limit_seconds = chunk.progress.done / _FRAMES_PER_SECOND
    return "too_long" if engine.expected_seconds(order.text) > _NEARLY * limit_seconds else "limit"
