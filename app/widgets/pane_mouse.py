"""What a mouse does on a time axis: seek, select, drag an edge, drag the whole selection."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from app.widgets.timeline import Timeline


class Grip(Enum):
    """The part of a selection at a place."""

    NONE = auto()
    START = auto()
    END = auto()
    WHOLE = auto()


class PaneMouse:
    """Turns a press, moves and a release, all in seconds, into changes of a timeline."""

    def __init__(self, timeline: Timeline) -> None:
        self._timeline = timeline
        self._pressed_at: float | None = None
        self._grip = Grip.NONE
        self._offset = 0.0
        self._dragged = False

    @property
    def dragging(self) -> bool:
        return self._pressed_at is not None and self._dragged

    @property
    def pressed(self) -> bool:
        return self._pressed_at is not None

    def grip_at(self, seconds: float, tolerance: float) -> Grip:
        """What would be taken hold of at `seconds`, edges reaching `tolerance` seconds to both sides."""
        selection = self._timeline.selection
        if selection is None:
            return Grip.NONE
        start, end = selection
        to_start, to_end = abs(seconds - start), abs(seconds - end)
        if min(to_start, to_end) <= tolerance:
            return Grip.START if to_start < to_end else Grip.END
        movable = end - start < self._timeline.duration
        return Grip.WHOLE if movable and start < seconds < end else Grip.NONE

    def press(self, seconds: float, tolerance: float, *, extend: bool = False) -> None:
        """The button goes down. `extend` moves the nearer edge of the selection here, as Shift does."""
        self._pressed_at, self._dragged = seconds, False
        selection = self._timeline.selection
        if extend:
            self._extend(seconds)
            return
        self._grip = self.grip_at(seconds, tolerance)
        if selection is not None and self._grip is not Grip.NONE:
            self._offset = seconds - (selection[1] if self._grip is Grip.END else selection[0])

    def move(self, seconds: float, threshold: float) -> None:
        """The pointer is at `seconds`; below `threshold` seconds from the press it is still a click."""
        if self._pressed_at is None:
            return
        if not self._dragged and abs(seconds - self._pressed_at) < threshold:
            return
        self._dragged = True
        selection = self._timeline.selection
        if self._grip is Grip.NONE or selection is None:
            self._timeline.set_selection((self._pressed_at, seconds))
        elif self._grip is Grip.WHOLE:
            self._timeline.move_selection(seconds - self._offset)
        else:
            self._move_edge(selection, seconds - self._offset)

    def release(self) -> None:
        """The button goes up: a click seeks, a drag has edited the selection."""
        if self._pressed_at is None:
            return
        if self._dragged:
            self._timeline.selection_edited.emit()
        elif self._grip in (Grip.NONE, Grip.WHOLE):
            self._timeline.seek(self._pressed_at)
        self._pressed_at, self._grip, self._dragged = None, Grip.NONE, False

    def _extend(self, seconds: float) -> None:
        start, end = self._timeline.selection or (self._timeline.cursor, self._timeline.cursor)
        self._dragged = True
        if abs(seconds - start) < abs(seconds - end):
            self._timeline.set_selection((seconds, end))
            self._grip = Grip.START
        else:
            self._timeline.set_selection((start, seconds))
            self._grip = Grip.END if seconds >= start else Grip.START
        self._offset = 0.0

    def _move_edge(self, selection: tuple[float, float], seconds: float) -> None:
        """Move the held edge; past the other one, the two change places. A selection never vanishes."""
        start, end = selection
        other = end if self._grip is Grip.START else start
        if seconds == other:
            return
        self._timeline.set_selection((seconds, other))
        self._grip = Grip.START if seconds < other else Grip.END
