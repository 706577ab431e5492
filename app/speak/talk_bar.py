"""Speak, stop, and how far it is."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QProgressBar, QSizePolicy, QWidget

from app.widgets.buttons import plain_button, primary_button
from app.widgets.labels import ElidedLabel, tabular
from app.widgets.layouts import row


class TalkBar(QWidget):
    """Signals: `speak_asked()`, `stop_asked()`, `best_asked()`."""

    speak_asked = Signal()
    best_asked = Signal()
    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.speak_button = primary_button("Speak", "play", self.speak_asked.emit)
        self.best_button = plain_button("Best of 4", "repeat", self.best_asked.emit)
        self.stop_button = plain_button("Stop", "square", self.stop_asked.emit)
        self.stop_button.setToolTip("Esc")
        self.words = ElidedLabel()
        self.words.setFont(tabular(self.words.font()))
        self.words.setProperty("tone", "dim")
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setAccessibleName("How much has been spoken")
        self.bar.setParent(self.words)  # below the words and outside the layout, which need not move when it comes
        layout = row(self.speak_button, self.stop_button, self.best_button, self.words, gap="m")
        layout.setStretch(3, 1)
        self.setLayout(layout)
        self.words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Expanding)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._place_bar()

    def show_best_of(self, count: int) -> None:
        """How many takes the button makes."""
        self.best_button.setText(f"Best of {count}")
        self.best_button.setToolTip(
            f"Make {count} takes with seeds of their own and star the best: by likeness to the voice, where a Base "
            "model is here to hear it, by whether the words came out, where faster-whisper and a Whisper model are on "
            "this computer, and by length. How many stands under More. (Ctrl+Shift+Enter)"
        )

    def show_idle(self, blocked_reason: str, *, can_stop: bool) -> None:
        """Nothing is being made; `can_stop` while something is heard."""
        self.speak_button.setEnabled(not blocked_reason)
        self.speak_button.setToolTip(blocked_reason or "Ctrl+Enter")
        self.speak_button.setAccessibleDescription(blocked_reason)
        self.best_button.setEnabled(not blocked_reason)
        self.stop_button.setEnabled(can_stop)
        self.words.setText(blocked_reason or "Ctrl+Enter speaks · Esc stops")
        self.bar.hide()

    def show_progress(self, words: str, share: float | None) -> None:
        """Something is being made, `share` of it (0 to 1), or None while that is not known."""
        self.speak_button.setEnabled(False)
        self.speak_button.setToolTip("Something is being spoken.")
        self.best_button.setEnabled(False)
        self.stop_button.setEnabled(True)
        self.words.setText(words[:1].upper() + words[1:])
        self.bar.setRange(0, 0 if share is None else 1000)
        if share is not None:
            self.bar.setValue(round(1000 * share))
        self._place_bar()
        self.bar.show()

    def _place_bar(self) -> None:
        height = self.bar.sizeHint().height()
        self.bar.setGeometry(0, self.words.height() - height, self.words.width(), height)
