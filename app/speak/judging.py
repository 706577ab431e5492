"""What makes one take better than another, as a job of the model lane finds it out: likeness and words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import engine
from app.speak import take_files

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from app.speak.take import Samples, Take
    from app.work import JobContext


@dataclass(frozen=True)
class Verdict:
    """For each take its likeness and how much of the text was heard in it; None where nothing here can tell.

    `unheard` says why the words were not checked; empty if they were.
    """

    likenesses: tuple[float | None, ...]
    agreements: tuple[float | None, ...]
    unheard: str = ""


@dataclass(frozen=True, eq=False)
class Judge:
    """`base` hears whom a take sounds like, a recogniser what it says; `recognizers` is a folder that may hold one.

    `base` is None where there is no Base model of the voice's size, or no voice of the library to compare with.
    """

    folder: Path
    words: str
    language: str
    base: Path | None
    vector: NDArray[np.float32] | None
    recognizers: Path

    def judge(self, takes: Sequence[Take], context: JobContext) -> Verdict:
        """Listen to every take. Raises `ClipError`, `ModelError` or `Cancelled`."""
        ear = None if self.base is None else engine.Ear(self.base)
        found = engine.find_recognizer(self.language, self.words, (self.recognizers,))
        unheard, listener = (found, None) if isinstance(found, str) else ("", found)
        likenesses: list[float | None] = []
        agreements: list[float | None] = []
        for done, take in enumerate(takes):
            context.cancel.check()
            context.report(engine.Progress("judging", done, len(takes), "takes"))
            samples = take_files.read_samples(self.folder, take)
            likenesses.append(None if ear is None or self.vector is None else ear.likeness(samples, self.vector))
            try:
                agreements.append(None if listener is None else self._agreement(listener, samples, context))
            except engine.ModelError as error:  # a recogniser that is broken takes nobody's star away
                unheard, listener, agreements = str(error).rstrip("."), None, [None] * len(likenesses)
        return Verdict(tuple(likenesses), tuple(agreements), unheard)

    def _agreement(self, listener: engine.Recognizer, samples: Samples, context: JobContext) -> float:
        heard = listener.hear(samples, context.cancel)
        language = heard.language if self.language == "auto" else self.language
        return engine.agreement(self.words, heard.text, language)
