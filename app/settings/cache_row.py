"""A cache: how large it is, and emptying it."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QWidget

from app.models.words import size_words
from app.settings.folder_row import folder_size
from app.widgets.buttons import plain_button
from app.widgets.labels import label
from app.widgets.layouts import column, row

if TYPE_CHECKING:
    from app.studio import Studio


class CacheRow(QWidget):
    """`look` measures it, behind."""

    def __init__(self, name: str, folder: Path, studio: Studio) -> None:
        super().__init__()
        self._name, self._folder, self._studio = name, folder, studio
        self._words = label("", "caption", "dim")
        self.empty_button = plain_button("Empty", "trash-2", self._empty)
        self.empty_button.setAccessibleName(f"Empty: {name}")
        line = row(column(label(name), self._words, gap="xs"), self.empty_button, gap="m")
        line.setStretch(0, 1)
        self.setLayout(line)
        self._show(0)

    def look(self) -> None:
        """See how large it is now."""
        job = self._studio.file_lane.submit(lambda _: folder_size(self._folder), f"Measuring: {self._name}")
        job.finished.connect(self._show)

    def _empty(self) -> None:
        """What is in there is made again when it is needed."""
        job = self._studio.file_lane.submit(lambda _: shutil.rmtree(self._folder, ignore_errors=True), "Emptying")
        job.ended.connect(self.look)

    def _show(self, size_bytes: int) -> None:
        words = size_words(size_bytes) if size_bytes else "empty"
        self._words.setText(f"{words}; made again when it is needed")
        self.empty_button.setEnabled(size_bytes > 0)
