"""What is going on, how far it is, and the way to call it off."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from app.widgets.buttons import ghost_button
from app.widgets.labels import ElidedLabel
from app.widgets.layouts import Card, row

if TYPE_CHECKING:
    import engine


class BusyStrip(Card):
    """Hidden until `begin`.

    Signals: `cancel_asked()`.
    """

    cancel_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(kind="raised", parent=parent)
        self._text = ElidedLabel()
        self._bar = QProgressBar()
        self._bar.setTextVisible(False)
        self._bar.setMinimumWidth(160)
        self._text.setMinimumWidth(220)
        self.cancel_button = ghost_button("Cancel", "x", self.cancel_asked.emit)
        pieces = row(self._text, self._bar, self.cancel_button, gap="m", margin="s")
        pieces.setStretch(0, 1)
        pieces.setStretch(1, 1)
        self.setLayout(pieces)
        self.hide()

    @property
    def text(self) -> str:
        """The words shown."""
        return self._text.text()

    def begin(self, text: str) -> None:
        """Show `text`, and a bar that does not know yet how far it is."""
        self._say(text)
        self._bar.setRange(0, 0)
        self.show()

    def go_on(self, text: str, progress: engine.Progress) -> None:
        """Show how far it is."""
        self._say(text)
        share = progress.fraction
        self._bar.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self._bar.setValue(round(1000 * share))

    def end(self) -> None:
        """It is over."""
        self._bar.setRange(0, 1000)  # a bar without a length would go on moving unseen
        self.hide()

    def _say(self, text: str) -> None:
        if text != self._text.text():
            self._text.setText(text)
            self._bar.setAccessibleName(text)
