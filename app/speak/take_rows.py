"""Draws one take as a row and tells where it was pressed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QCursor, QFont, QFontMetrics, QHelpEvent, QMouseEvent, QPainter
from PySide6.QtWidgets import QAbstractItemView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QToolTip

from app.icons import draw_icon
from app.speak.take_model import TAKE_ROLE
from app.speak.take_paint import draw_button, draw_play, draw_text, draw_wave
from app.speak.take_places import ACTS, NAMES, Part, Places, part_at, places
from app.speak.words import facts_text, length_text, tip_text
from app.theme import current_theme
from app.widgets.labels import tabular

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel

    from app.speak.comparing import Side
    from app.speak.take import Take

    Index = QModelIndex | QPersistentModelIndex

_ICONS: Final = {"export": "download", "reuse": "sliders-horizontal", "delete": "trash-2"}
_LINE_GAP: Final = 3


class TakeRows(QStyledItemDelegate):
    """Signals: `pressed(str, str)`, a part of `take_places.Part` and a take; `wave_pressed(str, float)`, its share."""

    pressed = Signal(str, str)
    wave_pressed = Signal(str, float)

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view
        self.heard_id = ""
        self.heard_seconds = 0.0
        self.sides: dict[str, Side] = {}  # what is compared, by the ids of takes
        self._down: tuple[str, Part | None] = ("", None)

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        lines = QFontMetrics(option.font).height() + QFontMetrics(_small(option.font)).height()
        return QSize(320, max(56, lines + _LINE_GAP + 2 * 9))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        take: Take = index.data(TAKE_ROLE)
        laid = self.places(option)
        point = self._view.viewport().mapFromGlobal(QCursor.pos())
        over = bool(option.state & QStyle.StateFlag.State_MouseOver)
        hot = part_at(laid, point) if over else None
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option)
        heard = take.id == self.heard_id
        star = "star"
        draw_button(
            painter, laid.parts["star"], star, "accent" if take.star else "edge", hot=hot == star, filled=take.star
        )
        draw_play(painter, laid.parts["play"], playing=heard, hot=hot == "play")
        share = self.heard_seconds / take.seconds if heard and take.seconds else (0.0 if heard else -1.0)
        draw_wave(painter, laid.parts["wave"], take.peaks, share)
        self._paint_words(painter, option, take, laid)
        if over or option.state & QStyle.StateFlag.State_Selected:
            for part in ACTS:
                draw_button(painter, laid.parts[part], _ICONS[part], "text", hot=hot == part)
        painter.restore()

    def places(self, option: QStyleOptionViewItem) -> Places:
        """Where everything stands in this row."""
        metrics = QFontMetrics(tabular(option.font))
        return places(option.rect, metrics.horizontalAdvance("0000"), metrics.horizontalAdvance("00.0 s") + 6)

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        if isinstance(event, QMouseEvent) and event.button() == Qt.MouseButton.LeftButton:
            take: Take = index.data(TAKE_ROLE)
            laid, point = self.places(option), event.position().toPoint()
            here = (take.id, part_at(laid, point))
            if event.type() in (QEvent.Type.MouseButtonPress, QEvent.Type.MouseButtonDblClick):
                self._down = here
            elif event.type() == QEvent.Type.MouseButtonRelease and here == self._down and not event.modifiers():
                self._press(take, here[1], laid, point)
        return super().editorEvent(event, model, option, index)

    def helpEvent(self, event: QHelpEvent, view: QAbstractItemView, option: QStyleOptionViewItem, index: Index) -> bool:
        take: Take | None = index.data(TAKE_ROLE)
        if take is None or event.type() != QEvent.Type.ToolTip:
            return super().helpEvent(event, view, option, index)
        part = part_at(self.places(option), event.pos())
        words = NAMES[part] if part is not None else ""
        if part == "play" and take.id == self.heard_id:
            words = "Stop (Space)"
        QToolTip.showText(event.globalPos(), words or tip_text(take), view)
        return True

    def _press(self, take: Take, part: Part | None, laid: Places, point: QPoint) -> None:
        if part == "wave":
            area = laid.parts["wave"]
            self.wave_pressed.emit(take.id, min(1.0, max(0.0, (point.x() - area.left()) / area.width())))
        elif part is not None:
            self.pressed.emit(part, take.id)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        theme = current_theme()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        area = QRectF(option.rect).adjusted(3, 1, -3, -1)
        if selected or option.state & QStyle.StateFlag.State_MouseOver:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft") if selected else theme.color("hover", 0.55))
            painter.drawRoundedRect(area, theme.radius.control, theme.radius.control)

    def _paint_words(self, painter: QPainter, option: QStyleOptionViewItem, take: Take, laid: Places) -> None:
        base, small = QFont(option.font), _small(option.font)
        side = self.sides.get(take.id, "")
        number = f"{side} {take.number}" if side else str(take.number)
        draw_text(painter, laid.number, number, tabular(base), "accent" if side else "text_dim", right=True)
        draw_text(painter, laid.length, length_text(take.seconds), tabular(base), "text")
        first, second = QFontMetrics(base).height(), QFontMetrics(small).height()
        top = laid.words.center().y() - (first + _LINE_GAP + second) // 2 + 1
        line = QRect(laid.words.left(), top, laid.words.width(), first)
        draw_text(painter, line, " ".join(take.text.split()), base, "text")
        below = QRect(laid.words.left(), top + first + _LINE_GAP, laid.words.width(), second)
        if take.remark:
            below = self._paint_remark(painter, take, small, below)
        draw_text(painter, below, facts_text(take), small, "text_dim")

    def _paint_remark(self, painter: QPainter, take: Take, font: QFont, line: QRect) -> QRect:
        """Says how it ended, with a sign beside the colour; returns what is left of the line."""
        color = "warn" if take.needs_care else "text_dim"
        sign = QRectF(line.left(), line.center().y() - 6, 13, 13)
        draw_icon(painter, sign, "triangle-alert" if take.needs_care else "square", current_theme().color(color))
        words = QRect(line.left() + 18, line.top(), max(0, line.width() - 18), line.height())
        draw_text(painter, words, take.remark, font, color)
        used = 18 + QFontMetrics(font).horizontalAdvance(take.remark) + 12
        return QRect(line.left() + used, line.top(), max(0, line.width() - used), line.height())


def _small(base: QFont) -> QFont:
    font = tabular(base)
    font.setPixelSize(current_theme().text.caption)
    return font
