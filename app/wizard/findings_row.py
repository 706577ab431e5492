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
        """Show these, in their order; others are hidden."""
        shown = {finding.key: finding for finding in findings}
        for key, chip in self._chips.items():
            chip.show_finding(shown.get(key))
        gravest = min(findings, key=lambda finding: _GRAVITY.index(finding.verdict), default=None)
        why = "" if gravest is None or gravest.verdict == "good" else gravest.why
        self._why.setText(why)
        self._why.setVisible(bool(why))
        said = "; ".join(f"{_SIGNS[finding.verdict][2]}: {finding.text}" for finding in findings)
        self.setAccessibleDescription(said)


class _Chip(QWidget):
    def __init__(self) -> None:
        super().__init__()
        self._icon = IconLabel("circle-check", "good")
        self._text = label()
        self.setLayout(row(self._icon, self._text, gap="xs"))
        self.hide()

    def show_finding(self, finding: Finding | None) -> None:
        self.setVisible(finding is not None)
        if finding is not None:
            name, tone, spoken = _SIGNS[finding.verdict]
            self._icon.set_icon(name, tone, spoken)
            dress(self._text, tone="text" if finding.verdict == "good" else tone)
            self._text.setText(finding.text)
            self.setToolTip(finding.why)
