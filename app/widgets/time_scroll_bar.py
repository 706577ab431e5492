"""The scroll bar of a shared time axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QScrollBar, QSizePolicy

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.widgets.timeline import Timeline

_STEPS_A_SECOND: Final = 1000


class TimeScrollBar(QScrollBar):
    """Moves what `timeline` shows; keeps its place, empty, while all of the sound is in view."""

    def __init__(self, timeline: Timeline, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._timeline = timeline
        self.setAccessibleName("Position of the view")
        policy = self.sizePolicy()
        policy.setHorizontalPolicy(QSizePolicy.Policy.Expanding)
        policy.setRetainSizeWhenHidden(True)
        self.setSizePolicy(policy)
        timeline.range_changed.connect(self._follow)
        timeline.duration_changed.connect(self._follow)
        self.valueChanged.connect(self._scrolled)
        self._follow()

    def _follow(self) -> None:
        timeline = self._timeline
        blocked = self.blockSignals(True)
        span = round(timeline.span * _STEPS_A_SECOND)
        self.setRange(0, max(0, round(timeline.duration * _STEPS_A_SECOND) - span))
        self.setPageStep(max(1, span))
        self.setSingleStep(max(1, span // 10))
        self.setValue(round(timeline.start * _STEPS_A_SECOND))
        self.blockSignals(blocked)
        self.setEnabled(self.maximum() > 0)

    def _scrolled(self, value: int) -> None:
        start = value / _STEPS_A_SECOND
        self._timeline.set_range(start, start + self._timeline.span)
