"""Step 2: listen, look, and choose the part to clone from."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtWidgets import QDoubleSpinBox, QWidget

from app.widgets.buttons import ghost_button
from app.widgets.fields import decimal_field
from app.widgets.labels import ElidedLabel, dress, label
from app.widgets.layouts import Card, column, row
from app.wizard.checks import LONGEST_SECONDS
from app.wizard.findings_row import FindingsRow
from app.wizard.words import clip_words

if TYPE_CHECKING:
    from app.wizard.presenter import WizardPresenter


class ListenStep(QWidget):
    """What was read, the selection in figures, and the verdicts on it."""

    def __init__(self, presenter: WizardPresenter, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._presenter = presenter
        self._title = ElidedLabel()
        dress(self._title, "lead")
        self._facts = label("", tone="dim")
        self._notes = label("", "caption", "dim", wrap=True)
        self.start_field = _seconds_field("Selection from")
        self.end_field = _seconds_field("Selection to")
        self.best_button = ghost_button("", "scissors", presenter.select_best)
        self.findings = FindingsRow()
        self.undo_button = ghost_button("Undo mend", "undo-2", presenter.mending.undo)
        self.undo_button.hide()
        self._lay_out()
        for field in (self.start_field, self.end_field):
            field.valueChanged.connect(self._edit)
        presenter.sound_changed.connect(self._show_sound)
        presenter.selection_changed.connect(self._show_selection)
        presenter.findings_changed.connect(self._show_findings)
        presenter.mending.changed.connect(self._show_findings)
        self.findings.mend_asked.connect(presenter.mend)
        self._show_sound()

    def _lay_out(self) -> None:
        head = row(self._title, self._facts, gap="m")
        head.setStretch(0, 1)
        fields = row(
            *(label("Selection", tone="dim"), self.start_field, label("to", tone="dim"), self.end_field),
            *(self.best_button, self.undo_button, None),
        )
        self.setLayout(column(Card(column(head, self._notes, fields, self.findings, gap="s"))))

    def _show_sound(self) -> None:
        sound = self._presenter.sound
        if sound is None:
            return
        self._title.setText(sound.origin.label)
        self._facts.setText(clip_words(sound.clip))
        self._notes.setText(" ".join(sound.notes))
        self._notes.setVisible(bool(sound.notes))
        whole = sound.seconds <= LONGEST_SECONDS
        self.best_button.setText("All of it" if whole else f"The best {LONGEST_SECONDS:.0f} s")
        for field in (self.start_field, self.end_field):
            field.blockSignals(True)
            field.setRange(0.0, sound.seconds)
            field.blockSignals(False)
        self._show_selection()
        self._show_findings()

    def _show_findings(self) -> None:
        self.findings.show_findings(self._presenter.findings)
        self.findings.setEnabled(not self._presenter.mending.running)
        self.undo_button.setVisible(self._presenter.mending.can_undo)

    def _show_selection(self) -> None:
        sound = self._presenter.sound
        for field, seconds in zip((self.start_field, self.end_field), self._presenter.selection, strict=True):
            if not field.hasFocus() or abs(field.value() - seconds) > 0.006:
                field.blockSignals(True)
                field.setValue(seconds)
                field.blockSignals(False)
        self.best_button.setEnabled(sound is not None and self._presenter.selection != sound.best)

    def _edit(self) -> None:
        start, end = self.start_field.value(), self.end_field.value()
        if end > start:
            self._presenter.select(start, end)


def _seconds_field(name: str) -> QDoubleSpinBox:
    field = decimal_field(f"{name}, in seconds", 0.0, 0.0, 0.0, step=0.1)
    field.setSuffix(" s")
    field.setAcceptDrops(False)
    field.setKeyboardTracking(False)
    return field
