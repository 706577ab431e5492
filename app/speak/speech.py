"""Speaking, as a job of the model lane sees it: an order in, pieces of sound out."""

from __future__ import annotations

import time
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

import engine
from app.speak.take import RAN_ON

if TYPE_CHECKING:
    from collections.abc import Iterator

    from app.models.shelf import ModelShelf
    from app.speak.take import Reason, Samples
    from app.speak.take_files import TakeWriter
    from app.work import JobContext

LONGEST_IN_ONE_GO_SECONDS: Final = 120.0  # users report that pace and voice fall apart after four to five minutes


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
    as_written: bool = False


@dataclass(frozen=True, eq=False)
class Piece:
    """`samples` float32 [n] at 24 kHz; `made_in_seconds` since the model was ready. `reason` of the last piece."""

    samples: Samples
    made_in_seconds: float
    reason: Reason | None = None
    notes: tuple[str, ...] = ()


def speak(shelf: ModelShelf, order: Order, writer: TakeWriter | None, context: JobContext) -> Iterator[Piece]:
    """Load the model of `order` if need be, then speak. Work for the model lane.

    A text that fits is heard as it comes; a long one is spoken in parts, each of them a piece.
    """
    model = shelf.load(order.model_folder, context)
    began = time.perf_counter()
    request = engine.SpeechRequest(
        order.text,
        voice=order.voice,
        speaker=order.speaker,
        instruct=order.style or None,
        language=order.language,
        seed=order.seed,
        normalize=not order.as_written,
    )
    in_parts = engine.expected_seconds(order.text) > LONGEST_IN_ONE_GO_SECONDS
    spoken = model.read(request, context.cancel) if in_parts else model.speak(request, context.cancel)
    fault = ""
    try:
        with closing(spoken) as chunks:  # type: ignore[type-var]
            for chunk in chunks:
                if writer is not None:
                    writer.append(chunk.samples)
                if chunk.reason in RAN_ON:
                    fault = fault or chunk.reason
                reason = (fault or "end") if chunk.last else None
                yield Piece(chunk.samples, time.perf_counter() - began, reason, chunk.notes)  # type: ignore[arg-type]
    finally:
        if writer is not None:
            writer.close()
