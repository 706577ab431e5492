"""One model on the models page."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.models.shelf import ModelEntry
from app.models.words import facts, what_it_does
from app.widgets.buttons import icon_button, plain_button
from app.widgets.icon_label import IconLabel
from app.widgets.labels import ElidedLabel, label
from app.widgets.layouts import Card, column, row


class ModelRow(Card):
    """A card with the model's name, what it does, and what can be done with it.

    `fetched` models can be removed from the disk, others only forgotten.

    Signals: `use_asked`, `remove_asked`, `verify_asked`.
    """

    use_asked = Signal()
    remove_asked = Signal()
    verify_asked = Signal()

    def __init__(self, entry: ModelEntry, in_use: bool, fetched: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(kind="surface", parent=parent)
        summary = entry.summary
        title = entry.folder.name if summary is None else summary.label
        words = entry.problem if summary is None else what_it_does(summary)
        sign, color = ("triangle-alert", "warn") if summary is None else ("box", "accent")
        text = column(label(title, "lead"), label(words, tone="dim", wrap=True), gap="xs")
        if summary is not None:
            text.addWidget(label(facts(summary), "caption", "dim"))
        place = ElidedLabel("Ships with the studio" if entry.bundled else str(entry.folder))
        place.setProperty("tone", "dim")
        place.setProperty("textSize", "caption")
        text.addWidget(place)
        layout = row(IconLabel(sign, color, 20), text, self._use(entry, in_use), gap="m")
        layout.setStretch(1, 1)
        if not entry.bundled:
            layout.addWidget(icon_button("shield-check", f"Check that {title} is whole", self.verify_asked.emit))
            sign, words = (
                ("trash-2", f"Remove {title} from the disk") if fetched else ("x", f"Forget {title} (its files stay)")
            )
            layout.addWidget(icon_button(sign, words, self.remove_asked.emit))
        edge = 16
        layout.setContentsMargins(edge, 12, edge, 12)
        self.setLayout(layout)
        self.setAccessibleName(title)

    def _use(self, entry: ModelEntry, in_use: bool) -> QWidget:
        summary = entry.summary
        if summary is None:
            return label("Cannot be used", tone="warn")
        if summary.kind == "voice_design":
            return label("Choose it on the Speak page", "caption", "dim")
        purpose = "cloning" if summary.can_clone else "speaking"
        if in_use:
            return label(f"In use for {purpose}", tone="good")
        button = plain_button(f"Use for {purpose}", "check", self.use_asked.emit)
        button.setAccessibleName(f"Use {summary.label} for {purpose}")
        return button
