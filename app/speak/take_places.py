"""Where in a row of the list each part of a take stands, for painting and for the mouse alike."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from PySide6.QtCore import QPoint, QRect

Part = Literal["star", "play", "wave", "export", "reuse", "delete"]

NAMES: Final[dict[Part, str]] = {
    "star": "Star (S)",
    "play": "Play (Space)",
    "wave": "",
    "export": "Export… (Ctrl+E)",
    "reuse": "Use its settings (Enter)",
    "delete": "Delete (Del)",
}
ACTS: Final[tuple[Part, ...]] = ("export", "reuse", "delete")
_EDGE: Final = 10
_GAP: Final = 12
_BUTTON: Final = 30
_WAVE_SHARE: Final = 0.26
_WAVE_WIDTHS: Final = (110, 340)


class Places(NamedTuple):
    """Rectangles in the row's coordinates."""

    number: QRect
    words: QRect
    length: QRect
    parts: dict[Part, QRect]


def places(row: QRect, number_width: int, length_width: int) -> Places:
    """Lay out a row; `number_width` and `length_width` are the widest that the font needs."""
    middle = row.center().y() + 1
    parts: dict[Part, QRect] = {}
    x = row.left() + _EDGE
    parts["star"] = _button(x, middle)
    number = QRect(x + _BUTTON, row.top(), number_width, row.height())
    x = number.right() + _GAP
    parts["play"] = QRect(x, middle - 17, 34, 34)
    x += 34 + _GAP
    wave_width = min(max(round(row.width() * _WAVE_SHARE), _WAVE_WIDTHS[0]), _WAVE_WIDTHS[1])
    parts["wave"] = QRect(x, row.top() + 10, wave_width, row.height() - 20)
    length = QRect(x + wave_width + _GAP, row.top(), length_width, row.height())
    right = row.right() - _EDGE
    for part in reversed(ACTS):
        right -= _BUTTON
        parts[part] = _button(right, middle)
    left = length.right() + _GAP + 4
    words = QRect(left, row.top(), max(0, right - _GAP - left), row.height())
    return Places(number, words, length, parts)


def part_at(laid: Places, point: QPoint) -> Part | None:
    """What a press at `point` means."""
    return next((part for part, area in laid.parts.items() if area.contains(point)), None)


def _button(x: int, middle: int) -> QRect:
    return QRect(x, middle - _BUTTON // 2, _BUTTON, _BUTTON)
