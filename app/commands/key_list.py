"""The list of keys: every act that has some, room by room, and the keys of the pictures and lists."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

from app.widgets.buttons import primary_button
from app.widgets.labels import label
from app.widgets.layouts import column, row, scrolling

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from app.commands.gather import Command

Section = tuple[str, "Sequence[tuple[str, str]]"]

IN_PICTURES: Section = (
    "In the waveform and the mel picture",
    (
        ("Left, Right", "Move the cursor; with Shift the nearer edge of the selection"),
        ("Home, End", "To the beginning, to the end"),
        ("[ and ]", "Begin or end the selection at the cursor"),
        ("Ctrl+A", "Select all"),
        ("+, - and 0", "Zoom in, zoom out, show all"),
        ("Page Up, Page Down", "Scroll"),
        ("Space", "Play and pause"),
        ("Escape", "Forget the selection"),
    ),
)
IN_LISTS: Section = (
    "In the lists of voices and takes",
    (
        ("Space", "Play, and stop"),
        ("Enter", "Speak with the voice; use the take's settings"),
        ("Delete", "Delete (with Undo)"),
        ("S", "Star a take"),
    ),
)


def sections(commands: Iterable[Command]) -> list[Section]:
    """Commands that have keys, under their room's name, in the order given."""
    found: dict[str, list[tuple[str, str]]] = {}
    for command in commands:
        if command.keys:
            found.setdefault(command.room or "Everywhere", []).append((command.keys, command.words))
    return [*found.items(), IN_PICTURES, IN_LISTS]


class KeyList(QDialog):
    """Shows sections of keys; Escape closes it."""

    def __init__(self, shown: Sequence[Section], parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Keyboard")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        grid = QGridLayout()
        grid.setHorizontalSpacing(24)
        grid.setVerticalSpacing(8)
        grid.setColumnStretch(1, 1)
        for title, rows in shown:
            at = grid.rowCount()
            grid.setRowMinimumHeight(at, 12)
            grid.addWidget(label(title, "lead"), at + 1, 0, 1, 2)
            for place, (keys, words) in enumerate(rows, start=at + 2):
                grid.addWidget(label(keys, tone="dim"), place, 0, Qt.AlignmentFlag.AlignTop)
                grid.addWidget(label(words, wrap=True), place, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        inside = QWidget()
        inside.setLayout(grid)
        self.close_button = primary_button("Close", on_click=self.accept)
        layout = column(scrolling(inside), row(None, self.close_button), gap="m", margin="xl")
        layout.setStretch(0, 1)
        self.setLayout(layout)
        self.resize(620, 680)
