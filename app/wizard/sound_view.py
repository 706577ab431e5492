"""The sound, always in view: waveform and mel on one time axis, its scroll bar and its magnifier."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QLabel, QSizePolicy, QWidget

import engine
from app.sound.recorder import COLUMNS_PER_SECOND
from app.widgets.buttons import icon_button
from app.widgets.labels import dress
from app.widgets.layouts import boxed, column, row
from app.widgets.time_scroll_bar import TimeScrollBar
from app.widgets.waveform import WaveformView
from app.wizard.prepared_mel import PreparedMelView

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from PySide6.QtGui import QResizeEvent

    from app.widgets.color_maps import MapName
    from app.widgets.timeline import Timeline
    from app.wizard.loading import LoadedSound

_NO_SOUND = "The waveform appears here"
_NO_MEL = "The mel spectrogram appears here: what the speaker encoder sees"
_MEL_LATER = "The mel spectrogram follows when the recording ends"
_COUNT_SIZE = 96


class SoundView(QWidget):
    """Shows a loaded sound, or one that is being recorded."""

    def __init__(self, timeline: Timeline, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.wave = WaveformView(timeline)
        self.mel = PreparedMelView(timeline)
        self.scroll_bar = TimeScrollBar(timeline)
        self.zoom_out = icon_button("zoom-out", "Zoom out", timeline.zoom_out)
        self.zoom_in = icon_button("zoom-in", "Zoom in", timeline.zoom_in)
        self.show_all = icon_button("maximize-2", "Show the whole sound", timeline.show_all)
        zoom = row(self.scroll_bar, self.zoom_out, self.zoom_in, self.show_all, gap="xs")
        zoom.setStretch(0, 1)
        self._zoom = boxed(zoom)
        layout = column(self.wave, self.mel, self._zoom, gap="xs")
        layout.setStretch(0, 2)
        layout.setStretch(1, 3)
        self.setLayout(layout)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self._count = _Count()
        self._floating: list[QWidget] = []
        self.let_float(self._count)
        self.set_compact(False)
        self.show_sound(None)

    def set_compact(self, compact: bool) -> None:
        """Take less height, where something else needs it; wheel and keys still zoom."""
        self.wave.setMinimumHeight(52 if compact else 72)
        self.mel.setMinimumHeight(84 if compact else 112)
        self._compact = compact
        self._zoom.setVisible(self.wave.has_content() and not compact)

    def set_color_map(self, name: str) -> None:
        """Draw the mel in "magma" or "viridis"."""
        self.mel.set_color_map(cast("MapName", name))

    def show_sound(self, sound: LoadedSound | None) -> None:
        """Show a sound, or an empty place. The timeline is set by whoever holds the sound."""
        for pane in (self.wave, self.mel, self.zoom_in, self.zoom_out, self.show_all):
            pane.setEnabled(sound is not None)
        self._zoom.setVisible(sound is not None and not self._compact)
        self.wave.set_placeholder(_NO_SOUND)
        self.mel.set_placeholder(_NO_MEL)
        if sound is None:
            self.wave.clear()
            self.mel.clear()
        else:
            self.wave.set_envelope(sound.envelope, engine.SAMPLE_RATE)
            self.mel.set_prepared(sound.mel)

    def show_findings(self, findings: tuple[engine.Finding, ...], offset_seconds: float) -> None:
        """Mark where the faults are; their spans count from `offset_seconds`."""
        faults = (finding for finding in findings if finding.verdict in ("warn", "bad") and finding.key != "clipping")
        spans = (span for finding in faults for span in finding.spans)
        self.wave.set_warned(tuple((offset_seconds + start, offset_seconds + end) for start, end in spans))

    def start_live(self) -> None:
        """A recording begins; its columns come by `append`, the timeline has room for them."""
        self.show_sound(None)
        self.mel.set_placeholder(_MEL_LATER)
        self.wave.start_live(1 / COLUMNS_PER_SECOND)

    def append(self, columns: NDArray[np.float32]) -> None:
        """New columns of the recording, float32 [columns, 2], lowest and highest."""
        self.wave.append_columns(columns[:, 0], columns[:, 1])

    def show_count(self, count: int) -> None:
        """A large number over the waveform; 0 takes it away."""
        self._count.setText(str(count))
        self._count.setVisible(count > 0)

    def let_float(self, widget: QWidget) -> None:
        """Have `widget` lie over the waveform while it is shown, so that nothing below has to move and be redrawn."""
        widget.setParent(self)
        widget.hide()
        widget.installEventFilter(self)
        self._floating.append(widget)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        for widget in self._floating:
            self._place(widget)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Show and watched in self._floating:
            self._place(watched)
        return False

    def _place(self, widget: QWidget) -> None:
        widget.resize(widget.sizeHint().boundedTo(self.size()))
        place = widget.rect()
        place.moveCenter(self.wave.geometry().center())
        widget.move(place.topLeft())
        widget.raise_()


class _Count(QLabel):
    """One figure on a card."""

    def __init__(self) -> None:
        super().__init__()
        dress(self, "display")
        self.setProperty("card", "raised")
        self.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.setFixedSize(_COUNT_SIZE, _COUNT_SIZE * 3 // 4)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
