"""The rail at the left: where one can go, with a picture and a word each."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QButtonGroup, QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from app.icons import icon, program_icon
from app.widgets.buttons import LARGE_ICON, LARGE_ICON_AND_GAP
from app.widgets.labels import label


class NavRail(QFrame):
    """Pages at the top, others at the foot. Up and Down go from entry to entry.

    Signals: `page_chosen(key)` when a person goes to a page.
    """

    page_chosen = Signal(str)

    def __init__(self, title: str = "QVoice Studio", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setProperty("rail", True)
        self.setAccessibleName("Pages")
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._buttons: dict[str, QPushButton] = {}
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(12, 16, 12, 12)
        self._layout.setSpacing(4)
        self._layout.addLayout(self._head(title))
        self._layout.addSpacing(16)
        self._foot_at = self._layout.count()
        self._layout.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)

    def add_page(self, key: str, text: str, icon_name: str, *, foot: bool = False, shortcut: str = "") -> QPushButton:
        """Add an entry; `foot` puts it at the foot. The first entry is the one shown."""
        button = QPushButton(icon(icon_name), text)
        button.setCheckable(True)
        button.setAutoDefault(False)
        button.setIconSize(LARGE_ICON_AND_GAP)
        button.setAccessibleName(text)
        if shortcut:
            button.setShortcut(shortcut)
            button.setToolTip(f"{text} ({shortcut})")
        button.clicked.connect(lambda: self.page_chosen.emit(key))
        self._group.addButton(button)
        if foot:
            self._layout.addWidget(button)
        else:
            self._layout.insertWidget(self._foot_at, button)
            self._foot_at += 1
        if not self._buttons:
            button.setChecked(True)
        self._buttons[key] = button
        return button

    @property
    def current(self) -> str:
        """Key of the page shown, "" while there is none."""
        return next((key for key, button in self._buttons.items() if button.isChecked()), "")

    def set_current(self, key: str) -> None:
        """Show `key` as the page we are on; emits nothing."""
        self._buttons[key].setChecked(True)

    def button(self, key: str) -> QPushButton:
        """The entry of a page."""
        return self._buttons[key]

    def _head(self, title: str) -> QHBoxLayout:
        mark = QLabel()
        mark.setPixmap(program_icon().pixmap(LARGE_ICON, self.devicePixelRatioF()))
        head = QHBoxLayout()
        head.setContentsMargins(12, 0, 8, 0)
        head.setSpacing(10)
        head.addWidget(mark)
        head.addWidget(label(title, "lead"))
        head.addStretch(1)
        return head
