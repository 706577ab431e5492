"""The waveform on the screen: what is where, to the pixel."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QImage, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from app.theme import DARK
from app.widgets.pane_paint import cursor_width
from app.widgets.waveform import WaveformView
from tests.sounds import RATE


@pytest.fixture
def view(qtbot, timeline, samples) -> WaveformView:
    made = WaveformView(timeline)
    qtbot.addWidget(made)
    made.resize(900, 200)
    made.set_samples(samples, RATE)
    return made


def grab(view) -> QImage:
    return view.grab().toImage()


def on_screen(view) -> QImage:
    """What the window shows now; nothing is painted for it."""
    return view.screen().grabWindow(view.winId()).toImage()


def columns_of(image: QImage, color: str, y: int) -> list[int]:
    return [x for x in range(image.width()) if image.pixelColor(x, y).name() == color]


@pytest.mark.parametrize("seconds", [0.0, 0.7, 1.2345, 3.9])
def test_the_cursor_is_one_sharp_pixel_at_its_moment(view, timeline, seconds) -> None:
    """In device pixels, so that it holds at every scale; `test_scales` runs it at several."""
    timeline.set_cursor(seconds)
    image, plot, scale = grab(view), view.plot_rect(), view.devicePixelRatioF()
    row = columns_of(image, DARK.cursor, round((plot.top() + 4) * scale))
    found = [x for x in row if plot.left() * scale - 1 <= x <= (plot.right() + 1) * scale]
    assert len(found) == cursor_width(scale)
    assert abs(found[0] - view.x_at(seconds) * scale) <= 1


def test_a_moving_cursor_leaves_no_trail(view, timeline, qtbot) -> None:
    """What partial repaints left on the screen equals a picture drawn anew."""
    with qtbot.waitExposed(view):
        view.show()
    timeline.set_selection((0.5, 2.5))
    for step in (*range(40), 9):  # it ends at 0.7 s: at scale 2 the offscreen screen hands over the left half
        timeline.set_cursor(step * 0.0731)
        QApplication.processEvents()
    moved = on_screen(view)
    assert columns_of(moved, DARK.cursor, moved.height() // 3)
    view.invalidate()
    QApplication.processEvents()
    assert moved == on_screen(view)


def test_a_cursor_step_repaints_two_narrow_strips(timeline, samples, qtbot) -> None:
    regions = []

    class Watched(WaveformView):
        def paintEvent(self, event) -> None:
            regions.append(event.region())
            super().paintEvent(event)

    view = Watched(timeline)
    qtbot.addWidget(view)
    view.resize(900, 200)
    view.set_samples(samples, RATE)
    with qtbot.waitExposed(view):
        view.show()
    regions.clear()
    timeline.set_cursor(2.0)
    qtbot.waitUntil(lambda: bool(regions))
    area = sum(rect.width() * rect.height() for region in regions for rect in region)
    assert area <= 2 * 4 * view.plot_rect().height()


def test_x_and_seconds_are_inverse(view, timeline) -> None:
    timeline.set_range(1.0, 2.0)
    for seconds in (1.0, 1.37, 2.0):
        assert view.seconds_at(view.x_at(seconds)) == pytest.approx(seconds)


def test_clipped_runs_are_red(view, samples) -> None:
    assert not columns_of(grab(view), DARK.bad, view.plot_rect().top() + 1)
    loud = samples.copy()
    loud[RATE : RATE + 400] = 1.0
    view.set_samples(loud, RATE)
    assert view.clipped_runs.tolist() == [[RATE, RATE + 400]]
    red = columns_of(grab(view), DARK.bad, view.plot_rect().top() + 1)
    assert red
    assert all(abs(x - view.x_at(1.0)) < 6 for x in red)


def test_the_loud_part_is_drawn_tall_and_silence_is_a_line(view, timeline) -> None:
    samples = np.zeros(4 * RATE, dtype=np.float32)
    samples[:RATE] = 0.8 * np.sin(np.arange(RATE) * 0.3)
    view.set_samples(samples, RATE)
    image, plot = grab(view), view.plot_rect()

    def inked(seconds: float) -> int:
        x = round(view.x_at(seconds))
        rows = range(plot.top() + 1, plot.bottom())
        return sum(image.pixelColor(x, y).blue() > 100 for y in rows)

    assert inked(0.5) >= 0.78 * plot.height()
    assert 1 <= inked(3.0) <= 3


def test_dragging_over_the_picture_selects(view, timeline) -> None:
    drag(view, 1.0, 2.5)
    assert timeline.selection == pytest.approx((1.0, 2.5), abs=4 / 900 * 4)


def test_dragging_an_edge_changes_the_shared_axis(view, timeline) -> None:
    timeline.set_selection((1.0, 3.0))
    drag(view, 3.0, 3.5)
    assert timeline.selection == pytest.approx((1.0, 3.5), abs=0.01)
    drag(view, 2.0, 1.5)
    assert timeline.selection == pytest.approx((0.5, 3.0), abs=0.02)


def test_a_click_seeks(view, timeline, qtbot) -> None:
    with qtbot.waitSignal(timeline.seeked):
        drag(view, 2.0, 2.0)
    assert timeline.cursor == pytest.approx(2.0, abs=0.01)


def test_outside_the_selection_lies_a_veil(view, timeline) -> None:
    samples = np.full(4 * RATE, 0.5, dtype=np.float32)
    samples[::2] = -0.5
    view.set_samples(samples, RATE)
    timeline.set_selection((1.0, 3.0))
    timeline.set_cursor(0.0)
    image = grab(view)
    y = view.plot_rect().center().y() - 20
    inside, outside = (image.pixelColor(round(view.x_at(at)), y).lightness() for at in (2.0, 0.5))
    assert outside < 0.6 * inside


def test_the_wheel_zooms_around_the_pointer_and_scrolls_sideways(view, timeline) -> None:
    wheel(view, 1.0, QPoint(0, 120))
    assert timeline.span == pytest.approx(4.0 / 1.25)
    assert view.x_at(1.0) == pytest.approx(view.plot_rect().left() + view.plot_rect().width() / 4, abs=1)
    start = timeline.start
    wheel(view, 1.0, QPoint(-120, 0))
    assert timeline.start > start


def test_the_keyboard_works_and_is_told_to_screen_readers(view, timeline, qtbot) -> None:
    qtbot.keyClick(view, Qt.Key.Key_End)
    qtbot.keyClick(view, Qt.Key.Key_Left, Qt.KeyboardModifier.ShiftModifier)
    assert timeline.selection is not None
    assert view.accessibleName() == "Waveform"
    start, end = timeline.selection
    assert f"selection from {start:.2f} to {end:.2f}" in view.accessibleDescription()


def test_a_recording_grows_column_by_column(view, timeline) -> None:
    timeline.set_duration(4.0)
    view.start_live(column_seconds=0.01)
    for _ in range(10):
        block = np.full(20, 0.6, dtype=np.float32)
        view.append_columns(-block, block, block / 2)
        grown = grab(view)
    plot, y = view.plot_rect(), view.plot_rect().center().y() - 20
    inked = [x for x in range(plot.left() + 1, plot.right()) if grown.pixelColor(x, y).blue() > 100]
    assert inked[-1] == pytest.approx(view.x_at(2.0), abs=1.5)
    view.invalidate()
    again = grab(view)
    differing = [x for x in range(plot.left(), plot.right()) if grown.pixel(x, y) != again.pixel(x, y)]
    assert len(differing) <= 2, "drawn piece by piece it looks as if drawn at once"


def test_columns_without_a_recording_are_a_mistake(view) -> None:
    with pytest.raises(RuntimeError, match="start_live"):
        view.append_columns(np.zeros(1, dtype=np.float32), np.zeros(1, dtype=np.float32))


def test_an_empty_view_says_so_and_takes_no_click(qtbot, qapp) -> None:
    from app.widgets.timeline import Timeline

    timeline = Timeline()
    made = WaveformView(timeline)
    qtbot.addWidget(made)
    made.resize(400, 120)
    blank = grab(made)
    made.set_placeholder("Record, or drop a file here")
    assert grab(made) != blank
    drag(made, 0.0, 0.0)
    assert timeline.cursor == 0.0


def drag(view, start: float, end: float) -> None:
    y = view.plot_rect().center().y() - 30
    left = Qt.MouseButton.LeftButton
    steps = [
        (QEvent.Type.MouseButtonPress, start),
        (QEvent.Type.MouseMove, (start + end) / 2),
        (QEvent.Type.MouseMove, end),
        (QEvent.Type.MouseButtonRelease, end),
    ]
    for kind, seconds in steps:
        place = QPointF(view.x_at(seconds), y)
        event = QMouseEvent(kind, place, view.mapToGlobal(place), left, left, Qt.KeyboardModifier.NoModifier)
        QApplication.sendEvent(view, event)


def wheel(view, seconds: float, delta: QPoint) -> None:
    place = QPointF(view.x_at(seconds), view.plot_rect().center().y())
    event = QWheelEvent(
        place,
        view.mapToGlobal(place),
        QPoint(),
        delta,
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, event)
