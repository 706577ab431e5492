"""Which part of a long file to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QTime, Signal
from PySide6.QtWidgets import QTimeEdit, QWidget

from app.widgets.buttons import ghost_button, plain_button
from app.widgets.labels import label
from app.widgets.layouts import Card, column, row
from app.wizard.loading import WHOLE_SECONDS
from app.wizard.words import length_words

if TYPE_CHECKING:
    from app.wizard.loading import Origin, RangeWanted

_SUGGESTED_SECONDS = 120.0
_FORMAT = "h:mm:ss"


class RangeBar(Card):
    """Hidden until `ask`.

    Signals: `range_chosen(Origin, float, float)`: start and end in seconds; `dismissed()`.
    """

    range_chosen = Signal(object, float, float)
    dismissed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._origin: Origin | None = None
        self._words = label(wrap=True)
        self.start_field = _time_field("Read from")
        self.end_field = _time_field("Read to")
        self._fault = label("", "caption", "warn")
        self.read_button = plain_button("Read this part", None, self._read)
        fields = row(
            *(label("From", tone="dim"), self.start_field, label("to", tone="dim"), self.end_field),
            *(self._fault, None, ghost_button("Cancel", None, self._dismiss), self.read_button),
        )
        self.setLayout(column(self._words, fields, gap="s", margin="m"))
        self.start_field.timeChanged.connect(self._judge)
        self.end_field.timeChanged.connect(self._judge)
        self.hide()

    def ask(self, wanted: RangeWanted) -> None:
        """Ask for a part of a file."""
        self._origin = wanted.origin
        self._words.setText(
            f"{wanted.origin.label} is {length_words(wanted.seconds)} long. Choose up to "
            f"{WHOLE_SECONDS / 60:.0f} minutes of it; half a minute is enough for a voice."
        )
        for field in (self.start_field, self.end_field):
            field.setMaximumTime(_time(wanted.seconds))
        self.start_field.setTime(_time(0))
        self.end_field.setTime(_time(min(_SUGGESTED_SECONDS, wanted.seconds)))
        self._judge()
        self.show()
        self.start_field.setFocus()

    def _judge(self) -> None:
        start, end = _seconds(self.start_field), _seconds(self.end_field)
        fault = "Not more than 10 minutes." if end - start > WHOLE_SECONDS else ""
        fault = "The end must lie after the start." if end <= start else fault
        self._fault.setText(fault)
        self.read_button.setEnabled(not fault)

    def _read(self) -> None:
        self.hide()
        self.range_chosen.emit(self._origin, _seconds(self.start_field), _seconds(self.end_field))

    def _dismiss(self) -> None:
        self.hide()
        self.dismissed.emit()


def _time_field(name: str) -> QTimeEdit:
    field = QTimeEdit()
    field.setDisplayFormat(_FORMAT)
    field.setAccessibleName(f"{name}, hours, minutes, seconds")
    field.setAcceptDrops(False)
    return field


def _time(seconds: float) -> QTime:
    return QTime(0, 0).addSecs(min(round(seconds), 24 * 3600 - 1))


def _seconds(field: QTimeEdit) -> float:
    return float(QTime(0, 0).secsTo(field.time()))
