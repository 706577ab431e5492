"""The verdicts on a selection: a sign and a few words each, and a sentence for the gravest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtWidgets import QWidget

from app.widgets.icon_label import IconLabel
from app.widgets.labels import Tone, dress, label
from app.widgets.layouts import FlowLayout, boxed, column, row
from app.wizard.checks import KEYS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from app.wizard.checks import Finding, Verdict

_SIGNS: Final[dict[Verdict, tuple[str, Tone, str]]] = {
    "good": ("circle-check", "good", "Good"),
    "note": ("info", "accent", "Note"),
    "warn": ("triangle-alert", "warn", "Warning"),
    "bad": ("circle-alert", "bad", "Problem"),
}
_GRAVITY: Final[tuple[Verdict, ...]] = ("bad", "warn", "note", "good")


class FindingsRow(QWidget):
    """Keeps one chip a finding and changes its words, so that a drag makes no widgets."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName("Checks of the selection")
        self._chips = {key: _Chip() for key in KEYS}
        flow = FlowLayout(gap="l")
        for chip in self._chips.values():
            flow.addWidget(chip)
        self._why = label("", "caption", "dim", wrap=True)
        self.setLayout(column(boxed(flow), self._why, gap="xs"))

    def show_findings(self, findings: Sequence[Finding]) -> None:
        """Show these; what is not among them, since nobody has listened to a new selection yet, is dimmed."""
        shown = {finding.key: finding for finding in findings}
        silent = "silence" in shown and shown["silence"].blocks  # then there is no level to speak of
        for key, chip in self._chips.items():
            chip.show_finding(shown.get(key))
            if silent and key not in shown:
                chip.forget()
        gravest = min(findings, key=lambda finding: _GRAVITY.index(finding.verdict), default=None)
        why = "" if gravest is None or gravest.verdict == "good" else gravest.why
        self._why.setText(why)
        self._why.setVisible(bool(why))
        said = "; ".join(f"{_SIGNS[finding.verdict][2]}: {finding.text}" for finding in findings)
        self.setAccessibleDescription(said)


class _Chip(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._finding: Finding | None = None
        self._icon = IconLabel("circle-check", "good")
        self._text = label()
        self.setLayout(row(self._icon, self._text, gap="xs"))
        self.hide()

    def forget(self) -> None:
        self._finding = None
        self.hide()

    def show_finding(self, finding: Finding | None) -> None:
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
        self.show()
