"""What is inside a voice file: what `qvoice inspect` prints, in a window."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractItemView, QDialog, QFormLayout, QHeaderView, QTableWidget, QTableWidgetItem

import engine
from app.widgets.buttons import plain_button
from app.widgets.labels import label
from app.widgets.layouts import boxed, column, row, scrolling

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter


class InspectorDialog(QDialog):
    """Shows facts, warnings and the sections with their places."""

    def __init__(self, found: engine.Inspection, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Inside {file}").format(file=found.path.name))
        self._found = found
        self.facts = QFormLayout()
        self.facts.setHorizontalSpacing(16)
        self.facts.setVerticalSpacing(6)
        for name, words in engine.inspection_facts(found):
            value = label(words, wrap=True)
            value.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self.facts.addRow(label(name, tone="dim"), value)
        self.warnings = [
            label(self.tr("Warning: {words}").format(words=words), tone="warn", wrap=True) for words in found.warnings
        ]
        self.table = self._table()
        copy = plain_button(self.tr("Copy"), "copy", self.copy)
        copy.setToolTip(self.tr("Copy all of this as text"))
        close = plain_button(self.tr("Close"), on_click=self.accept)
        layout = column(
            scrolling(boxed(column(self.facts, *self.warnings, gap="m"))),
            label(self.tr("Sections"), "lead"),
            self.table,
            row(copy, None, close),
            gap="m",
            margin="xl",
        )
        self.setLayout(layout)
        self.resize(640, 620)

    def copy(self) -> None:
        """Put everything on the clipboard, as `qvoice inspect` would print it."""
        QGuiApplication.clipboard().setText(engine.inspection_table(self._found))

    def _table(self) -> QTableWidget:
        sections = self._found.sections
        table = QTableWidget(len(sections), 3)
        table.setAccessibleName(self.tr("Sections of the file"))
        for place, words in enumerate((self.tr("Section"), self.tr("Offset"), self.tr("Bytes"))):
            head = QTableWidgetItem(words)
            head.setTextAlignment(_RIGHT if place else _LEFT)
            table.setHorizontalHeaderItem(place, head)
        table.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        table.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        table.setTabKeyNavigation(False)
        table.setShowGrid(False)
        table.verticalHeader().hide()
        table.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        for line, section in enumerate(sections):
            for place, words in enumerate((section.name, f"{section.offset:,}", f"{section.size:,}")):
                item = QTableWidgetItem(words)
                item.setTextAlignment(_RIGHT if place else _LEFT)
                table.setItem(line, place, item)
        return table
