"""Files dropped on a widget."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRectF, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent, QFont, QPainter, QPen
from PySide6.QtWidgets import QWidget

from app.icons import draw_icon
from app.theme import current_theme

if TYPE_CHECKING:
    from PySide6.QtCore import QMimeData
    from PySide6.QtGui import QPaintEvent


class DropArea(QObject):
    """Makes `target` take local files. While they hover, a veil over it says what dropping will do.

    Signals: `files_dropped(paths)`, a list of `Path`, never empty.
    """

    files_dropped = Signal(list)

    def __init__(self, target: QWidget, text: str = "Drop to open") -> None:
        super().__init__(target)
        self._target = target
        self._veil = _Veil(target, text)
        target.setAcceptDrops(True)
        target.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is not self._target:
            return False
        kind = event.type()
        if kind in (QEvent.Type.DragEnter, QEvent.Type.DragMove):
            assert isinstance(event, QDragEnterEvent | QDragMoveEvent)
            return self._hover(event)
        if kind == QEvent.Type.DragLeave:
            self._veil.hide()
            return True
        if kind == QEvent.Type.Drop:
            assert isinstance(event, QDropEvent)
            return self._drop(event)
        if kind == QEvent.Type.Resize:
            self._veil.resize(self._target.size())
        return False

    def _hover(self, event: QDragEnterEvent | QDragMoveEvent) -> bool:
        if not local_files(event.mimeData()):
            event.ignore()
            return True
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self._veil.show_over()
        return True

    def _drop(self, event: QDropEvent) -> bool:
        self._veil.hide()
        paths = local_files(event.mimeData())
        if not paths:
            event.ignore()
            return True
        event.setDropAction(Qt.DropAction.CopyAction)
        event.accept()
        self.files_dropped.emit(paths)
        return True


def local_files(mime: QMimeData) -> list[Path]:
    """The files on this computer that `mime` names; web addresses and folders are left out."""
    paths = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    return [path for path in paths if path.is_file()]


class _Veil(QWidget):
    def __init__(self, target: QWidget, text: str) -> None:
        super().__init__(target)
        self._target = target
        self._text = text
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.hide()

    def show_over(self) -> None:
        if not self.isVisible():
            self.resize(self._target.size())
            self.show()
            self.raise_()

    def paintEvent(self, _event: QPaintEvent) -> None:
        theme = current_theme()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(theme.color("accent"), 2, Qt.PenStyle.DashLine))
        painter.setBrush(theme.color("ground", 0.86))
        area = QRectF(self.rect()).adjusted(5, 5, -5, -5)
        painter.drawRoundedRect(area, theme.radius.card, theme.radius.card)
        font = QFont(self.font())
        font.setPixelSize(theme.text.lead)
        font.setWeight(QFont.Weight.DemiBold)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        words = area.adjusted(0, 36, 0, 0) if area.height() > 100 else area
        painter.drawText(words, Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap, self._text)
        if area.height() > 100:
            middle = area.center()
            draw_icon(painter, QRectF(middle.x() - 16, middle.y() - 34, 32, 32), "download", theme.color("accent"))
        painter.end()
