"""Several takes of one text with several seeds, and the best of them found out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

import engine
from app.models.shelf import models_root
from app.speak.judging import Judge
from app.speak.script import words_of
from app.speak.words import expected_seconds
from app.work import error_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.speak.judging import Verdict
    from app.speak.speaking import Speaking, Wish
    from app.speak.take import Take
    from app.speak.takes import Takes
    from app.studio import Studio
    from app.work import Job


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
        self._judging: Job | None = None

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
        """Begin no other; what was made is judged. Asked while that is done: leave it, no take gets a star."""
        self._stopped = True
        if self._judging is not None:
            self._judging.cancel()

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
        judge = Judge(
            self._takes.folder,
            words_of(wish.text),
            wish.language,
            base=bases[0].folder if bases and vector is not None else None,
            vector=vector,
            recognizers=models_root(self._studio.settings),
        )
        self._judging = self._studio.model_lane.submit(partial(judge.judge, made), "Judging the takes")
        self._judging.ended.connect(self._forget_job)
        self._judging.finished.connect(
            lambda verdict: self._tell(made, verdict, expected_seconds(wish.text) / wish.tuning.speed)
        )
        self._judging.failed.connect(lambda error: self._studio.messages.error(error_text(error)))

    def _forget_job(self) -> None:
        self._judging = None

    def _tell(self, made: list[Take], verdict: Verdict, expected: float) -> None:
        marks = list(zip(verdict.likenesses, verdict.agreements, strict=True))
        for take, mark in zip(made, marks, strict=True):
            self._takes.set_marks(take.id, *mark)
        candidates = [
            engine.Candidate(take.seconds, not take.ran_on, *mark) for take, mark in zip(made, marks, strict=True)
        ]
        figures = engine.scores(candidates, expected)
        best = max(range(len(made)), key=figures.__getitem__)
        take = made[best]
        self._takes.set_star(take.id, True)
        others = [other.id for other in made if other is not take]
        self._studio.messages.success(
            self.tr("Best of {count}: take {number}, seed {seed}, by {reasons}. It has a star.{unheard}").format(
                count=len(made),
                number=take.number,
                seed=take.seed,
                reasons=self._reasons(*marks[best]),
                unheard=self._unheard(verdict.unheard),
            ),
            (self.tr("Delete the others"), lambda: self._delete(others)) if others else None,
        )
        self._play(take.id, 0.0)

    def _reasons(self, likeness: float | None, agreement: float | None) -> str:
        reasons = [] if likeness is None else [self.tr("likeness {figure:.2f}").format(figure=likeness)]
        if agreement is not None:
            reasons.append(self.tr("words ({share} % heard as written)").format(share=int(100 * agreement)))
        if not reasons:
            return self.tr("its length")
        return self.tr("{reasons} and length").format(reasons=", ".join(reasons))

    def _unheard(self, why: str) -> str:
        return " " + self.tr("The words were not checked: {why}.").format(why=why) if why else ""

    def _delete(self, take_ids: Sequence[str]) -> None:
        for take_id in take_ids:
            self._takes.delete(take_id)
