"""Fields that need more than the style sheet can give them."""

from __future__ import annotations

from PySide6.QtWidgets import QDoubleSpinBox, QLineEdit, QSpinBox

from app.icons import icon

_TEXT_INSET = 6  # Qt gives the text of a styled spin box no room at its left


def number_field(name: str, minimum: int, maximum: int, value: int) -> QSpinBox:
    """A whole number from `minimum` to `maximum`; `name` is what a screen reader says."""
    field = QSpinBox()
    field.setRange(minimum, maximum)
    field.setValue(value)
    _dress(field, name)
    return field


def decimal_field(name: str, minimum: float, maximum: float, value: float, step: float = 0.05) -> QDoubleSpinBox:
    """A number with two decimals; `name` is what a screen reader says."""
    field = QDoubleSpinBox()
    field.setRange(minimum, maximum)
    field.setSingleStep(step)
    field.setValue(value)
    _dress(field, name)
    return field


def search_field(placeholder: str) -> QLineEdit:
    """A line to search with: a glass at the left, a cross at the right once there is text."""
    field = QLineEdit()
    field.setPlaceholderText(placeholder)
    field.setAccessibleName(placeholder)
    field.addAction(icon("search", "text_dim"), QLineEdit.ActionPosition.LeadingPosition)
    field.setClearButtonEnabled(True)
    return field


def _dress(field: QSpinBox | QDoubleSpinBox, name: str) -> None:
    field.setAccessibleName(name)
    field.lineEdit().setTextMargins(_TEXT_INSET, 0, 0, 0)
