"""One model on the models page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.models.shelf import ModelEntry
from app.models.words import facts, needs_here, what_it_does
from app.widgets.buttons import icon_button, plain_button
from app.widgets.icon_label import IconLabel
from app.widgets.labels import ElidedLabel, label
from app.widgets.layouts import Card, column, row

if TYPE_CHECKING:
    import engine


class ModelRow(Card):
    """A card with the model's name, what it does, and what can be done with it.

    `fetched` models can be removed from the disk and mended, others only forgotten.

    Signals: `use_asked`, `remove_asked`, `verify_asked`, `mend_asked`, `measure_asked`.
    """

    use_asked = Signal()
    remove_asked = Signal()
    verify_asked = Signal()
    mend_asked = Signal()
    measure_asked = Signal()

    def __init__(
        self,
        entry: ModelEntry,
        in_use: bool,
        fetched: engine.ReleasedModel | None = None,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(kind="surface", parent=parent)
        summary = entry.summary
        title = summary.label if summary is not None else fetched.title if fetched is not None else entry.folder.name
        words = entry.problem if summary is None else what_it_does(summary)
        sign, color = ("triangle-alert", "warn") if summary is None else ("box", "accent")
        text = column(label(title, "lead"), label(words, tone="dim", wrap=True), gap="xs")
        if summary is not None:
            text.addWidget(label(facts(summary), "caption", "dim", wrap=True))
            if not entry.bundled:
                text.addWidget(label(needs_here(entry), "caption", "dim", wrap=True))
        place = ElidedLabel("Ships with the studio" if entry.bundled else str(entry.folder))
        place.setProperty("tone", "dim")
        place.setProperty("textSize", "caption")
        text.addWidget(place)
        use = self._mend(title) if summary is None and fetched is not None else self._use(entry, in_use)
        layout = row(IconLabel(sign, color, 20), text, use, gap="m")
        layout.setStretch(1, 1)
        for button in () if entry.bundled else self._tools(title, summary is not None, fetched is not None):
            layout.addWidget(button)
        edge = 16
        layout.setContentsMargins(edge, 12, edge, 12)
        self.setLayout(layout)
        self.setAccessibleName(title)

    def _tools(self, title: str, usable: bool, fetched: bool) -> tuple[QWidget, ...]:
        """Everything else that can be done with it."""
        measure = icon_button("gauge", f"Measure how fast {title} speaks here, ten seconds", self.measure_asked.emit)
        measure.setEnabled(usable)
        verify = icon_button("shield-check", f"Check that {title} is whole", self.verify_asked.emit)
        sign, words = ("trash-2", f"Remove {title} from the disk") if fetched else ("x", f"Forget {title} (files stay)")
        return measure, verify, icon_button(sign, words, self.remove_asked.emit)

    def _mend(self, title: str) -> QWidget:
        button = plain_button("Mend", "download", self.mend_asked.emit)
        button.setAccessibleName(f"Mend {title}: fetch what is missing or broken")
        return button

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
