"""A message inside the page it concerns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QSizePolicy, QWidget

from app.theme import refresh
from app.widgets.buttons import icon_button, plain_button
from app.widgets.icon_label import IconLabel
from app.widgets.labels import label
from app.widgets.layouts import row

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtGui import QKeyEvent

Kind = Literal["info", "success", "warning", "error"]
_ICONS: Final = {
    "info": ("info", "accent", "Note"),
    "success": ("circle-check", "good", "Done"),
    "warning": ("triangle-alert", "warn", "Warning"),
    "error": ("circle-alert", "bad", "Error"),
}


class MessageBar(QFrame):
    """Icon, words, at most one act, and a cross. Hidden until `show_message`.

    Signals: `action_triggered()` when the button was pressed, `dismissed()` when a person closed the bar.
    """

    action_triggered = Signal()
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._on_action: Callable[[], object] | None = None
        self._icon = IconLabel("info", "accent", 18)
        self._text = label(wrap=True)
        self._text.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self._text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.action_button = plain_button("", on_click=self._act)
        self.close_button = icon_button("x", "Dismiss", self._dismiss)
        pieces = row(self._icon, self._text, self.action_button, self.close_button, gap="m")
        pieces.setContentsMargins(12, 6, 6, 6)
        self.setLayout(pieces)
        self.hide()

    @property
    def text(self) -> str:
        """The words shown."""
        return self._text.text()

    def show_message(
        self, kind: Kind, text: str, action: str | None = None, on_action: Callable[[], object] | None = None
    ) -> None:
        """Show `text`; `action` is the word on the button, `on_action` is called when it is pressed."""
        name, color, spoken = _ICONS[kind]
        self.setProperty("bar", kind)
        refresh(self)
        self._icon.set_icon(name, color, spoken)
        self._text.setText(text)
        self.setAccessibleName(f"{spoken}: {text}")
        self._on_action = on_action
        self.action_button.setText(action or "")
        self.action_button.setVisible(action is not None)
        self.show()

    def clear(self) -> None:
        """Hide the bar."""
        self._on_action = None
        self.hide()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._dismiss()
        else:
            super().keyPressEvent(event)

    def _act(self) -> None:
        act = self._on_action
        self.clear()
        if act is not None:
            act()
        self.action_triggered.emit()

    def _dismiss(self) -> None:
        self.clear()
        self.dismissed.emit()
