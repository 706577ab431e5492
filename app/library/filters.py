"""The row above the list: search, and what to leave out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QLineEdit, QPushButton, QWidget

from app.icons import icon
from app.library.words import TIERS, language_text, models_text
from app.store import Query, Sort
from app.widgets.buttons import ghost_button, icon_button
from app.widgets.layouts import FlowLayout, column, row

if TYPE_CHECKING:
    from collections.abc import Sequence

_ORDERS = {Sort.NEWEST: "Newest first", Sort.NAME: "By name", Sort.LARGEST: "Largest first"}


class FilterRow(QWidget):
    """Signals: `query_changed(Query)` when a person changed anything here; `grid_chosen(bool)`: a grid or a list."""

    query_changed = Signal(object)
    grid_chosen = Signal(bool)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.search_field = QLineEdit()
        self.search_field.setPlaceholderText("Search names, tags, notes")
        self.search_field.setAccessibleName("Search voices")
        self.search_field.setClearButtonEnabled(True)
        self.search_field.setAcceptDrops(False)
        self.search_field.addAction(icon("search", "text_dim"), QLineEdit.ActionPosition.LeadingPosition)
        self.language_box = self._box("Language", [("All languages", None)])
        self.model_box = self._box(self.tr("Model"), [(self.tr("All models"), None)])
        self.tier_box = self._box("Tier", [("All tiers", None), *((word, tier) for tier, word in TIERS.items())])
        self.order_box = self._box("Order", [(word, order) for order, word in _ORDERS.items()])
        self.star_button = icon_button("star", "Favourites only", checkable=True)
        self.trash_button: QPushButton = ghost_button("Trash", "trash-2")
        self.trash_button.setCheckable(True)
        self.grid_button = icon_button("layout-grid", self.tr("Show a grid"), checkable=True)
        self.grid_button.toggled.connect(self.grid_chosen)
        search = row(self.search_field, self.star_button, self.grid_button)
        search.setStretch(0, 1)
        narrowing = FlowLayout()
        for box in (self.language_box, self.model_box, self.tier_box, self.order_box, self.trash_button):
            narrowing.addWidget(box)
        self.setLayout(column(search, narrowing))
        self.search_field.textChanged.connect(self._tell)
        for button in (self.trash_button, self.star_button):
            button.toggled.connect(self._tell)
        for box in (self.language_box, self.model_box, self.tier_box, self.order_box):
            box.currentIndexChanged.connect(self._tell)

    def query(self) -> Query:
        """What the row asks for now."""
        return Query(
            text=self.search_field.text(),
            language=self.language_box.currentData(),
            tier=self.tier_box.currentData(),
            width=self.model_box.currentData(),
            sort=self.order_box.currentData(),
            deleted=self.trash_button.isChecked(),
            starred=self.star_button.isChecked(),
        )

    def clear(self) -> None:
        """Let everything through again; the order and the trash stay as they are."""
        self.search_field.clear()
        self.language_box.setCurrentIndex(0)
        self.model_box.setCurrentIndex(0)
        self.tier_box.setCurrentIndex(0)
        self.star_button.setChecked(False)

    def show_languages(self, languages: Sequence[str]) -> None:
        """Offer these languages; the one chosen stays chosen, even if its last voice is gone."""
        _offer(self.language_box, [(language_text(language) or "No language said", language) for language in languages])

    def show_widths(self, widths: Sequence[int]) -> None:
        """Offer the sizes of models that voices of these widths fit; as with languages."""
        _offer(self.model_box, [(models_text(width), width) for width in widths])

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


def _offer(box: QComboBox, choices: list[tuple[str, object]]) -> None:
    """Let `box` offer `choices` below its first, which means all; what is chosen stays, even if not among them."""
    place = box.currentIndex()
    chosen = (box.itemText(place), box.itemData(place))
    if place > 0 and chosen not in choices:
        choices = [*choices, chosen]
    if choices == [(box.itemText(place), box.itemData(place)) for place in range(1, box.count())]:
        return
    box.blockSignals(True)
    while box.count() > 1:
        box.removeItem(1)
    for words, value in choices:
        box.addItem(words, value)
    box.setCurrentIndex(0 if place <= 0 else 1 + choices.index(chosen))
    box.blockSignals(False)
