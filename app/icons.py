"""The icons: one open set (Lucide, ISC licence) as SVG, coloured by the theme at the moment of painting."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QIconEngine, QPainter, QPixmap, QPixmapCache
from PySide6.QtSvg import QSvgRenderer

import resources
from app.theme import current_theme

if TYPE_CHECKING:
    from PySide6.QtGui import QColor


def icon(name: str, role: str = "text", *, filled: bool = False) -> QIcon:
    """The icon `name` in the theme's colour `role` (a name in `Colors`); follows the theme by itself.

    A disabled icon takes `text_off`. `filled` fills the outline (star, play, stop, record).
    Raises FileNotFoundError for a name that is not in `resources/icons/lucide`.
    """
    return QIcon(_kept_engine(name, role, filled).clone())


def draw_icon(painter: QPainter, rect: QRectF, name: str, color: QColor, *, filled: bool = False) -> None:
    """Draw the icon `name` into `rect` (logical pixels), sharp at the painter's own scale."""
    _renderer(name, color.name(), filled).render(painter, rect)


@lru_cache(maxsize=1)
def program_icon() -> QIcon:
    """The program's own icon, for the window and the task bar."""
    found = QIcon()
    for size in (16, 24, 32, 48, 64, 128, 256):
        file = "qvoice-16.svg" if size == 16 else "qvoice.svg"  # the small one has its bars on whole pixels
        pixmap = QPixmap(size, size)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        QSvgRenderer(str(resources.path("icons", file))).render(painter)
        painter.end()
        found.addPixmap(pixmap)
    return found


class _ThemedEngine(QIconEngine):
    def __init__(self, name: str, role: str, filled: bool) -> None:
        super().__init__()
        self._name, self._role, self._filled = name, role, filled

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, _state: QIcon.State) -> None:
        role = "text_off" if mode == QIcon.Mode.Disabled else self._role
        side = min(rect.width(), rect.height())  # a wider place is an icon with a gap after it, see buttons.py
        square = QRectF(rect.x(), rect.y() + (rect.height() - side) / 2, side, side)
        draw_icon(painter, square, self._name, current_theme().color(role), filled=self._filled)

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return self.scaledPixmap(size, mode, state, 1.0)

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:  # noqa: N802
        """`size` in logical pixels; drawn once at `scale`, so that the outline is as sharp as the screen."""
        ground = current_theme().ground
        key = f"{self._name} {self._role} {self._filled} {ground} {mode.name} {size.width()} {size.height()} {scale}"
        pixmap = QPixmap()
        if QPixmapCache.find(key, pixmap):
            return pixmap
        pixmap = QPixmap(size * scale)
        pixmap.setDevicePixelRatio(scale)
        pixmap.fill(Qt.GlobalColor.transparent)
        painter = QPainter(pixmap)
        self.paint(painter, QRect(QPoint(0, 0), size), mode, state)
        painter.end()
        QPixmapCache.insert(key, pixmap)
        return pixmap

    def clone(self) -> QIconEngine:
        return _ThemedEngine(self._name, self._role, self._filled)

    def isNull(self) -> bool:  # noqa: N802
        return False


@lru_cache(maxsize=256)
def _kept_engine(name: str, role: str, filled: bool) -> _ThemedEngine:
    _source(name)
    return _ThemedEngine(name, role, filled)


@lru_cache(maxsize=512)
def _renderer(name: str, color: str, filled: bool) -> QSvgRenderer:
    text = _source(name).replace("currentColor", color)
    if filled:
        text = text.replace('fill="none"', f'fill="{color}"', 1)
    return QSvgRenderer(QByteArray(text.encode("utf-8")))


@lru_cache(maxsize=128)
def _source(name: str) -> str:
    return resources.path("icons", "lucide", f"{name}.svg").read_text(encoding="utf-8")
