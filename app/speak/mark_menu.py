"""The button that puts a mark into the text: a pause, another voice, another style."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, Signal
from PySide6.QtWidgets import QMenu, QWidget

from app.icons import icon
from app.speak.phrases import style_groups
from app.widgets.buttons import plain_button
from app.widgets.layouts import row

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.speak.offer import SpeakVoice

_PAUSES: Final = ("0.3 s", "0.5 s", "1 s", "2 s", "5 s")


class MarkMenu(QWidget):
    """Signals: `mark_chosen(str)`, as it is written in the text."""

    mark_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._voices: tuple[str, ...] = ()
        self._language, self._obeyed = "auto", True
        self.button = plain_button("Mark", "tag", self.open)
        self.button.setToolTip(
            "Put a pause at the cursor, or give its paragraph a voice or a style of its own. "
            "An empty line begins a new paragraph. (Ctrl+M)"
        )
        self.button.setAccessibleName("Put a mark into the text: pause, voice or style")
        self.menu = QMenu(self)
        self.menu.setToolTipsVisible(True)
        self.setLayout(row(self.button))
        self._fill()

    def show_offer(self, voices: Sequence[SpeakVoice], language: str, *, style_obeyed: bool) -> None:
        """Offer these voices, and styles in `language` where the model obeys them."""
        names = tuple(voice.name for voice in voices if not set(voice.name) & set("[]\n"))
        if (names, language, style_obeyed) != (self._voices, self._language, self._obeyed):
            self._voices, self._language, self._obeyed = names, language, style_obeyed
            self._fill()

    def open(self) -> None:
        """Show the menu under the button."""
        self.menu.popup(self.button.mapToGlobal(QPoint(0, self.button.height() + 4)))

    def _fill(self) -> None:
        self.menu.clear()
        for length in _PAUSES:
            self.menu.addAction(icon("clock"), f"Pause of {length}", partial(self._choose, f"[pause: {length}]"))
        self.menu.addSeparator()
        voices = self.menu.addMenu(icon("user-round"), "Voice of this paragraph")
        for name in self._voices:
            voices.addAction(name.replace("&", "&&"), partial(self._choose, f"[voice: {name}]"))
        voices.setEnabled(bool(self._voices))
        styles = self.menu.addMenu(icon("wand-sparkles"), "Style of this paragraph")
        styles.addAction("No style", partial(self._choose, "[style: ]"))
        for group in style_groups(self._language):
            styles.addSection(group.name)
            for name, text in group.styles:
                styles.addAction(name, partial(self._choose, f"[style: {text}]")).setToolTip(text)
        styles.setToolTipsVisible(True)
        styles.setEnabled(self._obeyed)

    def _choose(self, mark: str) -> None:
        self.mark_chosen.emit(mark)
