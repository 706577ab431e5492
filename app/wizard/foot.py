"""The foot of the wizard: playing at the left, the way on at the right, always at the same place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QPushButton, QWidget

from app.icons import icon
from app.widgets.buttons import plain_button, primary_button
from app.widgets.layouts import row
from app.widgets.transport import Transport

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass(frozen=True)
class Way:
    """One button of the foot: its words, its icon, what it does, and why it cannot be pressed (empty if it can)."""

    text: str
    act: Callable[[], object]
    icon_name: str = ""
    reason: str = ""
    enabled: bool = True


class Foot(QWidget):
    """`show_ways` gives the primary button and the one beside it (None for none) their meaning."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.transport = Transport()
        self.selection_button = plain_button("Selection only")
        self.selection_button.setCheckable(True)
        self.selection_button.setToolTip("Play only what is selected")
        self.back_button = plain_button("Back")
        self.primary_button = primary_button("Record")
        self._ways: tuple[Way | None, Way | None] = (None, None)
        self.back_button.clicked.connect(lambda: self._go(0))
        self.primary_button.clicked.connect(lambda: self._go(1))
        self.setLayout(row(self.transport, self.selection_button, None, self.back_button, self.primary_button))

    def show_ways(self, back: Way | None, primary: Way) -> None:
        """Change the two buttons; they keep their places and the keyboard's focus."""
        self._ways = (back, primary)
        self.back_button.setVisible(back is not None)
        if back is not None:
            _dress(self.back_button, back, "text")
        _dress(self.primary_button, primary, "on_accent")

    def _go(self, place: int) -> None:
        way = self._ways[place]
        if way is not None:
            way.act()


def _dress(button: QPushButton, way: Way, color: str) -> None:
    if button.property("way") != (shown := f"{way.text} {way.icon_name}"):
        button.setProperty("way", shown)
        button.setText(way.text)
        button.setIcon(icon(way.icon_name, color) if way.icon_name else QIcon())
    button.setEnabled(way.enabled and not way.reason)
    button.setToolTip(way.reason)
    button.setAccessibleDescription(way.reason)
