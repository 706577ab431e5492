"""Which models are at hand, which ones are chosen, and which are loaded."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

import engine
import resources
from app.settings.table import BASE_MODEL, CUSTOM_VOICE_MODEL, MODEL_FOLDERS, MODELS_FOLDER, PRECISION
from app.work.job import error_text

if TYPE_CHECKING:
    from app.messages import Messages
    from app.settings.settings import Settings
    from app.work.job import Job
    from app.work.lanes import Lane
    from app.work.task import JobContext

TEST_MODELS = (resources.path("test_model", "base"), resources.path("test_model", "custom_voice"))
_KEPT_LOADED = 2  # a Base model to clone with and one to speak with


@dataclass(frozen=True)
class ModelEntry:
    """A folder the studio knows: what it holds, or the one line that says why it cannot be used.

    `memory_bytes` are forecasts for fp32 and int8; `speed` is None while nothing of its size was measured here.
    """

    folder: Path
    summary: engine.ModelSummary | None
    problem: str = ""
    bundled: bool = False
    memory_bytes: tuple[int, int] = (0, 0)
    speed: engine.MeasuredSpeed | None = None


def models_root(settings: Settings) -> Path:
    """Where fetched models are kept."""
    chosen = settings.get(MODELS_FOLDER)
    return Path(chosen) if chosen else engine.models_folder()


class ModelShelf(QObject):
    """The models. Summaries are read in the file lane; weights are loaded and used in the model lane only.

    Signals:
        changed()  entries or choices are other than before
        loaded_changed(str, str, str)  label of the model in use; where and how precisely it computes, and why so
    """

    changed = Signal()
    loaded_changed = Signal(str, str, str)

    def __init__(
        self, settings: Settings, messages: Messages, files: Lane, cache: Path, parent: QObject | None = None
    ) -> None:
        """`cache` is the folder where what depends on a pair of models is kept."""
        super().__init__(parent)
        self._cache = cache
        self._settings, self._messages, self._files = settings, messages, files
        self._entries: tuple[ModelEntry, ...] = ()
        self._loaded: OrderedDict[tuple[Path, str], engine.Model] = OrderedDict()  # the model lane's own

    @property
    def entries(self) -> tuple[ModelEntry, ...]:
        return self._entries

    @property
    def usable(self) -> tuple[engine.ModelSummary, ...]:
        """Real models first, the test models last."""
        found = [entry.summary for entry in self._entries if entry.summary is not None]
        return tuple(sorted(found, key=lambda summary: summary.is_test_model))

    def refresh(self) -> Job:
        """Look at every known folder again, and at what was fetched by whatever program of ours."""
        known = [*TEST_MODELS, *map(Path, self._settings.get(MODEL_FOLDERS))]
        root = models_root(self._settings)

        def look(_: JobContext) -> tuple[ModelEntry, ...]:
            fetched = [root / model.folder for model in engine.RELEASED if (root / model.folder).is_dir()]
            return tuple(map(_look_at, dict.fromkeys([*known, *fetched])))

        job = self._files.submit(look, "Looking for models")
        job.finished.connect(self._set_entries)
        job.failed.connect(lambda error: self._messages.error(error_text(error)))
        return job

    def add_folder(self, folder: Path) -> Job:
        """Take in a model folder; a folder that is none is refused in one line and not kept."""
        job = self._files.submit(lambda _: _entry(engine.model_folder_in(folder)), f"Looking at {folder.name}")
        job.finished.connect(self._keep)
        job.failed.connect(lambda error: self._messages.error(error_text(error)))
        return job

    def remove_folder(self, folder: Path) -> None:
        """Forget a folder; nothing on the disk is touched."""
        known = self._settings.get(MODEL_FOLDERS)
        self._settings.set(MODEL_FOLDERS, tuple(name for name in known if Path(name) != folder))
        self._set_entries(tuple(entry for entry in self._entries if entry.folder != folder))

    def choose(self, summary: engine.ModelSummary) -> None:
        """Clone with it, if it is a Base model; else speak with it."""
        setting = BASE_MODEL if summary.can_clone else CUSTOM_VOICE_MODEL
        self._settings.set(setting, str(summary.folder))
        self.changed.emit()

    @property
    def base(self) -> engine.ModelSummary | None:
        """The model that clones: the chosen one, else the best at hand."""
        return self._chosen(self._settings.get(BASE_MODEL), [s for s in self.usable if s.can_clone])

    @property
    def speaking(self) -> engine.ModelSummary | None:
        """The model that speaks unless another is asked for: the chosen one, else one that follows style."""
        others = [s for s in self.usable if s.kind == "custom_voice"]
        return self._chosen(self._settings.get(CUSTOM_VOICE_MODEL), others) or self.base

    def fitting(self, width: int) -> tuple[engine.ModelSummary, ...]:
        """The models a voice of this width speaks with: CustomVoice first, then Base."""
        fit = [s for s in self.usable if s.width == width and s.kind != "voice_design"]
        return tuple(sorted(fit, key=lambda s: (s.is_test_model, s.can_clone)))

    def pair(self) -> engine.ModelPair | None:
        """The Base model in use and a CustomVoice model of its size, as the larger tiers need them."""
        return None if self.base is None else self._pair_with(self.base)

    def pair_of(self, width: int) -> engine.ModelPair | None:
        """The same for voices of `width`, whichever Base model is in use: the chosen one, else the best at hand."""
        fit = [s for s in self.usable if s.can_clone and s.width == width]
        base = self._chosen(self._settings.get(BASE_MODEL), fit)
        return None if base is None else self._pair_with(base)

    def _pair_with(self, base: engine.ModelSummary) -> engine.ModelPair:
        test = base.is_test_model
        fit = [s for s in self.usable if s.kind == "custom_voice" and s.width == base.width and s.is_test_model == test]
        partner = self._chosen(self._settings.get(CUSTOM_VOICE_MODEL), fit)
        return engine.ModelPair(base.folder, None if partner is None else partner.folder, self._cache)

    def load(self, folder: Path, context: JobContext) -> engine.Model:
        """The model in `folder`, loaded if it is not yet. Only to be called by a job of the model lane."""
        precision = self._settings.get(PRECISION)
        key = (folder, precision)
        model = self._loaded.get(key)
        if model is None:
            while len(self._loaded) >= _KEPT_LOADED:
                self._loaded.popitem(last=False)
            engine.release_memory()
            model = engine.load_model(folder, precision=precision, cancel=context.cancel, report=context.report)
            self._loaded[key] = model
        self._loaded.move_to_end(key)
        bases = [summary.folder for summary in self.usable if summary.can_clone]
        model.rebuilt.bases = tuple(bases)  # what a WDELTA voice would rebuild may lie there ready
        self.loaded_changed.emit(model.summary.label, model.placement.label, model.placement.reason)
        return model

    def unload(self, folder: Path | None = None) -> None:
        """Give the memory of loaded models back, of all or of the one in `folder`. Only for jobs of the model lane."""
        gone = [key for key in self._loaded if folder in (None, key[0])]
        for key in gone:
            del self._loaded[key]
        if gone:  # else torch may not even be loaded
            engine.release_memory()
        if not self._loaded:
            self.loaded_changed.emit("", "", "")

    def _keep(self, entry: ModelEntry) -> None:
        folder, summary = entry.folder, entry.summary
        assert summary is not None
        known = self._settings.get(MODEL_FOLDERS)
        if str(folder) not in known and folder not in TEST_MODELS:
            self._settings.set(MODEL_FOLDERS, (*known, str(folder)))
        others = tuple(entry for entry in self._entries if entry.folder != folder)
        self._entries = (*others, entry)
        self.choose(summary)
        self._messages.success(f"{summary.label} is ready to use.")

    def _set_entries(self, entries: tuple[ModelEntry, ...]) -> None:
        self._entries = entries
        self.changed.emit()

    @staticmethod
    def _chosen(folder: str, among: list[engine.ModelSummary]) -> engine.ModelSummary | None:
        """The summary of `folder`, else the first; None if there is none."""
        return next((s for s in among if folder and s.folder == Path(folder)), among[0] if among else None)


def _look_at(folder: Path) -> ModelEntry:
    try:
        return _entry(folder)
    except engine.QVoiceError as error:
        return ModelEntry(folder, None, str(error), folder in TEST_MODELS)


def _entry(folder: Path) -> ModelEntry:
    summary = engine.summarize_model(folder)
    exact, small = (engine.forecast(folder, precision).loaded_bytes for precision in ("fp32", "int8"))
    speed = engine.measured_speed(summary.size_label)
    return ModelEntry(folder, summary, "", folder in TEST_MODELS, (exact, small), speed)
