"""The doctor's verdicts on a selection: a sign, a few words, a button that mends; a sentence for the gravest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from app.widgets.buttons import ghost_button
from app.widgets.icon_label import IconLabel
from app.widgets.labels import Tone, dress, label
from app.widgets.layouts import FlowLayout, boxed, column, row
from app.wizard.checks import KEYS, gravest

if TYPE_CHECKING:
    from collections.abc import Callable

    import engine

_SIGNS: Final[dict[str, tuple[str, Tone, str]]] = {
    "good": ("circle-check", "good", "Good"),
    "note": ("info", "accent", "Note"),
    "warn": ("triangle-alert", "warn", "Warning"),
    "bad": ("circle-alert", "bad", "Problem"),
}
_ANYWAY = "You may clone it anyway."
_ALWAYS: Final = ("length", "level", "clipping", "silence", "noise")


class FindingsRow(QWidget):
    """Keeps one chip a finding and changes its words, so that a drag makes no widgets.

    Signals: `mend_asked(Finding)`: its button was pressed.
    """

    mend_asked = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Checks of the selection")
        self._chips = {key: _Chip(self.mend_asked.emit) for key in KEYS}
        flow = FlowLayout(gap="l")
        for chip in self._chips.values():
            flow.addWidget(chip)
        self._why = label("", "caption", "dim", wrap=True)
        self.setLayout(column(boxed(flow), self._why, gap="xs"))

    def show_findings(self, findings: tuple[engine.Finding, ...]) -> None:
        """Show these; what is not among them, since nobody has listened to a new selection yet, is dimmed."""
        shown = {str(finding.key): finding for finding in findings}
        listened = "silence" in shown
        silent = listened and shown["silence"].blocks  # then there is no level to speak of
        for key, chip in self._chips.items():
            chip.show_finding(shown.get(key))
            if key not in shown and (silent or (listened and key not in _ALWAYS)):
                chip.forget()
        worst = gravest(findings)
        why = "" if worst is None or worst.verdict == "good" else worst.why
        if why and worst is not None and worst.verdict == "warn":
            why = f"{why} {_ANYWAY}"
        self._why.setText(why)
        self._why.setVisible(bool(why))
        said = "; ".join(f"{_SIGNS[finding.verdict][2]}: {finding.text}" for finding in findings)
        self.setAccessibleDescription(said)

    def mend_button(self, key: str) -> QWidget:
        """The button of one finding."""
        return self._chips[key].button


class _Chip(QWidget):
    def __init__(self, mend: Callable[[object], object]) -> None:
        super().__init__()
        self._finding: engine.Finding | None = None
        self._icon = IconLabel("circle-check", "good")
        self._text = label()
        self.button = ghost_button("Mend", None, lambda: mend(self._finding))
        self.button.setProperty("tone", "accent")  # it is pressed, the words beside it are not
        self.button.hide()
        self.setLayout(row(self._icon, self._text, self.button, gap="xs"))
        self.hide()

    def forget(self) -> None:
        self._finding = None
        self.hide()

    def show_finding(self, finding: engine.Finding | None) -> None:
        self.setEnabled(finding is not None)
        if finding is None or finding == self._finding:
            return
        name, tone, spoken = _SIGNS[finding.verdict]
        self._icon.set_icon(name, tone, spoken)
        if self._finding is None or self._finding.verdict != finding.verdict:
            dress(self._text, tone="text" if finding.verdict == "good" else tone)
        self._text.setText(finding.text)
        self.setToolTip(finding.why)
        self._finding = finding
        if finding.mend is not None:
            self.button.setText(finding.mend.label)
            self.button.setAccessibleName(f"{finding.mend.label}: {finding.text}")
        self.button.setVisible(finding.mend is not None)
        self.show()
