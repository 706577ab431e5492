"""One thing is said at a time: the voice is read in the file lane, then it speaks in the model lane."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.speak.run import SpeechRun
from app.work import error_text

if TYPE_CHECKING:
    import engine
    from app.speak.offer import SpeakVoice
    from app.speak.speech import Order
    from app.speak.take_files import TakeWriter
    from app.store import VoiceRecord
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
        self._voice: tuple[object, engine.Voice] | None = None  # the last one, since it is mostly the next one

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

    def begin(self, order: Order, voice: SpeakVoice, writer: TakeWriter | None, on_end: OnEnd) -> None:
        """Say `order` with `voice`; `on_end` is called once, with the run or with None if it came to none."""
        assert not self.is_busy
        self._on_end = on_end
        record = voice.record
        if record is None:
            self._start(order, writer)
        elif self._voice is not None and self._voice[0] == _version(record):
            self._start(replace(order, voice=self._voice[1]), writer)
        else:
            self._read(record, order, writer)
        self.changed.emit()

    def stop(self) -> None:
        """End it now; what was made is kept. Returns at once."""
        if self._reading is not None:
            self._reading.cancel()
        if self._run is not None:
            self._run.stop()

    def _read(self, record: VoiceRecord, order: Order, writer: TakeWriter | None) -> None:
        library = self._studio.library
        job = self._studio.file_lane.submit(lambda _: library.load(record.id), f"Reading {record.name}")
        self._reading = job
        job.finished.connect(lambda voice: self._take_voice(job, record, voice, order, writer))
        job.failed.connect(lambda error: self._studio.messages.error(error_text(error)))
        job.failed.connect(lambda _: self._end())
        job.cancelled.connect(self._end)

    def _take_voice(
        self, job: Job, record: VoiceRecord, voice: engine.Voice, order: Order, writer: TakeWriter | None
    ) -> None:
        self._reading = None
        self._voice = (_version(record), voice)
        if job.task.cancel.cancelled:
            self._end()
        else:
            self._start(replace(order, voice=voice), writer)

    def _start(self, order: Order, writer: TakeWriter | None) -> None:
        self._run = SpeechRun(self._studio, order, writer, self)
        self._run.progressed.connect(self.changed)
        self._run.ended.connect(self._end)
        self._run.start()

    def _end(self) -> None:
        on_end, run = self._on_end, self._run
        self._on_end = self._run = self._reading = None
        if on_end is not None:
            on_end(run)
        if run is not None:
            run.deleteLater()
        self.changed.emit()


def _version(record: VoiceRecord) -> object:
    return record.id, record.updated_at
