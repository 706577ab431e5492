"""The keyboard on a time axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt

if TYPE_CHECKING:
    from PySide6.QtGui import QKeyEvent

    from app.widgets.timeline import Timeline

_SHIFT: Final = Qt.KeyboardModifier.ShiftModifier
_CONTROL: Final = Qt.KeyboardModifier.ControlModifier
_STEP_PIXELS: Final = 5
_BIG_STEP: Final = 10


def handle_key(timeline: Timeline, event: QKeyEvent, seconds_a_pixel: float) -> bool:
    """Act on `event`; False when it means nothing here.

    Arrows move the cursor (Ctrl: ten times as far), with Shift the edge of the selection nearest to it; Home and
    End go to the ends; `[` and `]` put an edge at the cursor; Ctrl+A selects all; Escape selects nothing; `+`, `-`
    and `0` zoom; Page Up and Page Down turn the page.
    """
    key = event.key()
    step = _STEP_PIXELS * seconds_a_pixel * (_BIG_STEP if event.modifiers() & _CONTROL else 1)
    if key in (Qt.Key.Key_Left, Qt.Key.Key_Right):
        _arrow(timeline, -step if key == Qt.Key.Key_Left else step, edge=bool(event.modifiers() & _SHIFT))
        return True
    if key in (Qt.Key.Key_Home, Qt.Key.Key_End):
        target = 0.0 if key == Qt.Key.Key_Home else timeline.duration
        _arrow(timeline, target - timeline.cursor, edge=bool(event.modifiers() & _SHIFT))
        return True
    return _edit_key(timeline, event) or _view_key(timeline, key)


def _edit_key(timeline: Timeline, event: QKeyEvent) -> bool:
    key = event.key()
    start, end = timeline.selection or (0.0, timeline.duration)
    if key == Qt.Key.Key_BracketLeft:
        timeline.edit_selection((timeline.cursor, end if end > timeline.cursor else timeline.duration))
    elif key == Qt.Key.Key_BracketRight:
        timeline.edit_selection((start if start < timeline.cursor else 0.0, timeline.cursor))
    elif key == Qt.Key.Key_A and event.modifiers() & _CONTROL:
        timeline.edit_selection((0.0, timeline.duration))
    elif key == Qt.Key.Key_Escape and timeline.selection is not None:
        timeline.edit_selection(None)
    else:
        return False
    return True


def _view_key(timeline: Timeline, key: int) -> bool:
    if key in (Qt.Key.Key_Plus, Qt.Key.Key_Equal):
        timeline.zoom_in()
    elif key == Qt.Key.Key_Minus:
        timeline.zoom_out()
    elif key == Qt.Key.Key_0:
        timeline.show_all()
    elif key in (Qt.Key.Key_PageUp, Qt.Key.Key_PageDown):
        timeline.scroll(timeline.span * (-0.9 if key == Qt.Key.Key_PageUp else 0.9))
    else:
        return False
    return True


def _arrow(timeline: Timeline, step: float, *, edge: bool) -> None:
    if edge:
        _move_edge(timeline, step)
    else:
        timeline.seek(timeline.cursor + step)
    timeline.reveal(timeline.cursor)


def _move_edge(timeline: Timeline, step: float) -> None:
    """Move the edge of the selection nearest to the cursor, and the cursor with it."""
    start, end = timeline.selection or (timeline.cursor, timeline.cursor)
    to_start, to_end = abs(timeline.cursor - start), abs(timeline.cursor - end)
    hold_start = to_start < to_end or (to_start == to_end and step < 0)
    moving, other = (start, end) if hold_start else (end, start)
    moved = min(max(0.0, moving + step), timeline.duration)
    if moved != other:
        timeline.edit_selection((moved, other))
    timeline.seek(moved)
