"""The room Models: which models are at hand, which ones are used, and how to bring in another."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QFileDialog, QVBoxLayout, QWidget

from app.models.row import ModelRow
from app.widgets.buttons import primary_button
from app.widgets.drop_area import DropArea
from app.widgets.labels import label
from app.widgets.layouts import boxed, column, row, scrolling
from app.widgets.message_bar import MessageBar

if TYPE_CHECKING:
    from app.studio import Studio

_HOW = (
    "A model folder holds config.json, vocab.json, merges.txt, model.safetensors and speech_tokenizer. "
    "Choose one that is already on this computer; nothing is copied."
)
_ONLY_TEST = "Only the test models are here: random weights that make noise. Add a real Base model to clone with."


class ModelsPage(QWidget):
    """A card for each model, and a button to add a folder."""

    def __init__(self, studio: Studio, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("page", True)
        self._studio = studio
        self.add_button = primary_button("Add model folder…", "folder-open", self.choose_folder)
        self._notice = MessageBar()
        self._rows = QVBoxLayout()
        self._rows.setSpacing(12)
        rows = boxed(column(self._rows, None, gap="m"))
        scroll = scrolling(rows)
        title = row(label("Models", "title"), None, gap="m")
        foot = row(label(_HOW, "caption", "dim", wrap=True), self.add_button, gap="l")
        foot.setStretch(0, 1)
        layout = column(title, self._notice, scroll, foot, gap="l", margin="xl")
        layout.setStretch(2, 1)
        self.setLayout(layout)
        self._drops = DropArea(self, "Drop a model folder here")
        self._drops.files_dropped.connect(self._add_all)
        studio.shelf.changed.connect(self._show)
        self._show()

    def choose_folder(self) -> None:
        """Ask for a model folder and take it in."""
        name = QFileDialog.getExistingDirectory(self, "Choose a model folder", str(Path.home()))
        if name:
            self._studio.shelf.add_folder(Path(name))

    def _add_all(self, folders: list[Path]) -> None:
        for folder in folders:
            self._studio.shelf.add_folder(folder)

    def _show(self) -> None:
        shelf = self._studio.shelf
        while (item := self._rows.takeAt(0)) is not None:
            if (old := item.widget()) is not None:
                old.hide()
                old.deleteLater()
        used = {summary.folder for summary in (shelf.base, shelf.speaking) if summary is not None}
        for entry in sorted(shelf.entries, key=lambda entry: entry.bundled):
            card = ModelRow(entry, entry.folder in used)
            if entry.summary is not None:
                card.use_asked.connect(partial(shelf.choose, entry.summary))
            card.remove_asked.connect(partial(shelf.remove_folder, entry.folder))
            self._rows.addWidget(card)
        if shelf.entries and all(summary.is_test_model for summary in shelf.usable):
            self._notice.show_message("info", _ONLY_TEST)
        else:
            self._notice.clear()
