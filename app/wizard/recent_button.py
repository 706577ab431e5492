"""A clock that brings up the sound files opened last."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QMenu, QToolButton

from app.icons import icon
from app.settings.table import RECENT_SOUNDS
from app.widgets.buttons import SMALL_ICON

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.settings.settings import Settings


class RecentButton(QToolButton):
    """Hidden until there is something to offer."""

    def __init__(self, settings: Settings, open_file: Callable[[Path], object]) -> None:
        super().__init__()
        self._settings, self._open_file = settings, open_file
        name = self.tr("Opened before")
        self.setIcon(icon("clock"))
        self.setIconSize(SMALL_ICON)
        self.setToolTip(name)
        self.setAccessibleName(name)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menu = QMenu(self)
        self._menu.setToolTipsVisible(True)
        self._menu.aboutToShow.connect(self._fill)
        self.setMenu(self._menu)
        settings.changed.connect(lambda name, _value: self._show() if name == RECENT_SOUNDS.name else None)
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._settings.get(RECENT_SOUNDS)))

    def _fill(self) -> None:
        self._menu.clear()
        for path in map(Path, self._settings.get(RECENT_SOUNDS)):
            act = self._menu.addAction(icon("file-audio"), path.name, partial(self._open_file, path))
            act.setToolTip(str(path))
