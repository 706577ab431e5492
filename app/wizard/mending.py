"""Mends of the sound: edits over the original, each of which can be undone."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

import engine
from app.wizard.loading import prepared
from app.work import error_text

if TYPE_CHECKING:
    from app.studio import Studio
    from app.wizard.loading import LoadedSound
    from app.wizard.transcript import Selection
    from app.work import Job


@dataclass(frozen=True)
class _State:
    edits: tuple[engine.Edit, ...]
    selection: Selection


class Mending(QObject):
    """Holds the original and what is done to it; the file lane makes every version from the original.

    Signals:
        selected(float, float): a mend, or undoing one, selects this.
        mended(LoadedSound): another version of the same sound.
        changed(): whether there is something to undo, or something is being made.
        failed(str): one line.
    """

    selected = Signal(float, float)
    mended = Signal(object)
    changed = Signal()
    failed = Signal(str)

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._original: LoadedSound | None = None
        self._edits: tuple[engine.Edit, ...] = ()
        self._before: list[_State] = []
        self._job: Job | None = None

    @property
    def can_undo(self) -> bool:
        return bool(self._before) and not self.running

    @property
    def running(self) -> bool:
        return self._job is not None

    def begin(self, original: LoadedSound | None) -> None:
        """Another sound: nothing is done to it yet."""
        if self._job is not None:
            self._job.cancel()
            self._job = None
        self._original, self._edits, self._before = original, (), []
        self.changed.emit()

    def mend(self, finding: engine.Finding, selection: Selection) -> None:
        """Do what `finding` offers; `selection` is what it was found in."""
        if finding.mend is None or self._original is None or self.running:
            return
        self._before.append(_State(self._edits, selection))
        match finding.mend.edit:
            case engine.Keep(start_seconds, end_seconds):
                self.selected.emit(selection[0] + start_seconds, selection[0] + end_seconds)
                self.changed.emit()
            case edit:
                self._make((*self._edits, edit))

    def undo(self) -> None:
        """Back to what was before the last mend."""
        if not self.can_undo:
            return
        state = self._before.pop()
        self.selected.emit(*state.selection)
        if state.edits != self._edits:
            self._make(state.edits)
        self.changed.emit()

    def _make(self, edits: tuple[engine.Edit, ...]) -> None:
        original, self._edits = self._original, edits
        assert original is not None
        job = self._job = self._studio.file_lane.submit(
            lambda context: prepared(
                original.origin, engine.mend_clip(original.clip, edits), original.notes, context, best=original.best
            ) if edits else original,
            "Mending the sound",
        )  # fmt: skip
        job.finished.connect(partial(self._take, job))
        job.failed.connect(partial(self._fail, job))
        self.changed.emit()

    def _take(self, job: Job, sound: LoadedSound) -> None:
        if job is self._job:
            self._job = None
            self.mended.emit(sound)
            self.changed.emit()

    def _fail(self, job: Job, error: Exception) -> None:
        if job is self._job:
            self._job = None
            self._edits = self._before.pop().edits if self._before else ()
            self.failed.emit(error_text(error))
            self.changed.emit()
