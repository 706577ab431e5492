"""What a page shows when there is nothing yet: a picture, a sentence, and what to do first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.widgets.icon_label import IconLabel
from app.widgets.labels import label
from app.widgets.layouts import column, row

if TYPE_CHECKING:
    from PySide6.QtWidgets import QPushButton


class EmptyState(QWidget):
    """Centred in the room it gets; the buttons are made by the page."""

    def __init__(
        self, icon_name: str, title: str, sentence: str, *buttons: QPushButton, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._icon = IconLabel(icon_name, "text_dim", 40)
        self._title = label(title, "lead")
        self._sentence = label(sentence, "body", "dim", wrap=True)
        self._sentence.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self._sentence.setMinimumWidth(280)
        self._sentence.setMaximumWidth(440)
        self._sentence.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        layout = column(None, gap="s", margin="xl")
        layout.addWidget(self._icon, 0, Qt.AlignmentFlag.AlignHCenter)
        layout.addSpacing(4)
        layout.addWidget(self._title, 0, Qt.AlignmentFlag.AlignHCenter)
        line = row(None, self._sentence, None)
        line.setStretch(1, 100)
        layout.addLayout(line)
        if buttons:
            layout.addSpacing(8)
            layout.addLayout(row(None, *buttons, None))
        layout.addStretch(1)
        self.setLayout(layout)

    def set_words(self, title: str, sentence: str) -> None:
        """Say something else."""
        self._title.setText(title)
        self._sentence.setText(sentence)
