"""Draws one voice as a card of the grid: a large picture above its name and what is known."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QRect, QSize
from PySide6.QtGui import QFontMetrics

from app.library.list_model import RECORD_ROLE
from app.library.voice_delegate import LINE_GAP, VoiceDelegate, draw_line, name_font, small_font
from app.library.words import TIERS, size_text
from app.theme import current_theme
from app.widgets.labels import tabular

if TYPE_CHECKING:
    from PySide6.QtGui import QPainter
    from PySide6.QtWidgets import QStyleOptionViewItem, QWidget

    from app.library.voice_delegate import Index

_GLYPH: Final = 96
_EDGE: Final = 14
_GAP: Final = 10
NARROWEST: Final = 164  # a card; wider where the view has room


class VoiceCardDelegate(VoiceDelegate):
    """Several voices a line, each `width` pixels wide."""

    width = NARROWEST

    def sizeHint(self, option: QStyleOptionViewItem, _index: Index) -> QSize:
        name_height = QFontMetrics(name_font(option.font)).height()
        small_height = QFontMetrics(small_font(option.font)).height()
        return QSize(self.width, 2 * _EDGE + _GLYPH + _GAP + name_height + 2 * (LINE_GAP + small_height))

    def picture_area(self, area: QRect) -> QRect:
        return QRect(area.center().x() - _GLYPH // 2, area.top() + _EDGE, _GLYPH, _GLYPH)

    def updateEditorGeometry(  # noqa: N802 - Qt's name
        self, editor: QWidget, option: QStyleOptionViewItem, _index: Index
    ) -> None:
        name = self._lines(option)[0]
        height = editor.sizeHint().height()
        editor.setGeometry(name.left() - 6, name.center().y() - height // 2, name.width() + 12, height)

    def paint_voice(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        record = index.data(RECORD_ROLE)
        name, line, foot = self._lines(option)
        self.paint_name(painter, name, option, record)
        self.paint_line(painter, line, option, index)
        words = f"{TIERS[record.tier]} · {size_text(record.size_bytes)}"
        draw_line(painter, foot, words, tabular(small_font(option.font)), current_theme().color("text_dim"))

    def _lines(self, option: QStyleOptionViewItem) -> tuple[QRect, QRect, QRect]:
        """Where the name, the line below it and the one at the foot are."""
        left, width = option.rect.left() + _EDGE, option.rect.width() - 2 * _EDGE
        name_height = QFontMetrics(name_font(option.font)).height()
        small_height = QFontMetrics(small_font(option.font)).height()
        name = QRect(left, self.picture_area(option.rect).bottom() + _GAP, width, name_height)
        line = QRect(left, name.bottom() + LINE_GAP, width, small_height)
        return name, line, line.translated(0, small_height + LINE_GAP)
