"""An icon that stands by itself, in the colour of the theme in force."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.icons import draw_icon
from app.theme import current_theme

if TYPE_CHECKING:
    from PySide6.QtGui import QPaintEvent


class IconLabel(QWidget):
    """Shows one icon, `size` logical pixels; `spoken` is what a screen reader says, "" for a mere ornament."""

    def __init__(
        self, name: str, color: str = "text", size: int = 16, spoken: str = "", parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name, self._color, self._size = name, color, size
        self.setAccessibleName(spoken)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    @property
    def icon_name(self) -> str:
        return self._name

    def set_icon(self, name: str, color: str = "text", spoken: str = "") -> None:
        """Show another icon."""
        self._name, self._color = name, color
        self.setAccessibleName(spoken)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        color = self._color if self.isEnabled() else "text_off"
        draw_icon(painter, QRectF(self.rect()), self._name, current_theme().color(color))
        painter.end()
