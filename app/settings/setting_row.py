"""A row of the page of settings: title, explanation, choices, and the way back to the default."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QWheelEvent
from PySide6.QtWidgets import QComboBox, QWidget

from app.commands.matching import score
from app.widgets.buttons import icon_button
from app.widgets.labels import label
from app.widgets.layouts import column, row

if TYPE_CHECKING:
    from app.settings.rows import Choices, RowFacts
    from app.settings.settings import Settings

_BOX_WIDTH = 288


class SettingRow(QWidget):
    """A choice takes effect at once. The row follows its setting, whoever changes it."""

    def __init__(self, facts: RowFacts, settings: Settings) -> None:
        super().__init__()
        self.setting = facts.setting
        self._settings = settings
        self.title = facts.title
        explained = QCoreApplication.translate("Settings", self.setting.text)
        self.box = _Box()
        self.box.setAccessibleName(self.title)
        self.box.setAccessibleDescription(explained)
        self.box.setFixedWidth(_BOX_WIDTH)
        self.box.activated.connect(lambda _: settings.set(self.setting, self.box.currentData()))
        self.reset_button = icon_button("undo-2", self.tr("Back to the default: {}").format(self.title), self._reset)
        policy = self.reset_button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.reset_button.setSizePolicy(policy)
        name = label(self.title)
        name.setBuddy(self.box)
        words = column(name, label(explained, "caption", "dim", wrap=True), gap="xs")
        line = row(words, self.reset_button, self.box, gap="m")
        line.setStretch(0, 1)
        self.setLayout(line)
        self._searched = f"{self.title} {explained}"
        self.offer(facts.choices)
        settings.changed.connect(lambda name, _value: self._show() if name == self.setting.name else None)

    def offer(self, choices: Choices) -> None:
        """Let a person choose among these."""
        self.box.clear()
        for text, value in choices:
            self.box.addItem(text, value)
        self._show()

    def answers(self, typed: str) -> bool:
        """Whether a search for `typed` means this row."""
        offered = " ".join(self.box.itemText(place) for place in range(self.box.count()))
        return score(typed, f"{self._searched} {offered}") is not None

    def _show(self) -> None:
        value: Any = self._settings.get(self.setting)
        if self.box.findData(value) < 0:  # chosen on another computer, or in the file
            self.box.addItem(str(value), value)
        self.box.setCurrentIndex(self.box.findData(value))
        self.reset_button.setVisible(value != self.setting.default)

    def _reset(self) -> None:
        self.box.setFocus(Qt.FocusReason.OtherFocusReason)  # the button goes away
        self._settings.set(self.setting, self.setting.default)


class _Box(QComboBox):
    """Scrolling the page past it changes nothing."""

    def wheelEvent(self, event: QWheelEvent) -> None:
        event.ignore()
