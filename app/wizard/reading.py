"""One sound file at a time is read in the file lane; the last one asked for wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.wizard.loading import LoadedSound, RangeWanted, load_sound
from app.work import error_text

if TYPE_CHECKING:
    import engine
    from app.wizard.loading import Origin
    from app.work import Job, Lane


class Reading(QObject):
    """Signals:
    reading_changed(str): the label of the file that is being read, or empty.
    progressed(engine.Progress): what is done with it.
    loaded(LoadedSound), range_wanted(RangeWanted), failed(Origin, str): one of them, unless it was cancelled.
    """

    reading_changed = Signal(str)
    progressed = Signal(object)
    loaded = Signal(object)
    range_wanted = Signal(object)
    failed = Signal(object, str)

    def __init__(self, lane: Lane, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._lane = lane
        self._job: Job | None = None

    @property
    def busy(self) -> bool:
        return self._job is not None

    def read(self, origin: Origin, start_seconds: float = 0.0, end_seconds: float | None = None) -> None:
        """Read a file, or the range of it; a file that is still being read is given up."""
        self.cancel()
        job = self._lane.submit(
            lambda context: load_sound(origin, context, start_seconds, end_seconds), f"Reading {origin.label}"
        )
        self._job = job
        job.progressed.connect(lambda progress: self._pass_on(job, progress))
        job.finished.connect(lambda result: self._take(job, result))
        job.failed.connect(lambda error: self._fail(job, origin, error))
        job.cancelled.connect(lambda: self._end(job))
        self.reading_changed.emit(origin.label)

    def cancel(self) -> None:
        """Give up what is being read."""
        job, self._job = self._job, None
        if job is not None:
            job.cancel()
            self.reading_changed.emit("")

    def _pass_on(self, job: Job, progress: engine.Progress) -> None:
        if job is self._job:
            self.progressed.emit(progress)

    def _take(self, job: Job, result: LoadedSound | RangeWanted) -> None:
        if self._end(job):
            signal = self.range_wanted if isinstance(result, RangeWanted) else self.loaded
            signal.emit(result)

    def _fail(self, job: Job, origin: Origin, error: Exception) -> None:
        if self._end(job):
            self.failed.emit(origin, error_text(error))

    def _end(self, job: Job) -> bool:
        """Whether it was the file that is still wanted."""
        if job is not self._job:
            return False
        self._job = None
        self.reading_changed.emit("")
        return True
