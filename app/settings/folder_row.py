"""A folder of the studio: where it is, how much is in it, and the way to look at it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QWidget

from app.models.words import size_words
from app.widgets.buttons import plain_button
from app.widgets.labels import label
from app.widgets.layouts import column, row

if TYPE_CHECKING:
    from pathlib import Path

    from app.studio import Studio


def folder_size(folder: Path) -> int:
    """Bytes of all files below `folder`; 0 where there is none."""
    return sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else 0


class FolderRow(QWidget):
    """`look` measures it, behind."""

    def __init__(self, name: str, folder: Path, studio: Studio) -> None:
        super().__init__()
        self._name, self._folder, self._studio = name, folder, studio
        self._place = label(str(folder), "caption", "dim", wrap=True)
        self._place.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self._title = label(name)
        button = plain_button(self.tr("Show"), "folder-open", self._open)
        button.setAccessibleName(self.tr("Show the folder: {}").format(name))
        line = row(column(self._title, self._place, gap="xs"), button, gap="m")
        line.setStretch(0, 1)
        self.setLayout(line)

    def look(self) -> None:
        """See how much is in it now."""
        job = self._studio.file_lane.submit(lambda _: folder_size(self._folder), f"Measuring: {self._name}")
        job.finished.connect(self._show)

    def _show(self, size_bytes: int) -> None:
        size = size_words(size_bytes) if size_bytes else self.tr("empty")
        self._title.setText(f"{self._name} · {size}")

    def _open(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(self._folder)))
