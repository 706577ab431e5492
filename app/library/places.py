"""What stands where the list would be: the first visit, a search without result, a drop about to happen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QLabel, QWidget

from app.icons import icon
from app.widgets.buttons import ghost_button, plain_button, primary_button
from app.widgets.labels import dress, label
from app.widgets.layouts import column, row

if TYPE_CHECKING:
    from collections.abc import Callable

_PICTURE = 48


class EmptyLibrary(QWidget):
    """One sentence, two buttons."""

    def __init__(
        self,
        record: Callable[[], object],
        import_files: Callable[[], object],
        show_trash: Callable[[], object],
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        picture = QLabel()
        picture.setPixmap(icon("audio-waveform", "text_dim").pixmap(_PICTURE, _PICTURE))
        text = label("Your voices live here: record half a minute of speech, or import a voice file.", "lead")
        text.setWordWrap(True)
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        text.setMinimumWidth(280)
        self.record_button = primary_button("Record a voice", "mic", record)
        self.import_button = plain_button("Import a voice file…", "upload", import_files)
        self.trash_button = ghost_button("Trash", "trash-2", show_trash)
        middle = Qt.AlignmentFlag.AlignHCenter
        layout = column(None, picture, text, row(None, self.record_button, self.import_button, None, gap="m"))
        layout.addWidget(self.trash_button, 0, middle)
        layout.addStretch(1)
        layout.setAlignment(picture, middle)
        layout.setSpacing(20)
        self.setLayout(layout)

    def show_trash(self, count: int) -> None:
        self.trash_button.setText(f"Show the trash ({count})")
        self.trash_button.setVisible(count > 0)


class NothingFound(QWidget):
    """The search leaves nothing."""

    def __init__(self, clear: Callable[[], object], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = label("", tone="dim", wrap=True)
        self._text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.clear_button = plain_button("Clear the search", "x", clear)
        layout = column(None, self._text, row(None, self.clear_button, None), None, gap="m", margin="l")
        self.setLayout(layout)

    def show_reason(self, words: str, narrowed: bool) -> None:
        """Say why nothing is here; `narrowed` if clearing the search would help."""
        self._text.setText(words)
        self.clear_button.setVisible(narrowed)


class DropVeil(QFrame):
    """Lies over the page while files are dragged over it."""

    def __init__(self, host: QWidget) -> None:
        super().__init__(host)
        self._host = host
        self.setProperty("bar", "info")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        text = label("Drop voice files to import them. From a sound you can make a new voice.", "title", wrap=True)
        text.setAlignment(Qt.AlignmentFlag.AlignCenter)
        dress(text, tone="accent")
        self.setLayout(column(None, text, None, margin="xxl"))
        self.hide()

    def cover(self) -> None:
        self.setGeometry(self._host.rect().adjusted(12, 12, -12, -12))
        self.raise_()
        self.show()
