"""The row above the list: search, and what to leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLineEdit, QPushButton, QWidget

from app.icons import icon
from app.library.words import TIERS, language_text
from app.store import Query, Sort
from app.widgets.buttons import ghost_button, icon_button
from app.widgets.layouts import row

if TYPE_CHECKING:
    from collections.abc import Sequence

_ORDERS = {Sort.NEWEST: "Newest first", Sort.NAME: "By name", Sort.LARGEST: "Largest first"}


class FilterRow(QWidget):
    """Signals: `query_changed(Query)` when a person changed anything here."""

    query_changed = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText("Search names, tags, notes")
        self.search_field.setAccessibleName("Search voices")
        self.search_field.setClearButtonEnabled(True)
        self.search_field.setAcceptDrops(False)
        self.search_field.addAction(icon("search", "text_dim"), QLineEdit.ActionPosition.LeadingPosition)
        self.language_box = self._box("Language", [("All languages", None)])
        self.tier_box = self._box("Tier", [("All tiers", None), *((word, tier) for tier, word in TIERS.items())])
        self.order_box = self._box("Order", [(word, order) for order, word in _ORDERS.items()])
        self.star_button = icon_button("star", "Favourites only", checkable=True)
        self.trash_button: QPushButton = ghost_button("Trash", "trash-2")
        self.trash_button.setCheckable(True)
        layout: QHBoxLayout = row(
            *(self.search_field, self.star_button, self.language_box, self.tier_box, self.order_box),
            self.trash_button,
        )
        layout.setStretch(0, 1)
        self.setLayout(layout)
        self.search_field.textChanged.connect(self._tell)
        for button in (self.trash_button, self.star_button):
            button.toggled.connect(self._tell)
        for box in (self.language_box, self.tier_box, self.order_box):
            box.currentIndexChanged.connect(self._tell)

    def query(self) -> Query:
        """What the row asks for now."""
        return Query(
            text=self.search_field.text(),
            language=self.language_box.currentData(),
            tier=self.tier_box.currentData(),
            sort=self.order_box.currentData(),
            deleted=self.trash_button.isChecked(),
            starred=self.star_button.isChecked(),
        )

    def clear(self) -> None:
        """Let everything through again; the order and the trash stay as they are."""
        self.search_field.clear()
        self.language_box.setCurrentIndex(0)
        self.tier_box.setCurrentIndex(0)
        self.star_button.setChecked(False)

    def show_languages(self, languages: Sequence[str]) -> None:
        """Offer these languages; the one chosen stays chosen, even if its last voice is gone."""
        chosen = self.language_box.currentData()
        wanted = list(languages)
        if chosen is not None and chosen not in wanted:
            wanted.append(chosen)
        if wanted == [self.language_box.itemData(place) for place in range(1, self.language_box.count())]:
            return
        self.language_box.blockSignals(True)
        while self.language_box.count() > 1:
            self.language_box.removeItem(1)
        for language in wanted:
            self.language_box.addItem(language_text(language) or "No language said", language)
        self.language_box.setCurrentIndex(0 if chosen is None else 1 + wanted.index(chosen))
        self.language_box.blockSignals(False)

    def show_trash(self, count: int) -> None:
        """Show how many voices lie in the trash; an empty one has no button."""
        self.trash_button.setText(f"Trash ({count})" if count else "Trash")
        self.trash_button.setVisible(count > 0 or self.trash_button.isChecked())

    def _box(self, name: str, choices: Sequence[tuple[str, object]]) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(name)
        for word, value in choices:
            box.addItem(word, value)
        return box

    def _tell(self) -> None:
        self.query_changed.emit(self.query())
