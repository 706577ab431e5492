"""The takes: in memory, on the disk behind it, newest first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, Signal

import engine
from app.settings.table import TAKES_ROOM_GB
from app.speak import take_files
from app.speak.keeping import keep
from app.speak.take import Samples, Take
from app.work import error_text

if TYPE_CHECKING:
    from pathlib import Path

    from app.studio import Studio
    from app.work import JobContext

LISTED: Final = 200  # older ones stay on the disk
_GB: Final = 10**9
_SOUNDS_KEPT: Final = 8  # in memory; the others are read from their files when they are played


class Takes(QObject):
    """All takes that are listed. Numbers are never given twice.

    Signals:
        changed(): takes came, went or are other than before.
        added(Take): a new one, already in the list.
        loaded(): those of earlier sessions are there (or could not be read).
    """

    changed = Signal()
    added = Signal(object)
    loaded = Signal()

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder: Path = studio.places.takes
        self._lane, self._messages = studio.file_lane, studio.messages
        self._room_gb = partial(studio.settings.get, TAKES_ROOM_GB)
        self._takes: list[Take] = []
        self._highest = 0
        self._deleted: dict[str, Take] = {}
        self._unwritten: set[str] = set()  # their sound is in memory only
        self.is_loaded = False

    @property
    def folder(self) -> Path:
        return self._folder

    @property
    def all(self) -> list[Take]:
        """Newest first."""
        return list(self._takes)

    def find(self, take_id: str) -> Take | None:
        return next((take for take in self._takes if take.id == take_id), None)

    def next_number(self) -> int:
        """A number for a new take."""
        self._highest += 1
        return self._highest

    def give_back(self, number: int) -> None:
        """The take that `number` was for did not come about."""
        if number == self._highest:
            self._highest -= 1

    def load(self) -> None:
        """Read the takes of earlier sessions, behind."""
        room_bytes = self._room_gb() * _GB

        def read(_: JobContext) -> tuple[list[Take], int, int]:
            gone = take_files.make_room(self._folder, room_bytes) if room_bytes else 0
            return *take_files.read_takes(self._folder, LISTED), gone

        job = self._lane.submit(read, "Reading the takes")
        job.finished.connect(lambda result: self._take_over(*result))
        job.failed.connect(self._say)
        job.ended.connect(self._say_loaded)

    def add(self, take: Take, is_on_disk: bool) -> None:
        """List a finished take and keep it: its notes, and its sound too unless that `is_on_disk` already."""
        self._insert(take)
        if not is_on_disk:
            self._unwritten.add(take.id)
        self._keep(take, whole=not is_on_disk)
        self._let_go_of_sounds()
        self.changed.emit()
        self.added.emit(take)

    def set_star(self, take_id: str, star: bool) -> None:
        take = self.find(take_id)
        if take is not None and take.star != star:
            changed = replace(take, star=star)
            self._takes[self._takes.index(take)] = changed
            self._keep(changed)
            self.changed.emit()

    def set_marks(self, take_id: str, likeness: float | None, agreement: float | None) -> None:
        """Note how like its voice a take sounds, and how much of its text was heard in it."""
        take = self.find(take_id)
        if take is not None and (take.likeness, take.agreement) != (likeness, agreement):
            changed = replace(take, likeness=likeness, agreement=agreement)
            self._takes[self._takes.index(take)] = changed
            self._keep(changed)
            self.changed.emit()

    def delete(self, take_id: str) -> None:
        """Take one out of the list and offer to undo it; its files go at the next start."""
        take = self.find(take_id)
        if take is None:
            return
        self._takes.remove(take)
        self._deleted[take_id] = take if take_id in self._unwritten else replace(take, samples=None)
        keep(self._lane, partial(take_files.hide, self._folder, take_id), "Deleting", self._say)
        self.changed.emit()
        self._messages.success(f"Deleted take {take.number}.", ("Undo", lambda: self.restore(take_id)))

    def restore(self, take_id: str) -> None:
        """Undo `delete`."""
        take = self._deleted.pop(take_id, None)
        if take is None:
            return
        self._insert(take)
        keep(self._lane, partial(take_files.unhide, self._folder, take_id), "Restoring", self._say)
        self.changed.emit()

    def read(self, take: Take, then: Callable[[Samples], object], or_else: Callable[[], object]) -> None:
        """Call `then` with the sound of `take`: at once if it is in memory, else when it was read."""
        if take.samples is not None:
            then(take.samples)
            return
        job = self._lane.submit(lambda _: take_files.read_samples(self._folder, take), "Reading a take")
        job.finished.connect(then)
        job.failed.connect(self._say)
        job.failed.connect(lambda _: or_else())

    # -- behind

    def _take_over(self, takes: list[Take], rescued: int, gone: int) -> None:
        known = {take.id for take in self._takes}
        self._takes += [take for take in takes if take.id not in known]
        self._takes.sort(key=lambda take: take.number, reverse=True)
        self._highest = max([self._highest, *(take.number for take in takes)])
        if rescued:
            what = "A take" if rescued == 1 else f"{rescued} takes"
            self._messages.info(f"{what} that was being spoken when the studio ended has been kept as far as it got.")
        if gone:
            words = self.tr("%n old take(s) without a star gave way to keep within {} GB.", "", gone)
            self._messages.info(words.format(self._room_gb()))
        self.changed.emit()

    def _say_loaded(self) -> None:
        self.is_loaded = True
        self.loaded.emit()

    def _insert(self, take: Take) -> None:
        place = next((at for at, other in enumerate(self._takes) if other.number < take.number), len(self._takes))
        self._takes.insert(place, take)

    def _keep(self, take: Take, *, whole: bool = False) -> None:
        write = take_files.write_take if whole else take_files.write_notes
        job = keep(self._lane, lambda: write(self._folder, take), "Keeping a take", self._say)
        if whole:
            job.finished.connect(lambda _: self._unwritten.discard(take.id))

    def _let_go_of_sounds(self) -> None:
        """Bound the memory: all but the latest sounds are on the disk only."""
        for place, take in enumerate(self._takes[_SOUNDS_KEPT:], _SOUNDS_KEPT):
            if take.samples is not None and take.id not in self._unwritten:
                self._takes[place] = replace(take, samples=None)

    def _say(self, error: BaseException) -> None:
        text = str(error) if isinstance(error, OSError | engine.QVoiceError) else error_text(error)
        self._messages.error(text)
