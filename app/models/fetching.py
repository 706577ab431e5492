"""Fetching released models: what is where, what runs, and the acts of the Models room. One fetch at a time."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

import engine
from app.models.shelf import models_root
from app.models.standing import FetchState, Outlook, move, outlook, purge, removed_place, standing
from app.settings.table import BROKEN_OFF, MODEL_SOURCE
from app.work.job import error_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.messages import Messages
    from app.models.shelf import ModelShelf
    from app.settings.settings import Settings
    from app.work.job import Job, JobContext
    from app.work.lanes import Lane


class Lanes(NamedTuple):
    """Where the work is done."""

    files: Lane
    web: Lane
    model: Lane


class Fetching(QObject):
    """Signals:
    changed(str)  the state of the model of that name is another
    outlook_changed()  `outlook` is known
    """

    changed = Signal(str)
    outlook_changed = Signal()

    def __init__(
        self, settings: Settings, messages: Messages, shelf: ModelShelf, lanes: Lanes, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._settings, self._messages, self._shelf, self._lanes = settings, messages, shelf, lanes
        self._on_disk = {model.name: FetchState("absent") for model in engine.RELEASED}
        self._states = dict(self._on_disk)
        self._jobs: dict[str, Job] = {}
        self._unwanted: set[str] = set()
        self._leaving = False
        self.outlook: Outlook | None = None
        shelf.changed.connect(self._settle)

    @property
    def root(self) -> Path:
        """Where fetched models are kept."""
        return models_root(self._settings)

    def folder(self, model: engine.ReleasedModel) -> Path:
        return self.root / model.folder

    def state(self, model: engine.ReleasedModel) -> FetchState:
        return self._states[model.name]

    # Looking

    def look(self) -> None:
        """See what is on the disk, and once what this computer is good for; both behind."""
        root = self.root
        job = self._lanes.files.submit(lambda _: standing(root), "Looking for models")
        job.finished.connect(self._take_standing)
        if self.outlook is None:
            self.look_ahead()

    def look_ahead(self) -> None:
        """See again what this computer is good for."""
        root = self.root
        job = self._lanes.files.submit(lambda _: outlook(root), "Measuring this computer")
        job.finished.connect(self._take_outlook)

    def _take_standing(self, found: dict[str, FetchState]) -> None:
        self._on_disk = found
        known = {entry.folder for entry in self._shelf.entries}
        if any(found[model.name].kind == "here" and self.folder(model) not in known for model in engine.RELEASED):
            self._shelf.refresh()  # fetched by the command line
        self._settle()

    def _settle(self) -> None:
        """Put together what lies on the disk and what is on the shelf, perhaps from elsewhere."""
        for model in engine.RELEASED:
            state = self._on_disk[model.name]
            if self._shelf_has(model, state):
                state = replace(state, kind="here")
            if model.name not in self._jobs:
                self._set(model.name, state)

    def _shelf_has(self, model: engine.ReleasedModel, state: FetchState) -> bool:
        return any(
            summary.folder == state.folder
            or (not summary.is_test_model and (summary.kind, summary.size_label) == (model.kind, model.size_label))
            for summary in self._shelf.usable
        )

    def _take_outlook(self, found: Outlook) -> None:
        self.outlook = found
        self.outlook_changed.emit()

    # Acts

    def fetch(self, model: engine.ReleasedModel) -> None:
        """Fetch, go on with, or mend `model`."""
        if model.name in self._jobs:
            return
        if self._on_disk[model.name].kind == "here":  # what is loaded was read from a broken file
            self._unload(self.folder(model))
        root, source = self.root, engine.source_called(self._settings.get(MODEL_SOURCE))

        def work(context: JobContext) -> Path:
            purge(root)  # the room is needed
            return engine.fetch_model(model, root, source, context.cancel, context.report)

        job = self._lanes.web.submit(work, f"Fetching {model.title}")
        self._jobs[model.name] = job
        self._remember(model.name, True)
        kept = self._states[model.name]
        self._set(model.name, FetchState("waiting", kept.done_bytes, model.total_bytes))
        pace = engine.Pace()
        job.progressed.connect(lambda progress: self._show(model.name, progress, pace))
        job.finished.connect(self._fetched)
        job.failed.connect(
            lambda error: self._messages.error(error_text(error), ("Try again", lambda: self.fetch(model)))
        )
        job.ended.connect(partial(self._ended, model))

    def use_found(self, model: engine.ReleasedModel) -> None:
        """Use what another program has fetched, where it lies."""
        folder = self._states[model.name].folder
        if folder is not None:
            self._shelf.add_folder(folder).ended.connect(self.look)

    def pause(self, model: engine.ReleasedModel) -> None:
        """Stop; what came is kept."""
        if (job := self._jobs.get(model.name)) is not None:
            job.cancel()

    def discard(self, model: engine.ReleasedModel) -> None:
        """Throw away what came of a fetch, which is ended if it runs."""
        if model.name in self._jobs:
            self._unwanted.add(model.name)
            self.pause(model)
            return
        root = self.root
        job = self._lanes.files.submit(lambda _: engine.forget_kept(root, model), f"Discarding {model.title}")
        job.ended.connect(self.look)

    def verify(self, folder: Path, title: str) -> None:
        """Compare every byte with what was fetched, and say how it is."""

        def work(context: JobContext) -> tuple[tuple[str, ...], bool]:
            return engine.verify_model(folder, context.cancel, context.report), engine.knows_bytes(folder)

        job = self._lanes.files.submit(work, f"Checking {title}")
        job.finished.connect(partial(self._verified, folder, title))
        job.failed.connect(lambda error: self._messages.error(error_text(error)))

    def remove(self, model: engine.ReleasedModel) -> None:
        """Take it from the disk; until the studio ends or fetches another one it can be brought back."""
        folder, hidden = self.folder(model), removed_place(self.root, model)
        unloading = self._unload(folder)
        unloading.finished.connect(
            lambda _: self._move(folder, hidden, "Removing", partial(self._removed, model, folder, hidden))
        )

    # Over the end of the studio

    def leave(self) -> None:
        """From now on fetches end because the studio does: they are to go on at the next start."""
        self._leaving = True

    def go_on(self) -> None:
        """Go on with what the end of the studio broke off."""
        models = [model for model in engine.RELEASED if model.name in self._settings.get(BROKEN_OFF)]
        for model in models:
            self.fetch(model)
        if models:
            names = " and ".join(model.title for model in models)
            self._messages.info(f"Fetching {names} goes on.", ("Pause", self._lanes.web.cancel_all))

    def empty_removed(self) -> None:
        """Give the room of removed models back: at the start, when nobody can bring them back any more."""
        root = self.root
        self._lanes.files.submit(lambda _: purge(root), "Emptying what was removed")

    def _remember(self, name: str, is_wanted: bool) -> None:
        others = tuple(other for other in self._settings.get(BROKEN_OFF) if other != name)
        self._settings.set(BROKEN_OFF, (*others, name) if is_wanted else others)

    # What came of them

    def _show(self, name: str, progress: engine.Progress, pace: engine.Pace) -> None:
        pace.add(progress.done, progress.stage)
        total = progress.total or 0.0
        left = pace.seconds_left(progress.done, total)
        self._set(name, FetchState("running", progress.done, total, progress.stage, pace.bytes_per_second, left))

    def _fetched(self, folder: Path) -> None:
        self._shelf.add_folder(folder)

    def _ended(self, model: engine.ReleasedModel) -> None:
        self._jobs.pop(model.name, None)
        if not self._leaving:
            self._remember(model.name, False)
        if model.name in self._unwanted:
            self._unwanted.remove(model.name)
            self.discard(model)
        else:
            self.look()

    def _verified(self, folder: Path, title: str, result: tuple[tuple[str, ...], bool]) -> None:
        faults, every_byte = result
        if not faults:
            extent = "." if every_byte else ", as far as the headers of its files tell."
            self._messages.success(f"{title} is whole{extent}")
            return
        model = next((model for model in engine.RELEASED if self.folder(model) == folder), None)
        mend = None if model is None else ("Mend", partial(self.fetch, model))
        more = f" And {len(faults) - 1} more." if len(faults) > 1 else ""
        self._messages.error(faults[0] + more, mend)

    def _removed(self, model: engine.ReleasedModel, folder: Path, hidden: Path) -> None:
        self._shelf.remove_folder(folder)
        self._messages.info(f"{model.title} is removed.", ("Undo", partial(self._bring_back, folder, hidden)))

    def _bring_back(self, folder: Path, hidden: Path) -> None:
        self._move(hidden, folder, "Bringing back", partial(self._fetched, folder))

    def _move(self, source: Path, target: Path, words: str, then: Callable[[], None]) -> None:
        job = self._lanes.files.submit(lambda _: move(source, target), f"{words} {source.name}")
        job.finished.connect(lambda _: then())
        job.failed.connect(lambda error: self._messages.error(error_text(error)))
        job.ended.connect(self.look)

    def _unload(self, folder: Path) -> Job:
        """Windows removes no file that is open."""
        return self._lanes.model.submit(lambda _: self._shelf.unload(folder), f"Unloading {folder.name}")

    def _set(self, name: str, state: FetchState) -> None:
        if self._states[name] != state:
            self._states[name] = state
            self.changed.emit(name)
