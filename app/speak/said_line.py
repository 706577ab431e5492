"""The line under the text: how it will be said, and a switch to say it as it is written."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QCheckBox, QWidget

from app.widgets.labels import ElidedLabel, label
from app.widgets.layouts import row


class SaidLine(QWidget):
    """Hidden while the text is said as it is written anyway.

    Signals: `as_written_toggled(bool)`.
    """

    as_written_toggled = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._head = label("Said as", "caption", "dim")
        self.words = ElidedLabel()
        self.words.setProperty("textSize", "caption")
        self.switch = QCheckBox("As written")
        self.switch.setToolTip("Hand the text to the model as it is, without putting numbers and signs into words")
        self.switch.toggled.connect(self.as_written_toggled)
        layout = row(self._head, self.words, self.switch, gap="s")
        layout.setStretch(1, 1)
        self.setLayout(layout)
        self.hide()

    def show_said(self, said: str, as_written: bool) -> None:
        """`said` is empty where it is the text itself."""
        with QSignalBlocker(self.switch):
            self.switch.setChecked(as_written)
        self.words.setText("" if as_written else said)
        self._head.setVisible(not as_written)
        self.setVisible(bool(said))
