"""The rarer settings: speed, the model's sampling, and how many takes "Best of" makes."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QDoubleSpinBox, QSpinBox, QWidget

from app.speak.choices import MOST_TRIES
from app.speak.pickers import labelled
from app.speak.tuning import LIMITS, USUAL, Tuning
from app.widgets.buttons import ghost_button
from app.widgets.fields import decimal_field, number_field
from app.widgets.labels import label
from app.widgets.layouts import FlowLayout, boxed, column

_MODELS_OWN: Final = "Model's own"
_SPEED: Final = (
    "Stretches the finished sound in time and keeps its pitch, exactly and alike with every model. A style like "
    "“Slow and clear” asks the model itself, which sounds more natural and is less exact."
)
_TIPS: Final = {
    "temperature": "Lower is steadier, higher is livelier and goes wrong more often.",
    "top_k": "Draws among this many likeliest codes only.",
    "top_p": "Draws among the likeliest codes that together have this share only.",
    "penalty": "Above 1, what was drawn already is drawn less often.",
}
_NAMES: Final = {"temperature": "Temperature", "top_k": "Top-k", "top_p": "Top-p", "penalty": "Repetition penalty"}


class MoreBox(QWidget):
    """Signals: `tuning_edited(Tuning)`, `best_of_edited(int)`."""

    tuning_edited = Signal(object)
    best_of_edited = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.speed = decimal_field("Speed", *LIMITS["speed"], 1.0)
        self.speed.setSuffix(" ×")
        self.speed.setToolTip(_SPEED)
        self.fields: dict[str, QSpinBox | QDoubleSpinBox] = {name: _field(name) for name in _NAMES}
        self.best_of = number_field("Takes that Best of makes", 2, MOST_TRIES, 4)
        self.reset_button = ghost_button("Reset", "undo-2", lambda: self._reset())
        self.reset_button.setToolTip("Speed 1, and the model's own sampling")
        flow = FlowLayout()
        for name, field in (("Speed", self.speed), *((_NAMES[key], field) for key, field in self.fields.items())):
            flow.addWidget(boxed(labelled(name, field, field)))
            field.valueChanged.connect(self._tell)
        flow.addWidget(boxed(labelled("Best of", self.best_of, self.best_of)))
        flow.addWidget(boxed(labelled(" ", self.reset_button, self.reset_button)))
        self.best_of.valueChanged.connect(self.best_of_edited)
        self.setLayout(column(flow, label(_SPEED, "caption", "dim", wrap=True), gap="xs"))

    def show_choices(self, tuning: Tuning, best_of: int) -> None:
        """Show what is chosen."""
        values = {**self._fields(), "best_of": self.best_of}
        for name, field in values.items():
            with QSignalBlocker(field):
                field.setValue(best_of if name == "best_of" else getattr(tuning, name))
        self.reset_button.setEnabled(tuning != USUAL)

    def _fields(self) -> dict[str, QSpinBox | QDoubleSpinBox]:
        return {"speed": self.speed, **self.fields}

    def _tell(self) -> None:
        values = {name: field.value() for name, field in self.fields.items()}
        tuning = Tuning(speed=round(self.speed.value(), 2), **values)  # type: ignore[arg-type]
        self.reset_button.setEnabled(tuning != USUAL)
        self.tuning_edited.emit(tuning)

    def _reset(self) -> None:
        self.show_choices(USUAL, self.best_of.value())
        self._tell()


def _field(name: str) -> QSpinBox | QDoubleSpinBox:
    low, high = LIMITS[name]
    if name == "top_k":
        field: QSpinBox | QDoubleSpinBox = number_field(_NAMES[name], int(low), int(high), 0)
    else:
        field = decimal_field(_NAMES[name], low, high, 0.0)
    field.setSpecialValueText(_MODELS_OWN)
    field.setToolTip(_TIPS[name])
    return field
