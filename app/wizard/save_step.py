"""Step 4: a name, a language, one of three tiers, and the library."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QComboBox, QLineEdit, QWidget

from app.library.words import language_text, size_text
from app.widgets.buttons import plain_button
from app.widgets.choice_card import ChoiceCard
from app.widgets.icon_label import IconLabel
from app.widgets.labels import ElidedLabel, label
from app.widgets.layouts import boxed, column, row
from app.wizard.offers import NAMES, TIERS, exact_text, figure_text

if TYPE_CHECKING:
    from app.store.records import Tier
    from app.wizard.cloning import Cloned
    from app.wizard.offers import Offer
    from app.wizard.presenter import WizardPresenter

_MEASURING = "…"
_LINES = 5


class SaveStep(QWidget):
    """Shows what the presenter offers; the cards of one voice keep their places."""

    def __init__(self, presenter: WizardPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self.name_field = QLineEdit()
        self.name_field.setAccessibleName("Name of the voice")
        self.name_field.setPlaceholderText("Name of the voice")
        self.name_field.setMaxLength(120)
        self.name_field.setAcceptDrops(False)
        self.language_box = QComboBox()
        self.language_box.setAccessibleName("Language of the voice")
        self._cards_box = QWidget()
        self.cards: dict[Tier, ChoiceCard] = {tier: ChoiceCard(NAMES[tier], parent=self._cards_box) for tier in TIERS}
        self.consent_box = QCheckBox("I may use this voice")
        self.consent_box.setToolTip("It is my own, or its owner agreed. Kept beside the voice, with today's date.")
        self.consent_box.setAccessibleDescription(self.consent_box.toolTip())
        self._made_from = ElidedLabel()
        self._made_from.setProperty("tone", "dim")
        self._advice = ElidedLabel()
        self.measure_button = plain_button(self.tr("Measure…"), "gauge", presenter.measure_tiers)
        self._saved_text = label("", "lead")
        self._saved = boxed(row(IconLabel("circle-check", "good", 20, "Done"), self._saved_text, None))
        self._measured: Cloned | None = None
        self._shown: dict[Tier, Offer] = {}
        self._lay_out()
        self._connect()

    def _lay_out(self) -> None:
        for card in self.cards.values():
            card.reserve_lines(_LINES)
        cards = row(*self.cards.values(), gap="m")
        for place in range(len(TIERS)):
            cards.setStretch(place, 1)
        self._cards_box.setLayout(cards)
        about = row(label("Name", tone="dim"), self.name_field, 8, label("Language", tone="dim"), self.language_box)
        about.addSpacing(8)
        about.addWidget(self.consent_box)
        about.setStretch(1, 1)
        advice = row(boxed(column(self._advice, self._made_from, gap="xs")), self.measure_button, gap="m")
        advice.setStretch(0, 1)
        self.setLayout(column(self._saved, about, self._cards_box, advice, gap="s"))

    def _connect(self) -> None:
        presenter = self._presenter
        self.consent_box.toggled.connect(presenter.set_consented)
        self.name_field.textEdited.connect(lambda text: presenter.describe(name=text))
        self.language_box.activated.connect(
            lambda place: presenter.describe(language=self.language_box.itemData(place))
        )
        for tier, card in self.cards.items():
            card.clicked.connect(lambda _checked=False, tier=tier: self._choose(tier))
            card.toggled.connect(lambda on, tier=tier: self._choose(tier) if on else None)
        presenter.voice_changed.connect(self._show)
        presenter.saving.sized.connect(self._show_size)
        presenter.saving.unsized.connect(self._show_no_size)
        presenter.measuring.running_changed.connect(self._show_measuring)

    def _choose(self, tier: Tier) -> None:
        if tier != self._presenter.tier:
            self._presenter.describe(tier=tier)

    def _show(self) -> None:
        made = self._presenter.cloned
        if made is None:
            self._measured = None
            return
        self.consent_box.setChecked(self._presenter.consented)
        if self.name_field.text() != self._presenter.name:
            self.name_field.setText(self._presenter.name)
        self._show_languages()
        self._show_offers(made)
        self._show_measuring()
        saved = self._presenter.saved
        self._saved.setVisible(saved is not None)
        if saved is not None:
            self._saved_text.setText(
                f"{saved.name} is in the library ({NAMES[saved.tier]}, {size_text(saved.size_bytes)})"
            )
        seconds, (start, _) = made.voice.reference_seconds or 0.0, made.request.selection
        words = f", with {len(made.voice.codes)} frames of codes" if made.voice.codes is not None else ""
        self._made_from.setText(
            f"Made from {seconds:.1f} s of sound (from {start:.1f} s on) by {made.model.label}: "
            f"a vector of {made.voice.width} numbers{words}."
        )

    def _show_languages(self) -> None:
        wanted = ["", *self._presenter.languages]
        if wanted != [self.language_box.itemData(place) for place in range(self.language_box.count())]:
            self.language_box.clear()
            for language in wanted:
                self.language_box.addItem(language_text(language) or "Not said", language)
        self.language_box.setCurrentIndex(wanted.index(self._presenter.language))

    def _show_offers(self, made: Cloned) -> None:
        fresh = made is not self._measured
        for offer in self._presenter.offers:
            if not fresh and self._shown.get(offer.tier) == offer:
                continue  # the lines of a card are widgets; a typed letter must not make them anew
            self._shown[offer.tier] = offer
            card = self.cards[offer.tier]
            if fresh:
                card.set_figure("" if offer.reason else _MEASURING, "" if offer.reason else "computing the size")
            card.set_lines(offer.lines)
            card.set_badge("Recommended" if offer.advice else "")
            card.set_reason(offer.reason)
            if offer.advice:
                self._advice.setText(f"{NAMES[offer.tier]} is recommended: {offer.advice}")
        self._measured = made
        self._check_card()
        for card in self.cards.values():
            card.sizeHint()  # the layout keeps it: asked for here, not in the turn that shows and draws the step

    def _show_measuring(self) -> None:
        refused = self._presenter.measuring_refused
        self.measure_button.setEnabled(not refused and not self._presenter.measuring.running)
        hint = refused or self.tr("Write, load and speak each tier here, and compare them with Base")
        self.measure_button.setToolTip(hint)
        self.measure_button.setAccessibleDescription(hint)

    def _check_card(self) -> None:
        chosen = self.cards[self._presenter.tier]
        if not chosen.isChecked():
            chosen.blockSignals(True)
            chosen.setChecked(True)
            chosen.blockSignals(False)
        for card in self.cards.values():
            card.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _show_size(self, tier: Tier, size_bytes: int) -> None:
        self.cards[tier].set_figure(figure_text(tier, size_bytes), exact_text(tier, size_bytes))

    def _show_no_size(self, tier: Tier, reason: str) -> None:
        self.cards[tier].set_figure("")
        self.cards[tier].set_reason(reason)
