"""A released model that is not here: what it would be good for, and fetching it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from app.models.words import fetch_words, needs_words
from app.widgets.buttons import ghost_button, plain_button
from app.widgets.icon_label import IconLabel
from app.widgets.labels import ElidedLabel, label
from app.widgets.layouts import Card, column, row

if TYPE_CHECKING:
    import engine
    from app.models.standing import FetchState, Outlook


class ReleasedRow(Card):
    """Kept while the page lives; `show_state` changes what it says.

    Signals: `fetch_asked`, `pause_asked`, `discard_asked`.
    """

    fetch_asked = Signal()
    pause_asked = Signal()
    discard_asked = Signal()

    def __init__(self, model: engine.ReleasedModel, parent: QWidget | None = None) -> None:
        super().__init__(kind="surface", parent=parent)
        self._model = model
        self._needs = label(needs_words(model, None), "caption", "dim", wrap=True)
        self._words = ElidedLabel()
        self._words.setProperty("textSize", "caption")
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setMinimumWidth(120)
        self._bar.setAccessibleName(f"Fetching {model.title}")
        self.fetch_button = plain_button("Fetch", "download", self.fetch_asked.emit)
        self.pause_button = plain_button("Pause", "pause", self.pause_asked.emit)
        self.discard_button = ghost_button("Discard", "trash-2", self.discard_asked.emit)
        self.pause_button.setAccessibleName(f"Pause {model.title}")
        text = column(label(model.title, "lead"), label(model.does, tone="dim", wrap=True), self._needs, gap="xs")
        text.addWidget(self._bar)
        text.addWidget(self._words)
        buttons = (self.discard_button, self.pause_button, self.fetch_button)
        layout = row(IconLabel("download", "text_dim", 20), text, *buttons, gap="m")
        layout.setStretch(1, 1)
        layout.setContentsMargins(16, 12, 16, 12)
        self.setLayout(layout)
        self.setAccessibleName(model.title)

    def show_outlook(self, outlook: Outlook) -> None:
        """Say what it would need and how fast it would be here."""
        self._needs.setText(needs_words(self._model, outlook))

    def show_state(self, state: FetchState) -> None:
        """Say how far it is, and offer what can be done now."""
        self.setVisible(state.kind != "here")
        busy = state.kind in ("waiting", "running")
        self._bar.setVisible(busy or state.kind == "kept")
        self._bar.setRange(0, 0 if state.kind == "waiting" else 1000)
        if state.total_bytes and state.kind != "waiting":
            self._bar.setValue(round(1000 * state.done_bytes / state.total_bytes))
        words = fetch_words(state)
        self._words.setText(words)
        self._words.setVisible(bool(words))
        self.pause_button.setVisible(busy)
        self.fetch_button.setVisible(not busy)
        self.discard_button.setVisible(busy or state.kind == "kept")
        end = "Cancel" if busy else "Discard"
        self.discard_button.setText(end)
        self.discard_button.setAccessibleName(f"{end} {self._model.title}: throw away what came")
        act = {"kept": "Resume", "found": "Use it"}.get(state.kind, "Fetch")
        self.fetch_button.setText(act)
        self.fetch_button.setAccessibleName(f"{act} {self._model.title}")
