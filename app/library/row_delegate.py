"""Draws one voice as a row: its picture, name, what is known, tier and size."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QPoint, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.icons import draw_icon
from app.library.list_model import RECORD_ROLE
from app.library.words import TIERS, size_text, summary_text
from app.theme import current_theme
from app.widgets.labels import tabular
from app.widgets.voice_glyph import draw_glyph, glyph_features

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QColor

    from app.store import VoiceRecord

    Index = QModelIndex | QPersistentModelIndex

GLYPH: Final = 44
_EDGE: Final = 10
_GAP: Final = 12
_LINE_GAP: Final = 3
_PICTURES_KEPT: Final = 400


class VoiceRowDelegate(QStyledItemDelegate):
    """Signals: `play_clicked(str)` when the picture of a voice was pressed."""

    play_clicked = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.playing_id = ""
        self._pictures: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        lines = QFontMetrics(_name_font(option.font)).height() + QFontMetrics(_small_font(option.font)).height()
        return QSize(200, max(GLYPH, lines + _LINE_GAP) + 2 * _EDGE)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        record: VoiceRecord = index.data(RECORD_ROLE)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option)
        self._paint_picture(painter, option, record)
        right = self._paint_size(painter, option, record)
        self._paint_words(painter, option, record, right)
        painter.restore()

    def createEditor(  # noqa: N802 - Qt's name
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName("Name of the voice")
        return editor

    def updateEditorGeometry(  # noqa: N802 - Qt's name
        self, editor: QWidget, option: QStyleOptionViewItem, _index: Index
    ) -> None:
        area = _words_area(option.rect)
        height = editor.sizeHint().height()
        editor.setGeometry(area.left() - _EDGE, area.center().y() - height // 2, area.width(), height)

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            pressed = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
            if pressed and _picture_area(option.rect).contains(event.position().toPoint()):
                self.play_clicked.emit(index.data(RECORD_ROLE).id)
        return super().editorEvent(event, model, option, index)

    def picture_area(self, row: QRect) -> QRect:
        """Where in a row the picture is, which plays when it is pressed."""
        return _picture_area(row)

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        theme = current_theme()
        selected = bool(option.state & QStyle.StateFlag.State_Selected)
        hovered = bool(option.state & QStyle.StateFlag.State_MouseOver)
        if selected or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft" if selected else "hover"))
            painter.drawRoundedRect(
                QRectF(option.rect).adjusted(3, 1, -3, -1), theme.radius.control, theme.radius.control
            )

    def _paint_picture(self, painter: QPainter, option: QStyleOptionViewItem, record: VoiceRecord) -> None:
        area = _picture_area(option.rect)
        painter.drawPixmap(area.topLeft(), self._picture(record, painter.device().devicePixelRatioF()))
        playing = record.id == self.playing_id
        if not playing and not option.state & QStyle.StateFlag.State_MouseOver:
            return
        theme = current_theme()
        disc = QRectF(0, 0, 26, 26)
        disc.moveCenter(QRectF(area).center())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent") if playing else theme.color("ground", 0.85))
        painter.drawEllipse(disc)
        sign = disc.adjusted(6, 6, -6, -6)
        color = theme.color("on_accent" if playing else "text")
        draw_icon(painter, sign, "square" if playing else "play", color, filled=True)

    def _picture(self, record: VoiceRecord, scale: float) -> QPixmap:
        key = (hash(record.x_vector), scale, current_theme().ground)
        picture = self._pictures.get(key)
        if picture is None:
            picture = QPixmap(round(GLYPH * scale), round(GLYPH * scale))
            picture.setDevicePixelRatio(scale)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            draw_glyph(painter, QRectF(0, 0, GLYPH, GLYPH), glyph_features(record.vector))
            painter.end()
            self._pictures[key] = picture
            if len(self._pictures) > _PICTURES_KEPT:
                self._pictures.popitem(last=False)
        self._pictures.move_to_end(key)
        return picture

    def _paint_size(self, painter: QPainter, option: QStyleOptionViewItem, record: VoiceRecord) -> int:
        """Tier above size at the right edge; returns where the words beside must end."""
        theme = current_theme()
        font = tabular(_small_font(option.font))
        metrics = QFontMetrics(font)
        tier, size = TIERS[record.tier], size_text(record.size_bytes)
        pill_width = metrics.horizontalAdvance(tier) + 2 * 8
        right = option.rect.right() - _EDGE - 3
        height = metrics.height() + 4
        top = option.rect.center().y() - (height + _LINE_GAP + metrics.height()) // 2
        pill = QRectF(right - pill_width, top, pill_width, height)
        painter.setPen(theme.color("edge"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, tier)
        below = QRect(right - 200, round(pill.bottom()) + _LINE_GAP, 200, metrics.height())
        painter.setPen(theme.color("text_dim"))
        painter.drawText(below, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, size)
        return right - max(pill_width, metrics.horizontalAdvance(size)) - _GAP

    def _paint_words(self, painter: QPainter, option: QStyleOptionViewItem, record: VoiceRecord, right: int) -> None:
        theme = current_theme()
        area = _words_area(option.rect)
        area.setRight(right)
        name_font, small_font = _name_font(option.font), _small_font(option.font)
        name_height, small_height = QFontMetrics(name_font).height(), QFontMetrics(small_font).height()
        summary = "File missing" if record.missing else summary_text(record)
        height = name_height + (_LINE_GAP + small_height if summary else 0)
        top = area.center().y() - height // 2
        name_area = QRect(area.left(), top, area.width(), name_height)
        if record.star:
            sign = QRectF(name_area.left(), name_area.center().y() - 6, 13, 13)
            draw_icon(painter, sign, "star", theme.color("accent"), filled=True)
            name_area.setLeft(name_area.left() + 19)
        _draw_line(painter, name_area, record.name, name_font, theme.color("text"))
        line = QRect(area.left(), top + name_height + _LINE_GAP, area.width(), small_height)
        if record.missing:
            sign = QRectF(line.left(), line.center().y() - 6, 13, 13)
            draw_icon(painter, sign, "triangle-alert", theme.color("warn"))
            line.setLeft(line.left() + 18)
        color = theme.color("warn" if record.missing else "text_dim")
        _draw_line(painter, line, summary, small_font, color)


def _draw_line(painter: QPainter, area: QRect, text: str, font: QFont, color: QColor) -> None:
    painter.setFont(font)
    painter.setPen(color)
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    flags = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
    painter.drawText(area, flags, shown)


def _picture_area(row: QRect) -> QRect:
    return QRect(QPoint(row.left() + _EDGE + 3, row.center().y() - GLYPH // 2), QSize(GLYPH, GLYPH))


def _words_area(row: QRect) -> QRect:
    return row.adjusted(_EDGE + 3 + GLYPH + _GAP, 0, -_EDGE, 0)


def _name_font(base: QFont) -> QFont:
    font = QFont(base)
    font.setPixelSize(current_theme().text.lead)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def _small_font(base: QFont) -> QFont:
    font = QFont(base)
    font.setPixelSize(current_theme().text.caption)
    return font
