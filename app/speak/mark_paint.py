"""Marks in the text stand out from the words, so that one sees what will not be said."""

from __future__ import annotations

from PySide6.QtGui import QFont, QSyntaxHighlighter, QTextCharFormat, QTextDocument

import engine
from app.theme import current_theme


class MarkPaint(QSyntaxHighlighter):
    """Follows the text of a document by itself; after another theme, `rehighlight`."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)

    def highlightBlock(self, text: str) -> None:  # noqa: N802 - Qt's name
        theme = current_theme()
        look = QTextCharFormat()
        look.setForeground(theme.color("accent"))
        look.setBackground(theme.color("accent_soft"))
        look.setFontWeight(QFont.Weight.DemiBold)
        for mark in engine.find_marks(text):
            self.setFormat(mark.start, mark.end - mark.start, look)
