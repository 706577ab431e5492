"""From a wish to a take: what was asked for becomes an order, is spoken, and what was made is kept."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.speak import take_files
from app.speak.speech import Order
from app.speak.take import Take, peaks_of
from app.speak.tuning import USUAL, Tuning
from app.store import clock

if TYPE_CHECKING:
    import engine
    from app.speak.listening import Listening
    from app.speak.offer import SpeakVoice
    from app.speak.run import SpeechRun
    from app.speak.takes import Takes
    from app.speak.talk import Talk
    from app.studio import Studio

    Then = Callable[["Take | None"], object]


@dataclass(frozen=True, eq=False)
class Wish:
    """Something to say as a person chose it. `cast` are the voices that marks in `text` name."""

    text: str
    voice: SpeakVoice
    model: engine.ModelSummary
    seed: int
    language: str = "auto"
    style: str = ""
    as_written: bool = False
    tuning: Tuning = USUAL
    cast: tuple[SpeakVoice, ...] = ()

    @property
    def order(self) -> Order:
        return Order(
            self.text,
            self.model.folder,
            self.seed,
            language=self.language,
            style=self.style if self.model.obeys_style else "",
            obeys_style=self.model.obeys_style,
            as_written=self.as_written,
            tuning=self.tuning,
        )


class Speaking(QObject):
    """`again` is offered where the model ran on or said nothing: another seed may do better."""

    def __init__(
        self, studio: Studio, takes: Takes, listening: Listening, talk: Talk, again: Callable[[], object]
    ) -> None:
        super().__init__(talk)
        self._messages = studio.messages
        self._takes, self._listening, self._talk, self._again = takes, listening, talk, again

    def begin(self, wish: Wish, then: Then | None = None, *, aloud: bool = True) -> None:
        """Say `wish`, aloud or unheard, and keep it; `then` gets the take, or None if it came to none."""
        self._listening.stop()
        draft = self._draft(wish)
        writer = take_files.TakeWriter(self._takes.folder, draft)

        def end(run: SpeechRun | None) -> None:
            take = self._keep(draft, run)
            if then is not None:
                then(take)

        self._talk.begin(wish.order, (wish.voice, *wish.cast), writer, end, aloud=aloud)

    def number(self) -> tuple[int, str]:
        """A number and an id for a new take."""
        number = self._takes.next_number()
        return number, f"take-{number:05d}-{secrets.token_hex(4)}"

    def _draft(self, wish: Wish) -> Take:
        number, take_id = self.number()
        return Take(
            id=take_id,
            number=number,
            text=wish.text,
            voice_key=wish.voice.key,
            voice_name=wish.voice.name,
            model_label=wish.model.label,
            model_folder=str(wish.model.folder),
            language=wish.language,
            style=wish.order.style,
            seed=wish.seed,
            made_at=clock.now(),
            as_written=wish.as_written,
            tuning=wish.tuning,
        )

    def _keep(self, draft: Take, run: SpeechRun | None) -> Take | None:
        if run is None or not run.source.frames:
            self._takes.give_back(draft.number)
            self._say_nothing_came(run)
            return None
        samples = run.samples
        take = replace(
            draft,
            seconds=run.seconds,
            made_in_seconds=run.made_in_seconds,
            first_sound_seconds=run.first_sound_seconds,
            reason=run.reason,
            peaks=peaks_of(samples),
            samples=samples,
            parts=tuple(run.parts),
        )
        self._takes.add(take, is_on_disk=run.writer is not None and not run.writer.fault)
        self._listening.adopt(take, run.source)
        self._say_ending(take, run)
        return take

    def _say_nothing_came(self, run: SpeechRun | None) -> None:
        if run is not None and run.error:
            self._messages.error(run.error)
        elif run is not None and run.reason != "stopped":
            self._messages.warning("Nothing was said: the model ended at once.", ("Try another seed", self._again))

    def _say_ending(self, take: Take, run: SpeechRun) -> None:
        for note in run.notes:
            self._messages.info(note)
        if run.error:
            self._messages.error(run.error)
        elif take.ran_on:
            what = take.remark.partition(";")[0]
            self._messages.warning(f"Take {take.number} {what}.", ("Try another seed", self._again))
