"""Sizes of the tiers, and saving into the library, in the file lane."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

import engine
from app.wizard.offers import TIERS
from app.work import error_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from app.store.records import Tier, VoiceRecord
    from app.studio import Studio
    from app.wizard.cloning import Cloned
    from app.wizard.sessions import Session
    from app.work import Job, JobContext


class Saving(QObject):
    """Signals:
    sized(str, int): a tier and its bytes; unsized(str, str): a tier and why its size is not known.
    running_changed(bool): whether a voice is being written.
    progressed(engine.Progress): while a large file is written and compared.
    saved(VoiceRecord), failed(str), cancelled(): one of them for each `save`.
    undone(str): the voice with that id was taken back to the trash.
    """

    sized = Signal(str, int)
    unsized = Signal(str, str)
    running_changed = Signal(bool)
    progressed = Signal(object)
    saved = Signal(object)
    failed = Signal(str)
    cancelled = Signal()
    undone = Signal(str)

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._sizing: Job | None = None
        self._job: Job | None = None

    @property
    def running(self) -> bool:
        return self._job is not None

    def measure(self, cloned: Cloned, pair: engine.ModelPair | None) -> None:
        """Ask for the sizes of all tiers that can be written with `pair`."""
        if self._sizing is not None:
            self._sizing.cancel()
        job = self._sizing = self._studio.file_lane.submit(
            lambda context: _sizes(cloned.voice, pair, context), "Computing file sizes"
        )
        job.produced.connect(lambda item: self._tell_size(job, *item))

    def forget_sizes(self) -> None:
        """Nobody waits for sizes any more."""
        if self._sizing is not None:
            self._sizing.cancel()
            self._sizing = None

    def save(
        self,
        cloned: Cloned,
        pair: engine.ModelPair | None,
        name: str,
        language: str,
        tier: Tier,
        session: Session | None,
        consent: str | None = None,
    ) -> None:
        """Write the voice into the library; a recording it came from counts as saved then.

        `consent` is a statement that the sidecar keeps beside the voice.
        """
        if self._job is not None:
            return
        origin = replace(cloned.voice.origin, consent=consent)
        voice = replace(cloned.voice, language=language or None, origin=origin)
        library = self._studio.library

        def work(context: JobContext) -> VoiceRecord:
            record = library.save(
                voice, name, tier, pair, cloned.model.label, cancel=context.cancel, report=context.report
            )
            if session is not None and session.sound_id is not None:
                library.recovery.mark(session.sound_id, "saved")
            return record

        job = self._job = self._studio.file_lane.submit(work, f"Saving {name}")
        job.progressed.connect(self.progressed)
        job.finished.connect(partial(self._tell_saved, session))
        job.failed.connect(lambda error: self._end(partial(self.failed.emit, error_text(error))))
        job.cancelled.connect(lambda: self._end(self.cancelled.emit))
        self.running_changed.emit(True)

    def cancel(self) -> None:
        """Give up what is being written; nothing half-done stays."""
        if self._job is not None:
            self._job.cancel()

    def _tell_size(self, job: Job, tier: Tier, size: int | str) -> None:
        if job is not self._sizing:
            return
        if isinstance(size, int):
            self.sized.emit(tier, size)
        else:
            self.unsized.emit(tier, size)

    def _tell_saved(self, session: Session | None, record: VoiceRecord) -> None:
        self._studio.library_changed.emit()
        undo = partial(self._undo, record, session)
        self._studio.messages.success(f"Saved {record.name}", ("Undo", undo))
        self._end(partial(self.saved.emit, record))

    def _undo(self, record: VoiceRecord, session: Session | None) -> None:
        library = self._studio.library

        def work(_: JobContext) -> None:
            library.delete(record.id)
            if session is not None and session.sound_id is not None:
                library.recovery.mark(session.sound_id, "complete")

        job = self._studio.file_lane.submit(work, f"Undoing: saved {record.name}")
        job.finished.connect(partial(self._tell_undone, record))
        job.failed.connect(lambda error: self._studio.messages.error(error_text(error)))

    def _tell_undone(self, record: VoiceRecord, _: object) -> None:
        self._studio.library_changed.emit()
        self._studio.messages.info(f"{record.name} is in the trash.")
        self.undone.emit(record.id)

    def _end(self, tell: Callable[[], object]) -> None:
        self._job = None
        self.running_changed.emit(False)
        tell()


def _sizes(voice: engine.Voice, pair: engine.ModelPair | None, context: JobContext) -> Iterator[tuple[Tier, int | str]]:
    for tier in TIERS:
        context.cancel.check()
        if tier == "wdelta" and (pair is None or pair.custom_voice is None):
            continue
        try:
            yield tier, engine.voice_file_size(voice, tier, pair)
        except engine.QVoiceError as error:
            yield tier, str(error)
