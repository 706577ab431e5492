"""Several takes of one text with several seeds, and the best of them found out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

import engine
from app.speak import take_files
from app.speak.words import expected_seconds
from app.work import error_text

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from app.speak.speaking import Speaking, Wish
    from app.speak.take import Take
    from app.speak.takes import Takes
    from app.studio import Studio
    from app.work import JobContext


class BestOf(QObject):
    """Says a wish with several seeds, unheard, and judges what came.

    Signals: `changed()`: it began, went on or ended; `step` and `count` say where it is.
    """

    changed = Signal()

    def __init__(self, studio: Studio, takes: Takes, speaking: Speaking, play: Callable[[str, float], object]) -> None:
        super().__init__(speaking)
        self._studio, self._takes, self._speaking, self._play = studio, takes, speaking, play
        self._wishes: list[Wish] = []
        self._made: list[Take] = []
        self._stopped = False

    @property
    def count(self) -> int:
        """How many takes are being made; 0 while none are."""
        return len(self._wishes)

    @property
    def step(self) -> int:
        """The place of the take in work, from 1."""
        return min(len(self._made) + 1, self.count)

    def begin(self, wish: Wish, seeds: Sequence[int]) -> None:
        """Say `wish` with each of `seeds`; the best is listed first among them, starred and played."""
        self._wishes = [replace(wish, seed=seed) for seed in seeds]
        self._made, self._stopped = [], False
        self._next()

    def stop(self) -> None:
        """Begin no other; what was made is judged."""
        self._stopped = True

    def _next(self) -> None:
        self.changed.emit()
        self._speaking.begin(self._wishes[len(self._made)], self._take, aloud=False)

    def _take(self, take: Take | None) -> None:
        if take is not None and not (self._stopped and take.reason == "stopped"):
            self._made.append(take)
        if take is None or self._stopped or len(self._made) == self.count:
            self._judge()
        else:
            self._next()

    def _judge(self) -> None:
        wish, made = self._wishes[0], self._made
        self._wishes = []
        self.changed.emit()
        if not made:
            return
        record = wish.voice.record
        vector = None if record is None else record.vector
        bases = [model for model in self._studio.shelf.usable if model.can_clone and model.width == wish.model.width]
        base = bases[0].folder if bases and vector is not None else None
        job = self._studio.model_lane.submit(
            partial(_likenesses, self._takes.folder, made, base, vector), "Judging the takes"
        )
        job.finished.connect(lambda found: self._tell(made, found, expected_seconds(wish.text) / wish.tuning.speed))
        job.failed.connect(lambda error: self._studio.messages.error(error_text(error)))

    def _tell(self, made: list[Take], likenesses: list[float | None], expected: float) -> None:
        for take, likeness in zip(made, likenesses, strict=True):
            self._takes.set_likeness(take.id, likeness)
        candidates = [
            engine.Candidate(take.seconds, not take.ran_on, likeness)
            for take, likeness in zip(made, likenesses, strict=True)
        ]
        figures = engine.scores(candidates, expected)
        best = max(range(len(made)), key=figures.__getitem__)
        take, likeness = made[best], likenesses[best]
        self._takes.set_star(take.id, True)
        why = "its length" if likeness is None else f"likeness {likeness:.2f} and length"
        others = [other.id for other in made if other is not take]
        self._studio.messages.success(
            f"Best of {len(made)}: take {take.number}, seed {take.seed}, by {why}. It has a star.",
            ("Delete the others", lambda: self._delete(others)) if others else None,
        )
        self._play(take.id, 0.0)

    def _delete(self, take_ids: Sequence[str]) -> None:
        for take_id in take_ids:
            self._takes.delete(take_id)


def _likenesses(
    folder: Path, takes: Sequence[Take], base: Path | None, vector: object, context: JobContext
) -> list[float | None]:
    """How like the voice each take sounds; None where no Base model is here to hear it."""
    if base is None:
        return [None] * len(takes)
    ear = engine.Ear(base)
    found: list[float | None] = []
    for take in takes:
        context.cancel.check()
        found.append(ear.likeness(take_files.read_samples(folder, take), vector))  # type: ignore[arg-type]
    return found
