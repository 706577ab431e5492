"""One paragraph of a take said again: spliced into a copy of the take, whose other samples stay bit for bit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

import engine
from app.speak import take_files
from app.speak.take import SAMPLE_RATE, Part, Samples, Take, peaks_of
from app.store import clock
from app.work import error_text

if TYPE_CHECKING:
    from app.speak.run import SpeechRun
    from app.speak.speaking import Speaking, Wish
    from app.speak.takes import Takes
    from app.speak.talk import Talk
    from app.studio import Studio

_BEFORE_SECONDS = 1.0  # heard of what comes before, so that one can judge the join


@dataclass(frozen=True, eq=False)
class _Spliced:
    samples: Samples
    parts: tuple[Part, ...]


class Redo(QObject):
    """Says a part again and lists the result as a new take, the old one beside it."""

    def __init__(
        self, studio: Studio, takes: Takes, talk: Talk, speaking: Speaking, play: Callable[[str, float], object]
    ) -> None:
        super().__init__(talk)
        self._lane, self._messages = studio.file_lane, studio.messages
        self._takes, self._talk, self._speaking, self._play = takes, talk, speaking, play

    def begin(self, take: Take, index: int, wish: Wish) -> None:
        """Say part `index` of `take` again as `wish` has it (its text, its voice, another seed)."""
        self._talk.begin(
            wish.order, (wish.voice,), None, lambda run: self._splice(take, index, wish.seed, run), aloud=False
        )

    def _splice(self, take: Take, index: int, seed: int, run: SpeechRun | None) -> None:
        if run is None or run.reason != "end" or not run.source.frames:
            self._say_why_not(run)
            return
        folder, new = self._takes.folder, run.samples
        job = self._lane.submit(
            lambda _: _spliced(take_files.read_samples(folder, take), take, index, seed, new), "Joining the paragraph"
        )
        made_in_seconds = run.made_in_seconds
        job.finished.connect(lambda spliced: self._keep(take, index, spliced, made_in_seconds))
        job.failed.connect(lambda error: self._messages.error(error_text(error)))

    def _keep(self, take: Take, index: int, spliced: _Spliced, made_in_seconds: float) -> None:
        number, take_id = self._speaking.number()
        new = replace(
            take,
            id=take_id,
            number=number,
            made_at=clock.now(),
            seconds=len(spliced.samples) / SAMPLE_RATE,
            made_in_seconds=made_in_seconds,
            first_sound_seconds=None,
            reason="end",
            star=False,
            likeness=None,
            agreement=None,
            peaks=peaks_of(spliced.samples),
            samples=spliced.samples,
            parts=spliced.parts,
        )
        self._takes.add(new, is_on_disk=False)
        self._messages.success(f"Take {number} is take {take.number} with paragraph {index + 1} said anew.")
        self._play(take_id, max(0.0, spliced.parts[index].start / SAMPLE_RATE - _BEFORE_SECONDS))

    def _say_why_not(self, run: SpeechRun | None) -> None:
        if run is not None and run.error:
            self._messages.error(run.error)
        elif run is not None and run.reason != "stopped":
            self._messages.warning("The paragraph ran on and was not taken over. Try again: the seed is another one.")


def _spliced(samples: Samples, take: Take, index: int, seed: int, new: Samples) -> _Spliced:
    part = take.parts[index]
    whole, frames = engine.splice_part(samples, part.start, part.frames, new)
    shift = frames - part.frames
    later = (replace(other, start=other.start + shift) for other in take.parts[index + 1 :])
    return _Spliced(whole, (*take.parts[:index], replace(part, frames=frames, seed=seed), *later))
