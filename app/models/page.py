"""The room Models: which models are at hand, which ones are used, and how to bring in another."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QComboBox, QFileDialog, QVBoxLayout, QWidget

import engine
from app.commands.acts import add_act
from app.models.released_row import ReleasedRow
from app.models.row import ModelRow
from app.models.words import outlook_words
from app.settings.table import MODEL_SOURCE, MODELS_FOLDER, PRECISION
from app.widgets.buttons import ghost_button, plain_button, primary_button
from app.widgets.drop_area import DropArea
from app.widgets.labels import ElidedLabel, label
from app.widgets.layouts import boxed, column, row, scrolling
from app.widgets.message_bar import MessageBar
from app.work.job import error_text

if TYPE_CHECKING:
    from app.models.shelf import ModelEntry
    from app.studio import Studio
    from app.work.job import JobContext

_HOW = "A model that is on this computer already is used where it lies; nothing is copied."
_ONLY_TEST = "Only the test models are here: random weights that make noise. Fetch a real pair below, or add a folder."


class ModelsPage(QWidget):
    """A card for each model that is here and for each that can be fetched, and a button to add a folder."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("page", True)
        self._studio, self._shelf, self._fetching = studio, studio.shelf, studio.fetching
        self.add_button = primary_button("Add model folder…", "folder-open", self.choose_folder)
        self._notice = MessageBar()
        self._rows, self._test_rows = QVBoxLayout(), QVBoxLayout()
        for rows in (self._rows, self._test_rows):
            rows.setSpacing(12)
        self.released = {model.name: self._released_row(model) for model in engine.RELEASED}
        self._advice = label("", wrap=True)
        self.fetch_pair_button = plain_button("Fetch both", "download", self._fetch_recommended)
        self.fetch_pair_button.hide()
        self._lay_out()
        self._drops = DropArea(self, "Drop a model folder here")
        self._drops.files_dropped.connect(self._add_all)
        self._shelf.changed.connect(self._show)
        self._fetching.changed.connect(self._show_fetch)
        self._fetching.outlook_changed.connect(self._show_outlook)
        add_act(self, "Add a model folder", self.choose_folder)
        add_act(self, "Unload all models and give their memory back", self._unload)
        self._show()

    def _lay_out(self) -> None:
        to_fetch = column(*self.released.values(), gap="m")
        advice = row(self._advice, self.fetch_pair_button, gap="m")
        advice.setStretch(0, 1)
        released = column(label("Released models", "lead"), advice, self._source_row(), to_fetch, gap="m")
        tests = column(label("For trying out", "lead"), self._test_rows, gap="m")
        rows = boxed(column(self._rows, released, tests, None, gap="l"))
        unload = ghost_button("Unload", "memory-stick", self._unload)
        unload.setToolTip("Give the memory of loaded models back; they are loaded again when they are needed")
        title = row(label("Models", "title"), None, unload, gap="m")
        foot = row(label(_HOW, "caption", "dim", wrap=True), self.add_button, gap="l")
        foot.setStretch(0, 1)
        layout = column(title, self._notice, scrolling(rows), foot, gap="l", margin="xl")
        layout.setStretch(2, 1)
        self.setLayout(layout)

    def _source_row(self) -> QWidget:
        """Where from, and where to."""
        settings = self._studio.settings
        self.source_box = QComboBox()
        self.source_box.setAccessibleName("Fetch from")
        for source in engine.SOURCES.values():
            self.source_box.addItem(source.title, source.name)
        self.source_box.setCurrentIndex(max(0, self.source_box.findData(settings.get(MODEL_SOURCE))))
        self.source_box.activated.connect(lambda _: settings.set(MODEL_SOURCE, self.source_box.currentData()))
        self._place = ElidedLabel()
        self._place.setProperty("tone", "dim")
        choose = ghost_button("Change…", "folder-open", self._choose_root)
        choose.setAccessibleName("Change where fetched models are kept")
        pieces = row(
            *(label("From", tone="dim"), self.source_box, 12, label("into", tone="dim"), self._place, choose), gap="s"
        )
        pieces.setStretch(4, 1)
        return boxed(pieces)

    def enter(self) -> None:
        """The page is shown."""
        self._place.setText(str(self._fetching.root))
        self._fetching.look()

    def choose_folder(self) -> None:
        """Ask for a model folder and take it in."""
        name = QFileDialog.getExistingDirectory(self, "Choose a model folder", str(Path.home()))
        if name:
            self._shelf.add_folder(Path(name))

    def _choose_root(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Where to keep fetched models", str(self._fetching.root))
        if name:
            self._studio.settings.set(MODELS_FOLDER, name)
            self.enter()

    def _add_all(self, folders: list[Path]) -> None:
        for folder in folders:
            self._shelf.add_folder(folder)

    def _measure(self, folder: Path) -> None:
        """Let a model speak for ten seconds; the figure is kept."""
        shelf, precision = self._shelf, self._studio.settings.get(PRECISION)

        def work(context: JobContext) -> str:
            shelf.unload()  # there may be no room for two
            return engine.benchmark(folder, precision, context.cancel, context.report).text

        job = self._studio.model_lane.submit(work, "Measuring the speed")
        job.finished.connect(self._studio.messages.info)
        job.failed.connect(lambda error: self._studio.messages.error(error_text(error)))
        job.finished.connect(lambda _: shelf.refresh())
        job.finished.connect(lambda _: self._fetching.look_ahead())

    def _unload(self) -> None:
        job = self._studio.model_lane.submit(lambda _: self._shelf.unload(), "Unloading models")
        job.finished.connect(lambda _: self._studio.messages.info("All models are unloaded."))

    # Released models

    def _released_row(self, model: engine.ReleasedModel) -> ReleasedRow:
        card = ReleasedRow(model)
        card.fetch_asked.connect(partial(self._fetch, model))
        card.pause_asked.connect(partial(self._fetching.pause, model))
        card.discard_asked.connect(partial(self._fetching.discard, model))
        card.show_state(self._fetching.state(model))
        return card

    def _fetch(self, model: engine.ReleasedModel) -> None:
        if self._fetching.state(model).kind == "found":
            self._fetching.use_found(model)
        else:
            self._fetching.fetch(model)

    def _show_fetch(self, name: str) -> None:
        model = next(model for model in engine.RELEASED if model.name == name)
        self.released[name].show_state(self._fetching.state(model))
        self._show_outlook()

    def _show_outlook(self) -> None:
        outlook = self._fetching.outlook
        if outlook is None:
            return
        self._advice.setText(outlook_words(outlook.recommended))
        for card in self.released.values():
            card.show_outlook(outlook)
        missing = [model for model in outlook.recommended if self._fetching.state(model).kind in ("absent", "kept")]
        self.fetch_pair_button.setVisible(bool(missing))
        self.fetch_pair_button.setText("Fetch both" if len(missing) > 1 else "Fetch it")

    def _fetch_recommended(self) -> None:
        if self._fetching.outlook is not None:
            for model in self._fetching.outlook.recommended:
                if self._fetching.state(model).kind != "here":
                    self._fetching.fetch(model)

    # Models that are here

    def _show(self) -> None:
        shelf = self._shelf
        for rows in (self._rows, self._test_rows):
            _empty(rows)
        used = {summary.folder for summary in (shelf.base, shelf.speaking) if summary is not None}
        for entry in shelf.entries:
            rows = self._test_rows if entry.bundled else self._rows
            rows.addWidget(self._row(entry, entry.folder in used))
        if shelf.entries and all(summary.is_test_model for summary in shelf.usable):
            self._notice.show_message("info", _ONLY_TEST)
        else:
            self._notice.clear()

    def _row(self, entry: ModelEntry, in_use: bool) -> ModelRow:
        fetched = next((model for model in engine.RELEASED if self._fetching.folder(model) == entry.folder), None)
        card = ModelRow(entry, in_use, fetched)
        title = entry.folder.name
        if entry.summary is not None:
            title = entry.summary.label
            card.use_asked.connect(partial(self._shelf.choose, entry.summary))
        card.verify_asked.connect(partial(self._fetching.verify, entry.folder, title))
        if fetched is None:
            card.remove_asked.connect(partial(self._shelf.remove_folder, entry.folder))
        else:
            card.remove_asked.connect(partial(self._fetching.remove, fetched))
            card.mend_asked.connect(partial(self._fetching.fetch, fetched))
        card.measure_asked.connect(partial(self._measure, entry.folder))
        return card


def _empty(rows: QVBoxLayout) -> None:
    while (item := rows.takeAt(0)) is not None:
        if (old := item.widget()) is not None:
            old.hide()
            old.deleteLater()
