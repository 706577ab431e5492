"""The strip above a room that shows a step of the tour; it covers nothing."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.icons import icon
from app.tour.steps import Words
from app.widgets.buttons import ghost_button, icon_button, plain_button
from app.widgets.labels import label
from app.widgets.layouts import column, row


class TourBar(QWidget):
    """Hidden until `show_step`.

    Signals: `act_asked()`, `next_asked()`, `end_asked()`: the buttons.
    """

    act_asked = Signal()
    next_asked = Signal()
    end_asked = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._place = label(step="caption", tone="accent")
        self._title = label(step="lead")
        self._text = label(wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.act_button = plain_button("", on_click=self.act_asked.emit)
        self.next_button = ghost_button("", on_click=self.next_asked.emit)
        self.end_button = icon_button("x", self.tr("End the tour"), self.end_asked.emit)
        said = column(row(self._title, self._place, None), self._text, gap="xs")
        pieces = row(said, self.act_button, self.next_button, self.end_button, gap="s")
        pieces.setStretch(0, 1)
        pieces.setContentsMargins(16, 10, 8, 10)
        self._frame = QFrame()
        self._frame.setProperty("bar", "info")
        self._frame.setLayout(pieces)
        whole = row(self._frame)
        whole.setContentsMargins(24, 16, 24, 0)
        self.setLayout(whole)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)
        self.hide()

    @property
    def title(self) -> str:
        """The title of the step shown."""
        return self._title.text()

    def show_step(self, words: Words, number: int, count: int) -> None:
        """Show step `number` of `count`, counted from 1."""
        place = self.tr("Step {} of {}").format(number, count)
        self._place.setText(place)
        self._title.setText(words.title)
        self._text.setText(words.text)
        self.act_button.setText(words.act)
        self.act_button.setIcon(icon(words.icon))
        self.next_button.setText(self.tr("Done") if number == count else self.tr("Next"))
        self.setAccessibleName(f"{place}: {words.title}. {words.text}")
        self.show()
