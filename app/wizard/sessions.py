"""Recordings on disk and what the library knows of them, so that none is lost after a crash."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.store.clock import now

if TYPE_CHECKING:
    from pathlib import Path

    from app.store.recovery import State, UnsavedSound
    from app.studio import Studio
    from app.work import Job, JobContext
    from app.work.task import Work

_log = logging.getLogger(__name__)


@dataclass(eq=False)
class Session:
    """A recording; `sound_id` is the library's, set in the file lane once it has been noted."""

    path: Path
    label: str
    sound_id: int | None = None


class Sessions(QObject):
    """Notes recordings in the file lane, in order; a failure there never stops a recording."""

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._since = now()

    def begin(self, label: str) -> Session:
        """A new recording in a file of its own, noted before its first sample where the lane is free."""
        stamp = datetime.now().astimezone()
        stem = f"recording-{stamp:%Y%m%d-%H%M%S}-{stamp.microsecond // 1000:03d}"
        session = Session(self._studio.places.recordings / f"{stem}.wav", label)
        self._submit(partial(self._note, session), "Noting the recording")
        return session

    def mark(self, session: Session, state: State) -> None:
        """Say what became of a recording."""
        self._submit(partial(self._mark, session, state), "Noting the recording")

    def remove(self, session: Session) -> None:
        """Remove the file of a take that the person has called off."""
        self._submit(lambda _: session.path.unlink(missing_ok=True), "Removing the recording")

    def find_unsaved(self) -> Job:
        """Recordings of earlier sessions that were never saved: the job's result, newest first."""
        return self._submit(lambda _: self._unsaved(), "Looking for unsaved recordings")

    def _submit(self, work: Work, label: str) -> Job:
        job = self._studio.file_lane.submit(work, label)
        job.failed.connect(lambda error: _log.warning("%s: %s", label, error))
        return job

    def _note(self, session: Session, _: JobContext) -> None:
        session.sound_id = self._studio.library.recovery.begin("recording", session.path, session.label)

    def _mark(self, session: Session, state: State, _: JobContext) -> None:
        if session.sound_id is not None:
            self._studio.library.recovery.mark(session.sound_id, state)

    def _unsaved(self) -> list[UnsavedSound]:
        found = self._studio.library.recovery.unsaved(before=self._since)
        return [sound for sound in found if sound.kind == "recording"]


def session_of(sound: UnsavedSound) -> Session:
    """A recording of an earlier time as one of now."""
    return Session(sound.path, sound.label, sound.id)
