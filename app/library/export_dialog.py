"""Choosing what a voice is exported as: each tier with its size, or why it cannot be had, and the bundle."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QButtonGroup, QDialog, QGridLayout, QWidget

from app.library.words import TIER_HINTS, TIERS, size_text
from app.widgets.buttons import plain_button, primary_button
from app.widgets.choice_card import ChoiceCard
from app.widgets.labels import label
from app.widgets.layouts import column, row, scrolling

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtGui import QCloseEvent

    from app.library.exporting import Offer
    from app.store import VoiceRecord
    from app.work import Job


class ExportDialog(QDialog):
    """After `accepted`, `chosen` says what was decided. `sizes` is a job that produces (kind, bytes)."""

    def __init__(self, record: VoiceRecord, offers: Sequence[Offer], sizes: Job, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Export {name}").format(name=record.name))
        self._sizes = sizes
        self._own = record.tier
        self._offers = {offer.kind: offer for offer in offers}
        self._group = QButtonGroup(self)
        self.cards: dict[str, ChoiceCard] = {}
        grid = QGridLayout()
        grid.setSpacing(12)
        for place, offer in enumerate(offers):
            card = self._card(offer)
            card.setChecked(offer.kind == record.tier)
            grid.addWidget(card, place // 2, place % 2)
        for side in (0, 1):
            grid.setColumnStretch(side, 1)
        grid.setRowStretch(grid.rowCount(), 1)
        holder = QWidget()
        holder.setLayout(grid)
        grid.setContentsMargins(0, 0, 0, 0)
        self.place_button = primary_button(self.tr("Choose where…"), "download", self.accept)
        cancel = plain_button(self.tr("Cancel"), on_click=self.reject)
        layout = column(
            label(self.tr("What shall it be?"), "lead"),
            scrolling(holder),
            row(None, cancel, self.place_button),
            gap="l",
            margin="xl",
        )
        layout.setStretch(1, 1)
        self.setLayout(layout)
        self.resize(680, 620)
        sizes.produced.connect(self._show_size)

    @property
    def chosen(self) -> Offer:
        return next(self._offers[kind] for kind, card in self.cards.items() if card.isChecked())

    def done(self, result: int) -> None:
        """Both ways out end the measuring."""
        self._sizes.cancel()
        super().done(result)

    def closeEvent(self, event: QCloseEvent) -> None:
        self._sizes.cancel()
        super().closeEvent(event)

    def _card(self, offer: Offer) -> ChoiceCard:
        hint = TIER_HINTS.get(offer.kind) or self.tr(
            "The voice with its notes and its preview in one file, for another QVoice Studio."
        )
        title = TIERS.get(offer.kind) or self.tr("Bundle")
        card = ChoiceCard(title, "–" if offer.reason else "…", offer.suffix, [("note", hint)])
        card.set_reason(offer.reason)
        self._group.addButton(card)
        self.cards[offer.kind] = card
        return card

    def _show_size(self, found: tuple[str, int]) -> None:
        kind, size_bytes = found
        exact = kind == self._own or kind in ("light", "standard")
        about = "{size}" if exact else self.tr("about {size}")
        self.cards[kind].set_figure(about.format(size=size_text(size_bytes)), self._offers[kind].suffix)
