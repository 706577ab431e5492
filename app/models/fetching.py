"""Fetching released models: what is where, what runs, and the acts of the Models room. One fetch at a time."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, Signal

import engine
from app.settings.table import MODEL_FOLDERS, MODEL_SOURCE, MODELS_FOLDER
from app.work.job import error_text

if TYPE_CHECKING:
    from app.messages import Messages
    from app.models.shelf import ModelShelf
    from app.settings.settings import Settings
    from app.work.job import Job
    from app.work.lanes import Lane

_REMOVED = ".removed-"

Kind = Literal["absent", "found", "kept", "waiting", "running", "here"]


@dataclass(frozen=True)
class FetchState:
    """How it stands with one released model. Bytes, bytes a second, seconds; `stage` in the engine's words.

    "found" is one in another program's cache, in `folder`.
    """

    kind: Kind
    done_bytes: float = 0.0
    total_bytes: float = 0.0
    stage: str = ""
    speed: float = 0.0
    seconds_left: float | None = None
    folder: Path | None = None


@dataclass(frozen=True)
class Outlook:
    """What the released models would mean on this computer."""

    recommended: tuple[engine.ReleasedModel, ...]
    machine: engine.MachineSpeed


class Fetching(QObject):
    """Signals:
    changed(str)  the state of the model of that name is another
    outlook_changed()  `outlook` is known
    """

    changed = Signal(str)
    outlook_changed = Signal()

    def __init__(
        self, settings: Settings, messages: Messages, files: Lane, web: Lane, shelf: ModelShelf, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._settings, self._messages, self._files, self._web, self._shelf = settings, messages, files, web, shelf
        self._states = {model.name: FetchState("absent") for model in engine.RELEASED}
        self._jobs: dict[str, Job] = {}
        self.outlook: Outlook | None = None

    @property
    def root(self) -> Path:
        """Where fetched models are kept."""
        chosen = self._settings.get(MODELS_FOLDER)
        return Path(chosen) if chosen else engine.models_folder()

    def folder(self, model: engine.ReleasedModel) -> Path:
        return self.root / model.folder

    def state(self, model: engine.ReleasedModel) -> FetchState:
        return self._states[model.name]

    # Looking

    def look(self) -> None:
        """See what is on the disk, and once what this computer is good for; both behind."""
        root = self.root
        job = self._files.submit(lambda _: _states(root), "Looking for models")
        job.finished.connect(self._take_states)
        if self.outlook is None:
            job = self._files.submit(lambda _: _outlook(root), "Measuring this computer")
            job.finished.connect(self._take_outlook)

    def _take_states(self, found: dict[str, FetchState]) -> None:
        known = self._settings.get(MODEL_FOLDERS)
        for name, state in found.items():
            if state.kind == "found" and str(state.folder) in known:
                state = FetchState("here")
            if name not in self._jobs:
                self._set(name, state)

    def _take_outlook(self, outlook: Outlook) -> None:
        self.outlook = outlook
        self.outlook_changed.emit()

    # Acts

    def fetch(self, model: engine.ReleasedModel) -> None:
        """Fetch, go on with, or mend `model`."""
        if model.name in self._jobs:
            return
        root, source = self.root, engine.source_called(self._settings.get(MODEL_SOURCE))
        job = self._web.submit(
            lambda context: engine.fetch_model(model, root, source, context.cancel, context.report),
            f"Fetching {model.title}",
        )
        self._jobs[model.name] = job
        kept = self._states[model.name]
        self._set(model.name, FetchState("waiting", kept.done_bytes, model.total_bytes))
        pace = engine.Pace()
        job.progressed.connect(lambda progress: self._show(model.name, progress, pace))
        job.finished.connect(self._fetched)
        job.failed.connect(
            lambda error: self._messages.error(error_text(error), ("Try again", lambda: self.fetch(model)))
        )
        job.ended.connect(partial(self._ended, model.name))

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
        """Throw away what an interrupted fetch has left."""
        root = self.root
        job = self._files.submit(lambda _: engine.forget_kept(root, model), f"Discarding {model.title}")
        job.ended.connect(self.look)

    def verify(self, folder: Path, title: str) -> None:
        """Compare every byte with what was fetched, and say how it is."""
        job = self._files.submit(
            lambda context: engine.verify_model(folder, context.cancel, context.report), f"Checking {title}"
        )
        job.finished.connect(partial(self._verified, folder, title))
        job.failed.connect(lambda error: self._messages.error(error_text(error)))

    def remove(self, model: engine.ReleasedModel) -> None:
        """Take it from the disk; for as long as the studio runs it can be brought back."""
        folder, hidden = self.folder(model), self.root / f"{_REMOVED}{model.folder}"
        job = self._files.submit(lambda _: _move(folder, hidden), f"Removing {model.title}")
        job.finished.connect(partial(self._removed, model, folder, hidden))
        job.failed.connect(lambda error: self._messages.error(error_text(error)))

    # What came of them

    def _show(self, name: str, progress: engine.Progress, pace: engine.Pace) -> None:
        pace.add(progress.done)
        total = progress.total or 0.0
        left = pace.seconds_left(progress.done, total)
        self._set(name, FetchState("running", progress.done, total, progress.stage, pace.bytes_per_second, left))

    def _fetched(self, folder: Path) -> None:
        self._shelf.add_folder(folder)

    def _ended(self, name: str) -> None:
        self._jobs.pop(name, None)
        self.look()

    def _verified(self, folder: Path, title: str, faults: tuple[str, ...]) -> None:
        if not faults:
            self._messages.success(f"{title} is whole.")
            return
        model = next((model for model in engine.RELEASED if self.folder(model) == folder), None)
        mend = None if model is None else ("Mend", partial(self.fetch, model))
        more = f" And {len(faults) - 1} more." if len(faults) > 1 else ""
        self._messages.error(faults[0] + more, mend)

    def _removed(self, model: engine.ReleasedModel, folder: Path, hidden: Path, _: object) -> None:
        self._shelf.remove_folder(folder)
        self.look()
        self._messages.info(f"{model.title} is removed.", ("Undo", partial(self._bring_back, folder, hidden)))

    def _bring_back(self, folder: Path, hidden: Path) -> None:
        job = self._files.submit(lambda _: _move(hidden, folder), f"Bringing back {folder.name}")
        job.finished.connect(lambda _: self._fetched(folder))
        job.ended.connect(self.look)
        job.failed.connect(lambda error: self._messages.error(error_text(error)))

    def empty_removed(self) -> None:
        """Give the room of removed models back: at the start, when nobody can bring them back any more."""
        root = self.root
        self._files.submit(lambda _: _purge(root), "Emptying what was removed")

    def _set(self, name: str, state: FetchState) -> None:
        if self._states[name] != state:
            self._states[name] = state
            self.changed.emit(name)


def _states(root: Path) -> dict[str, FetchState]:
    found = {}
    for model in engine.RELEASED:
        kept = engine.kept_bytes(root, model)
        cached = engine.in_hub_cache(model)
        kind: Kind = "here" if (root / model.folder).is_dir() else "kept" if kept else "found" if cached else "absent"
        found[model.name] = FetchState(kind, kept, model.total_bytes, folder=cached)
    return found


def _outlook(root: Path) -> Outlook:
    there = next(folder for folder in (root, *root.parents) if folder.exists())
    free = shutil.disk_usage(there).free
    machine = engine.measure_machine()
    factor = partial(engine.expected_realtime_factor, precision="int8", machine=machine)
    return Outlook(engine.recommended(engine.memory_bytes().total, free, factor), machine)


def _move(source: Path, target: Path) -> None:
    try:
        if target.exists():
            shutil.rmtree(target)
        source.replace(target)
    except OSError as error:
        raise engine.WriteError(
            f"{source} cannot be moved ({error.strerror}). Is it open in another program?"
        ) from error


def _purge(root: Path) -> None:
    for folder in root.glob(f"{_REMOVED}*"):
        shutil.rmtree(folder, ignore_errors=True)
