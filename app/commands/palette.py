"""The command palette: type a few letters, press Enter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import (
    QFrame,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from app.commands.matching import score
from app.theme import current_theme
from app.widgets.labels import label
from app.widgets.layouts import column

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtCore import QModelIndex, QPersistentModelIndex
    from PySide6.QtGui import QPainter

    from app.commands.gather import Command

_WIDTH = 560
_ROWS = 9
_ROW_HEIGHT = 34
_TOP = 72
_ROLE = Qt.ItemDataRole.UserRole
_LIST_KEYS = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class Palette(QFrame):
    """Floats over its window; goes away with Escape, a choice, or a click elsewhere.

    Signals: `chosen(command)`: run it once the palette is gone.
    """

    chosen = Signal(object)

    def __init__(self, window: QWidget) -> None:
        super().__init__(window)
        self.setProperty("card", "raised")
        self.setAccessibleName("Commands")
        self.field = QLineEdit()
        self.field.setPlaceholderText("What would you like to do?")
        self.field.setAccessibleName("Search commands")
        self.list = QListWidget()
        self.list.setAccessibleName("Commands found")
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setItemDelegate(_Rows(self.list))
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setUniformItemSizes(True)
        self._nothing = label("Nothing is called that. Try fewer letters.", tone="dim")
        self._nothing.setContentsMargins(12, 4, 12, 8)
        self.setLayout(column(self.field, self.list, self._nothing, gap="s", margin="m"))
        self._commands: Sequence[Command] = ()
        self._before: QWidget | None = None
        self.field.textChanged.connect(self._filter)
        self.field.returnPressed.connect(self._choose)
        self.list.itemClicked.connect(lambda _: self._choose())
        self.field.installEventFilter(self)
        window.installEventFilter(self)
        self.hide()

    def ask(self, commands: Sequence[Command]) -> None:
        """Show `commands`; an empty search shows them in their order."""
        self._commands = commands
        self._before = self.window().focusWidget()
        self.field.clear()
        self._filter("")
        self._place()
        self.show()
        self.raise_()
        self.field.setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        """Go away and give the focus back."""
        if self.isVisible():
            self.hide()
            if self._before is not None and self._before.isVisible():
                self._before.setFocus(Qt.FocusReason.PopupFocusReason)

    @property
    def shown(self) -> list[str]:
        """The words of the rows, in order."""
        return [self.list.item(place).text() for place in range(self.list.count())]

    def _filter(self, typed: str) -> None:
        found = [(score(typed, command.searched), command) for command in self._commands]
        kept = [(points, command) for points, command in found if points is not None]
        if typed.strip():
            kept.sort(key=lambda pair: -pair[0])
        self.list.clear()
        for _, command in kept:
            item = QListWidgetItem(command.words)
            item.setData(_ROLE, command)
            if not command.enabled:
                item.setFlags(Qt.ItemFlag.NoItemFlags)
            self.list.addItem(item)
        first = next((place for place, (_, command) in enumerate(kept) if command.enabled), -1)
        self.list.setCurrentRow(first)
        self.list.setVisible(bool(kept))
        self._nothing.setVisible(not kept)
        self.list.setFixedHeight(_ROW_HEIGHT * min(_ROWS, max(1, len(kept))) + 4)
        self._place()

    def _choose(self) -> None:
        place = self.list.currentRow()
        if place >= 0:
            command: Command = self.list.item(place).data(_ROLE)
            self.dismiss()
            self.chosen.emit(command)

    def _place(self) -> None:
        window = self.parentWidget()
        assert window is not None
        width = min(_WIDTH, window.width() - 48)
        self.setFixedWidth(width)
        self.adjustSize()
        self.move((window.width() - width) // 2, min(_TOP, max(8, window.height() - self.height() - 8)))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kind = event.type()
        if watched is self.field and isinstance(event, QKeyEvent) and kind == QEvent.Type.KeyPress:
            if event.key() in _LIST_KEYS:
                self.list.keyPressEvent(event)
                return True
            if event.key() == Qt.Key.Key_Escape:
                self.dismiss()
                return True
        elif watched is self.field and kind == QEvent.Type.ShortcutOverride:
            event.accept()  # what is typed here is text, not a key of the room behind
        elif watched is self.field and kind == QEvent.Type.FocusOut:
            self.hide()
        elif watched is self.parentWidget() and kind == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False


class _Rows(QStyledItemDelegate):
    """Words at the left, the room and the keys at the right."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: QModelIndex | QPersistentModelIndex) -> QSize:
        return QSize(0, _ROW_HEIGHT)

    def paint(
        self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex
    ) -> None:
        command: Command = index.data(_ROLE)
        theme = current_theme()
        rect: QRect = option.rect.adjusted(0, 1, 0, -1)
        painter.save()
        painter.setRenderHint(painter.RenderHint.Antialiasing)
        state: QStyle.StateFlag = option.state
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft"))
            painter.drawRoundedRect(rect, theme.radius.control, theme.radius.control)
        inner = rect.adjusted(12, 0, -12, 0)
        metrics = QFontMetrics(painter.font())
        dim = theme.color("text_dim" if command.enabled else "text_off")
        painter.setPen(dim)
        right = "   ".join(part for part in (command.room, command.keys) if part)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight, right)
        painter.setPen(theme.color("text" if command.enabled else "text_off"))
        room_left = inner.width() - metrics.horizontalAdvance(right) - 16
        words = metrics.elidedText(command.words, Qt.TextElideMode.ElideRight, room_left)
        painter.drawText(inner, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, words)
        painter.restore()
