"""Exporting all takes, or the starred ones: where to, as what, called how."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QFileDialog, QGridLayout, QLineEdit, QWidget

from app.speak.exporting import FIELDS, FORMATS, PATTERN, name_by
from app.speak.words import takes_text
from app.widgets.buttons import plain_button, primary_button
from app.widgets.labels import ElidedLabel, label
from app.widgets.layouts import column, row

if TYPE_CHECKING:
    from app.speak.take import Take


class ExportDialog(QDialog):
    """After `accepted`, `chosen`, `folder`, `pattern` and `ending` say what was decided."""

    def __init__(self, takes: Sequence[Take], folder: Path, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Export takes")
        self._takes = takes
        self.folder = folder
        self.format_box = QComboBox()
        for words, ending in FORMATS.items():
            self.format_box.addItem(words, ending)
        self.pattern_field = QLineEdit(PATTERN)
        self.starred_box = QCheckBox("Only takes with a star")
        self.starred_box.setEnabled(any(take.star for take in takes))
        self._folder_label = ElidedLabel(str(folder))
        self._example = label("", "caption", "dim", wrap=True)
        self.export_button = primary_button("Export", "download", self.accept)
        self._lay_out()
        for signal in (self.pattern_field.textChanged, self.format_box.currentIndexChanged, self.starred_box.toggled):
            signal.connect(self._show)
        self._show()

    @property
    def chosen(self) -> list[Take]:
        return [take for take in self._takes if take.star or not self.starred_box.isChecked()]

    @property
    def pattern(self) -> str:
        return self.pattern_field.text().strip() or PATTERN

    @property
    def ending(self) -> str:
        return str(self.format_box.currentData())

    def _lay_out(self) -> None:
        grid = QGridLayout()
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(12)
        grid.setColumnStretch(1, 1)
        change = plain_button("Change…", "folder-open", self._choose)
        change.setAccessibleName("Change the folder")
        place = row(self._folder_label, change)
        place.setStretch(0, 1)
        named = (("Format", self.format_box), ("Names", self.pattern_field))
        grid.addWidget(label("Folder", tone="dim"), 0, 0)
        grid.addLayout(place, 0, 1)
        for line, (name, field) in enumerate(named, start=1):
            field.setAccessibleName(name)
            grid.addWidget(label(name, tone="dim"), line, 0)
            grid.addWidget(field, line, 1)
        fields = "  ".join(f"{{{field}}}" for field in FIELDS)
        grid.addWidget(label(f"Fields: {fields}", "caption", "dim", wrap=True), 3, 1)
        grid.addWidget(self._example, 4, 1)
        grid.addWidget(self.starred_box, 5, 1)
        cancel = plain_button("Cancel", on_click=self.reject)
        self.setLayout(column(grid, None, row(None, cancel, self.export_button), gap="l", margin="xl"))
        self.resize(560, 360)

    def _choose(self) -> None:
        name = QFileDialog.getExistingDirectory(self, "Where to export to", str(self.folder))
        if name:
            self.folder = Path(name)
            self._folder_label.setText(name)

    def _show(self) -> None:
        chosen = self.chosen
        self.export_button.setEnabled(bool(chosen))
        self.export_button.setText(f"Export {takes_text(len(chosen))}")
        example = name_by(self.pattern, chosen[0]) + self.ending if chosen else ""
        self._example.setText(f"For example: {example}")
