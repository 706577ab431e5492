"""Draws one voice as a row: its picture, name, what is known, tier and size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics

from app.library.list_model import RECORD_ROLE
from app.library.voice_delegate import LINE_GAP, VoiceDelegate, name_font, small_font
from app.library.words import TIERS, size_text
from app.theme import current_theme
from app.widgets.labels import tabular

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from app.library.voice_delegate import Index
    from app.store import VoiceRecord

_GLYPH: Final = 44
_EDGE: Final = 10
_GAP: Final = 12
_RIGHT: Final = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class VoiceRowDelegate(VoiceDelegate):
    """One voice a line."""

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        lines = QFontMetrics(name_font(option.font)).height() + QFontMetrics(small_font(option.font)).height()
        return QSize(200, max(_GLYPH, lines + LINE_GAP) + 2 * _EDGE)

    def picture_area(self, area: QRect) -> QRect:
        return QRect(QPoint(area.left() + _EDGE + 3, area.center().y() - _GLYPH // 2), QSize(_GLYPH, _GLYPH))

    def updateEditorGeometry(  # noqa: N802 - Qt's name
        self, editor: QWidget, option: QStyleOptionViewItem, _index: Index
    ) -> None:
        area = _words_area(option.rect)
        height = editor.sizeHint().height()
        editor.setGeometry(area.left() - _EDGE, area.center().y() - height // 2, area.width(), height)

    def paint_voice(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        record: VoiceRecord = index.data(RECORD_ROLE)
        area = _words_area(option.rect)
        area.setRight(self._paint_size(painter, option, record))
        name_height = QFontMetrics(name_font(option.font)).height()
        small_height = QFontMetrics(small_font(option.font)).height()
        top = area.center().y() - (name_height + LINE_GAP + small_height) // 2
        self.paint_name(painter, QRect(area.left(), top, area.width(), name_height), option, record)
        line = QRect(area.left(), top + name_height + LINE_GAP, area.width(), small_height)
        self.paint_line(painter, line, option, index)

    def _paint_size(self, painter: QPainter, option: QStyleOptionViewItem, record: VoiceRecord) -> int:
        """Tier above size at the right edge; returns where the words beside must end."""
        theme = current_theme()
        font = tabular(small_font(option.font))
        metrics = QFontMetrics(font)
        tier, size = TIERS[record.tier], size_text(record.size_bytes)
        pill_width = metrics.horizontalAdvance(tier) + 2 * 8
        right = option.rect.right() - _EDGE - 3
        height = metrics.height() + 4
        top = option.rect.center().y() - (height + LINE_GAP + metrics.height()) // 2
        pill = QRectF(right - pill_width, top, pill_width, height)
        painter.setPen(theme.color("edge"))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(pill.adjusted(0.5, 0.5, -0.5, -0.5), height / 2, height / 2)
        painter.setFont(font)
        painter.setPen(theme.color("text"))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, tier)
        below = QRect(right - 200, round(pill.bottom()) + LINE_GAP, 200, metrics.height())
        painter.setPen(theme.color("text_dim"))
        painter.drawText(below, _RIGHT, size)
        return right - max(pill_width, metrics.horizontalAdvance(size)) - _GAP


def _words_area(row: QRect) -> QRect:
    return row.adjusted(_EDGE + 3 + _GLYPH + _GAP, 0, -_EDGE, 0)
