"""What rows and cards of voices have in common: the picture that plays when it is pressed, ground and words."""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QRectF, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QMouseEvent, QPainter, QPixmap
from PySide6.QtWidgets import QLineEdit, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.icons import draw_icon
from app.library.list_model import FITS_ROLE, RECORD_ROLE
from app.library.words import line_text
from app.theme import current_theme
from app.widgets.voice_glyph import draw_glyph, glyph_features

if TYPE_CHECKING:
    from PySide6.QtCore import QAbstractItemModel
    from PySide6.QtGui import QColor

    from app.store import VoiceRecord

    Index = QModelIndex | QPersistentModelIndex

LINE_GAP: Final = 3
_PICTURES_KEPT: Final = 400
# Made once: flags are combined in Python, which costs as much as drawing a line of words.
_LINE_FLAGS: Final = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter | Qt.TextFlag.TextSingleLine
_SELECTED, _HOVERED = QStyle.StateFlag.State_Selected.value, QStyle.StateFlag.State_MouseOver.value
_DISC: Final = 26  # behind the sign that plays
_SIGN: Final = 13  # beside words


class VoiceDelegate(QStyledItemDelegate):
    """Signals: `play_clicked(str)` when the picture of a voice was pressed."""

    play_clicked = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.playing_id = ""
        self._pictures: OrderedDict[tuple[object, ...], QPixmap] = OrderedDict()

    def picture_area(self, area: QRect) -> QRect:
        """Where in the area of a voice its picture is."""
        raise NotImplementedError

    def paint_voice(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        """Draw what stands beside or below the picture."""
        raise NotImplementedError

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_ground(painter, option)
        self._paint_picture(painter, option, index.data(RECORD_ROLE))
        self.paint_voice(painter, option, index)
        painter.restore()

    def createEditor(  # noqa: N802 - Qt's name
        self, parent: QWidget, _option: QStyleOptionViewItem, _index: Index
    ) -> QWidget:
        editor = QLineEdit(parent)
        editor.setAccessibleName("Name of the voice")
        return editor

    def editorEvent(self, event: QEvent, model: QAbstractItemModel, option: QStyleOptionViewItem, index: Index) -> bool:
        if event.type() == QEvent.Type.MouseButtonRelease and isinstance(event, QMouseEvent):
            pressed = event.button() == Qt.MouseButton.LeftButton and not event.modifiers()
            if pressed and self.picture_area(option.rect).contains(event.position().toPoint()):
                self.play_clicked.emit(index.data(RECORD_ROLE).id)
        return super().editorEvent(event, model, option, index)

    def paint_name(self, painter: QPainter, area: QRect, option: QStyleOptionViewItem, record: VoiceRecord) -> None:
        """The name, after a star if it is a favourite."""
        theme = current_theme()
        if record.star:
            draw_icon(painter, _sign_at(area), "star", theme.color("accent"), filled=True)
            area = area.adjusted(_SIGN + 6, 0, 0, 0)
        draw_line(painter, area, record.name, name_font(option.font), theme.color("text"))

    def paint_line(self, painter: QPainter, area: QRect, option: QStyleOptionViewItem, index: Index) -> None:
        """Whether the voice is there and a model for it, and what is known of it."""
        theme = current_theme()
        record, fits = index.data(RECORD_ROLE), index.data(FITS_ROLE)
        good = fits and not record.missing
        if fits is not None or record.missing:
            sign, tone = ("check", "good") if good else ("triangle-alert", "warn")
            draw_icon(painter, _sign_at(area), sign, theme.color(tone))
            area = area.adjusted(_SIGN + 5, 0, 0, 0)
        tone = "warn" if record.missing else "text_dim"
        draw_line(painter, area, line_text(record, fits), small_font(option.font), theme.color(tone))

    def _paint_ground(self, painter: QPainter, option: QStyleOptionViewItem) -> None:
        theme = current_theme()
        state = option.state.value
        selected, hovered = bool(state & _SELECTED), bool(state & _HOVERED)
        if selected or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(theme.color("accent_soft" if selected else "hover"))
            painter.drawRoundedRect(
                QRectF(option.rect).adjusted(3, 1, -3, -1), theme.radius.control, theme.radius.control
            )

    def _paint_picture(self, painter: QPainter, option: QStyleOptionViewItem, record: VoiceRecord) -> None:
        area = self.picture_area(option.rect)
        painter.drawPixmap(area.topLeft(), self._picture(record, area.width(), painter.device().devicePixelRatioF()))
        playing = record.id == self.playing_id
        if not playing and not option.state.value & _HOVERED:
            return
        theme = current_theme()
        disc = QRectF(0, 0, _DISC, _DISC)
        disc.moveCenter(QRectF(area).center())
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(theme.color("accent") if playing else theme.color("ground", 0.85))
        painter.drawEllipse(disc)
        sign = disc.adjusted(6, 6, -6, -6)
        color = theme.color("on_accent" if playing else "text")
        draw_icon(painter, sign, "square" if playing else "play", color, filled=True)

    def _picture(self, record: VoiceRecord, size: int, scale: float) -> QPixmap:
        key = (hash(record.x_vector), size, scale, current_theme().ground)
        picture = self._pictures.get(key)
        if picture is None:
            picture = QPixmap(round(size * scale), round(size * scale))
            picture.setDevicePixelRatio(scale)
            picture.fill(Qt.GlobalColor.transparent)
            painter = QPainter(picture)
            draw_glyph(painter, QRectF(0, 0, size, size), glyph_features(record.vector))
            painter.end()
            self._pictures[key] = picture
            if len(self._pictures) > _PICTURES_KEPT:
                self._pictures.popitem(last=False)
        self._pictures.move_to_end(key)
        return picture


def draw_line(painter: QPainter, area: QRect, text: str, font: QFont, color: QColor) -> None:
    """One line of `text`, shortened where it does not fit."""
    painter.setFont(font)
    painter.setPen(color)
    shown = QFontMetrics(font).elidedText(text, Qt.TextElideMode.ElideRight, area.width())
    painter.drawText(area, _LINE_FLAGS, shown)


def _sign_at(line: QRect) -> QRectF:
    """A sign at the left end of a line of words."""
    return QRectF(line.left(), line.center().y() - _SIGN // 2, _SIGN, _SIGN)


def name_font(base: QFont) -> QFont:
    font = QFont(base)
    font.setPixelSize(current_theme().text.lead)
    font.setWeight(QFont.Weight.DemiBold)
    return font


def small_font(base: QFont) -> QFont:
    font = QFont(base)
    font.setPixelSize(current_theme().text.caption)
    return font
