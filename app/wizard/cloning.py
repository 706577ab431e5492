"""Cloning in the model lane: from a selection to a voice."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.work import error_text

if TYPE_CHECKING:
    from collections.abc import Callable

    import engine
    from app.studio import Studio
    from app.wizard.transcript import Selection
    from app.work import Job, JobContext


@dataclass(frozen=True, eq=False)
class CloneRequest:
    """What a voice is made from; `transcript` empty for the voice alone."""

    clip: engine.Clip
    selection: Selection
    transcript: str
    model: engine.ModelSummary


@dataclass(frozen=True, eq=False)
class Cloned:
    """A voice, and what it was made from."""

    voice: engine.Voice
    request: CloneRequest
    pair: engine.ModelPair | None  # the model and its partner, as saving needs them

    @property
    def model(self) -> engine.ModelSummary:
        return self.request.model


class Cloning(QObject):
    """Signals:
    running_changed(bool): whether a voice is being made.
    progressed(engine.Progress): stages "load" (tensors), "speaker vector" and "codes" (seconds).
    cloned(Cloned), failed(str), cancelled(): one of them for each start.
    """

    running_changed = Signal(bool)
    progressed = Signal(object)
    cloned = Signal(object)
    failed = Signal(str)
    cancelled = Signal()

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._job: Job | None = None

    @property
    def running(self) -> bool:
        return self._job is not None

    def start(self, request: CloneRequest) -> None:
        """Make the voice; one at a time."""
        if self._job is not None:
            return
        shelf, folder = self._studio.shelf, Path(request.model.folder)
        pair = shelf.pair()

        def work(context: JobContext) -> engine.Voice:
            model = shelf.load(folder, context)
            clip = request.clip.cut(*request.selection)
            words = request.transcript or None
            return model.clone(clip, words, cancel=context.cancel, report=context.report)

        job = self._job = self._studio.model_lane.submit(work, "Cloning the voice")
        job.progressed.connect(self.progressed)
        job.finished.connect(lambda voice: self._end(lambda: self.cloned.emit(Cloned(voice, request, pair))))
        job.failed.connect(lambda error: self._end(lambda: self.failed.emit(error_text(error))))
        job.cancelled.connect(lambda: self._end(self.cancelled.emit))
        self.running_changed.emit(True)

    def cancel(self) -> None:
        """Give it up; `cancelled` follows, or `cloned` if it was done already."""
        if self._job is not None:
            self._job.cancel()

    def _end(self, tell: Callable[[], object]) -> None:
        self._job = None
        self.running_changed.emit(False)
        tell()


def stage_text(progress: engine.Progress) -> str:
    """What is being done, in words."""
    if progress.stage == "load":
        return f"Loading the model, {progress.done:.0f} of {progress.total or 0:.0f} tensors"
    if progress.stage == "speaker vector":
        return "Hearing the voice"
    if progress.stage == "codes":
        return "Taking down how it speaks"
    return progress.stage.capitalize()
