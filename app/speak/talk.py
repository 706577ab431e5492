"""One thing is said at a time: the voice is read in the file lane, then it speaks in the model lane."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.speak.run import SpeechRun
from app.speak.speech import Actor
from app.work import error_text

if TYPE_CHECKING:
    import engine
    from app.speak.offer import SpeakVoice
    from app.speak.speech import Order
    from app.speak.take_files import TakeWriter
    from app.store import VoiceRecord
    from app.store.library import Library
    from app.studio import Studio
    from app.work import Job

    OnEnd = Callable[["SpeechRun | None"], object]


class Talk(QObject):
    """Signals: `changed()` when it begins, moves on or ends."""

    changed = Signal()

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._reading: Job | None = None
        self._run: SpeechRun | None = None
        self._on_end: OnEnd | None = None
        self._voices: dict[object, engine.Voice] = {}  # the last ones, since they are mostly the next ones

    @property
    def is_busy(self) -> bool:
        return self._on_end is not None

    @property
    def run(self) -> SpeechRun | None:
        """What is being said, once its voice is there."""
        return self._run

    @property
    def text(self) -> str:
        """Where it stands; empty when nothing is said."""
        if self._run is not None:
            return self._run.text
        return "reading the voice" if self.is_busy else ""

    @property
    def share(self) -> float | None:
        return None if self._run is None else self._run.share

    def begin(
        self,
        order: Order,
        voices: Sequence[SpeakVoice],
        writer: TakeWriter | None,
        on_end: OnEnd,
        *,
        aloud: bool = True,
    ) -> None:
        """Say `order` with the first of `voices`, and what its marks give to others with those.

        `on_end` is called once, with the run or with None if it came to none. Not `aloud`: nothing is played.
        """
        assert not self.is_busy
        self._on_end = on_end
        records = [voice.record for voice in voices if voice.record is not None]
        missing = [record for record in records if _version(record) not in self._voices]
        if missing:
            self._read(records, lambda: self._start(order, voices, writer, aloud))
        else:
            self._start(order, voices, writer, aloud)
        self.changed.emit()

    def stop(self) -> None:
        """End it now; what was made is kept. Returns at once."""
        if self._reading is not None:
            self._reading.cancel()
        if self._run is not None:
            self._run.stop()

    def _read(self, records: list[VoiceRecord], then: Callable[[], object]) -> None:
        library = self._studio.library
        names = ", ".join(record.name for record in records)
        job = self._studio.file_lane.submit(lambda _: _loaded(library, records), f"Reading {names}")
        self._reading = job
        job.finished.connect(lambda found: self._take_voices(job, found, then))
        job.failed.connect(lambda error: self._studio.messages.error(error_text(error)))
        job.failed.connect(lambda _: self._end())
        job.cancelled.connect(self._end)

    def _take_voices(self, job: Job, found: dict[object, engine.Voice], then: Callable[[], object]) -> None:
        self._reading = None
        self._voices = found
        if job.task.cancel.cancelled:
            self._end()
        else:
            then()

    def _start(self, order: Order, voices: Sequence[SpeakVoice], writer: TakeWriter | None, aloud: bool) -> None:
        actors = [self._actor(voice) for voice in voices]
        cast = {voice.name.casefold(): actor for voice, actor in zip(voices[1:], actors[1:], strict=True)}
        self._run = SpeechRun(self._studio, replace(order, actor=actors[0], cast=cast), writer, self, aloud=aloud)
        self._run.progressed.connect(self.changed)
        self._run.ended.connect(self._end)
        self._run.start()

    def _actor(self, voice: SpeakVoice) -> Actor:
        if voice.record is None:
            return Actor(voice.key, speaker=voice.speaker)
        return Actor(voice.key, voice=self._voices[_version(voice.record)])

    def _end(self) -> None:
        on_end, run = self._on_end, self._run
        self._on_end = self._run = self._reading = None
        if on_end is not None:
            on_end(run)
        if run is not None:
            run.deleteLater()
        self.changed.emit()


def _loaded(library: Library, records: Sequence[VoiceRecord]) -> dict[object, engine.Voice]:
    return {_version(record): library.load(record.id) for record in records}


def _version(record: VoiceRecord) -> object:
    return record.id, record.updated_at
