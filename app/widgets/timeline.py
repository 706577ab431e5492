"""The time axis that several views share: what is shown, what is selected, where the cursor stands."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

MINIMUM_SPAN_SECONDS: Final = 0.02
_ZOOM_STEP: Final = 1.5


class Timeline(QObject):
    """One time axis in seconds. Views read it and change it; none keeps a truth of its own.

    Signals: `duration_changed(seconds)`; `range_changed(start, end)`; `selection_changed()`, also while dragging;
    `selection_edited()` once, when a person has let go of it; `cursor_changed(seconds)` for every move;
    `seeked(seconds)` only when a person moved the cursor, which is what a player listens to.
    """

    duration_changed = Signal(float)
    range_changed = Signal(float, float)
    selection_changed = Signal()
    selection_edited = Signal()
    cursor_changed = Signal(float)
    seeked = Signal(float)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._duration = 0.0
        self._start, self._end = 0.0, 0.0
        self._cursor = 0.0
        self._selection: tuple[float, float] | None = None

    @property
    def duration(self) -> float:
        """Length of the sound in seconds."""
        return self._duration

    @property
    def start(self) -> float:
        """Left edge of what is shown, in seconds."""
        return self._start

    @property
    def end(self) -> float:
        """Right edge of what is shown, in seconds."""
        return self._end

    @property
    def span(self) -> float:
        """Seconds shown."""
        return self._end - self._start

    @property
    def cursor(self) -> float:
        """Where the cursor stands, in seconds."""
        return self._cursor

    @property
    def selection(self) -> tuple[float, float] | None:
        """Start and end of the selection in seconds, or None."""
        return self._selection

    def set_duration(self, seconds: float) -> None:
        """A sound of `seconds`: shows all of it, forgets the selection, puts the cursor at the start."""
        self._duration = max(0.0, seconds)
        self.duration_changed.emit(self._duration)
        self.set_selection(None)
        self.set_cursor(0.0)
        self.show_all()

    # What is shown

    def show_all(self) -> None:
        """Zoom out to the whole sound."""
        self.set_range(0.0, self._duration)

    def show_selection(self) -> None:
        """Zoom to the selection with a little air at both sides; to the whole sound when there is none."""
        if self._selection is None:
            self.show_all()
            return
        start, end = self._selection
        air = 0.05 * (end - start)
        self.set_range(start - air, end + air)

    def set_range(self, start: float, end: float) -> None:
        """Show `start` to `end`, moved and cut so that it stays inside the sound."""
        span = min(max(end - start, MINIMUM_SPAN_SECONDS), self._duration)
        start = min(max(0.0, start), self._duration - span)
        if (start, start + span) != (self._start, self._end):
            self._start, self._end = start, start + span
            self.range_changed.emit(self._start, self._end)

    def zoom(self, factor: float, around: float | None = None) -> None:
        """Show `factor` times less time, keeping the moment `around` (the cursor by default) where it is."""
        if self.span <= 0:
            return
        if around is None:
            inside = self._start <= self._cursor <= self._end
            around = self._cursor if inside else (self._start + self._end) / 2
        span = min(max(self.span / factor, MINIMUM_SPAN_SECONDS), self._duration)
        start = around - (around - self._start) * span / self.span
        self.set_range(start, start + span)

    def zoom_in(self) -> None:
        self.zoom(_ZOOM_STEP)

    def zoom_out(self) -> None:
        self.zoom(1 / _ZOOM_STEP)

    def scroll(self, seconds: float) -> None:
        """Move what is shown by `seconds`."""
        self.set_range(self._start + seconds, self._end + seconds)

    def reveal(self, seconds: float) -> None:
        """Turn the page when `seconds` is outside what is shown, as a player does."""
        if self.span > 0 and not self._start <= seconds <= self._end:
            self.set_range(seconds - 0.05 * self.span, seconds + 0.95 * self.span)

    # Cursor

    def set_cursor(self, seconds: float) -> None:
        """Put the cursor at `seconds` (a player's position)."""
        seconds = min(max(0.0, seconds), self._duration)
        if seconds != self._cursor:
            self._cursor = seconds
            self.cursor_changed.emit(seconds)

    def seek(self, seconds: float) -> None:
        """A person puts the cursor at `seconds`."""
        self.set_cursor(seconds)
        self.seeked.emit(self._cursor)

    # Selection

    def set_selection(self, selection: tuple[float, float] | None) -> None:
        """Select from one moment to another, in either order; None selects nothing."""
        if selection is not None:
            low, high = sorted(min(max(0.0, seconds), self._duration) for seconds in selection)
            selection = (low, high) if high > low else None
        if selection != self._selection:
            self._selection = selection
            self.selection_changed.emit()

    def move_selection(self, start: float) -> None:
        """Move the whole selection so that it begins at `start`, kept inside the sound."""
        if self._selection is None:
            return
        length = self._selection[1] - self._selection[0]
        start = min(max(0.0, start), self._duration - length)
        self.set_selection((start, start + length))

    def edit_selection(self, selection: tuple[float, float] | None) -> None:
        """A person sets the selection in one step."""
        self.set_selection(selection)
        self.selection_edited.emit()
