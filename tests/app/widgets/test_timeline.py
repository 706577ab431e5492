"""The shared axis, its mouse and its keys."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent

from app.widgets.pane_keys import handle_key
from app.widgets.pane_mouse import Grip, PaneMouse
from app.widgets.time_scale import axis_text, clock_text, tick_step, ticks
from app.widgets.time_scroll_bar import TimeScrollBar
from app.widgets.timeline import MINIMUM_SPAN_SECONDS, Timeline

SHIFT, CONTROL = Qt.KeyboardModifier.ShiftModifier, Qt.KeyboardModifier.ControlModifier
NONE = Qt.KeyboardModifier.NoModifier


def press(timeline: Timeline, key: Qt.Key, modifiers=NONE) -> bool:
    return handle_key(timeline, QKeyEvent(QKeyEvent.Type.KeyPress, key, modifiers), 0.01)


def test_a_new_sound_shows_all_of_itself(timeline) -> None:
    timeline.set_selection((1, 2))
    timeline.zoom(4, 1.5)
    timeline.set_duration(10.0)
    assert (timeline.start, timeline.end) == (0, 10)
    assert timeline.selection is None
    assert timeline.cursor == 0


@given(st.floats(0.01, 100), st.lists(st.tuples(st.floats(0.1, 10), st.floats(-5, 105)), max_size=8))
def test_the_view_never_leaves_the_sound(duration, steps) -> None:
    timeline = Timeline()
    timeline.set_duration(duration)
    for factor, around in steps:
        timeline.zoom(factor, around)
        assert timeline.start >= -1e-9
        assert timeline.end <= duration + 1e-9
        assert timeline.span >= min(duration, MINIMUM_SPAN_SECONDS) - 1e-9


def test_zoom_keeps_the_moment_in_its_place(timeline) -> None:
    timeline.zoom(2, 1.0)
    before = (1.5 - timeline.start) / timeline.span
    timeline.zoom(1.7, 1.5)
    assert (1.5 - timeline.start) / timeline.span == pytest.approx(before)


def test_seek_is_told_apart_from_a_moving_player(timeline, qtbot) -> None:
    with qtbot.assertNotEmitted(timeline.seeked):
        timeline.set_cursor(1.0)
    with qtbot.waitSignal(timeline.seeked) as told:
        timeline.seek(2.0)
    assert told.args == [2.0]


def test_reveal_turns_the_page_only_when_needed(timeline) -> None:
    timeline.set_range(0, 1)
    timeline.reveal(0.9)
    assert timeline.start == 0
    timeline.reveal(1.5)
    assert timeline.start < 1.5 < timeline.end


def test_click_seeks_and_drag_selects(timeline, qtbot) -> None:
    mouse = PaneMouse(timeline)
    mouse.press(1.0, 0.05)
    mouse.release()
    assert timeline.cursor == 1.0
    assert timeline.selection is None
    mouse.press(1.0, 0.05)
    mouse.move(2.5, 0.03)
    with qtbot.waitSignal(timeline.selection_edited):
        mouse.release()
    assert timeline.selection == (1.0, 2.5)


def test_edges_are_dragged_and_may_cross(timeline) -> None:
    timeline.set_selection((1.0, 2.0))
    mouse = PaneMouse(timeline)
    assert mouse.grip_at(1.04, 0.05) is Grip.START
    mouse.press(1.04, 0.05)
    mouse.move(0.54, 0.03)
    assert timeline.selection == pytest.approx((0.5, 2.0))
    mouse.move(3.04, 0.03)
    assert timeline.selection == pytest.approx((2.0, 3.0))
    mouse.release()


def test_the_whole_selection_is_dragged_and_stays_inside(timeline) -> None:
    timeline.set_selection((1.0, 2.0))
    mouse = PaneMouse(timeline)
    mouse.press(1.5, 0.05)
    mouse.move(2.5, 0.03)
    assert timeline.selection == pytest.approx((2.0, 3.0))
    mouse.move(99.0, 0.03)
    assert timeline.selection == pytest.approx((3.0, 4.0))
    mouse.release()


def test_shift_click_moves_the_nearer_edge(timeline) -> None:
    timeline.set_selection((1.0, 2.0))
    mouse = PaneMouse(timeline)
    mouse.press(2.8, 0.05, extend=True)
    mouse.release()
    assert timeline.selection == (1.0, 2.8)


def test_inside_a_selection_of_everything_a_drag_selects_anew(timeline) -> None:
    timeline.set_selection((0.0, 4.0))
    mouse = PaneMouse(timeline)
    mouse.press(1.0, 0.01)
    mouse.move(2.0, 0.03)
    mouse.release()
    assert timeline.selection == (1.0, 2.0)


def test_arrows_move_the_cursor(timeline) -> None:
    assert press(timeline, Qt.Key.Key_Right)
    assert timeline.cursor == pytest.approx(0.05)
    press(timeline, Qt.Key.Key_Right, CONTROL)
    assert timeline.cursor == pytest.approx(0.55)
    press(timeline, Qt.Key.Key_End)
    assert timeline.cursor == 4.0


def test_shift_arrows_move_the_edge_nearest_to_the_cursor(timeline) -> None:
    timeline.set_selection((1.0, 3.0))
    timeline.set_cursor(2.9)
    press(timeline, Qt.Key.Key_Left, SHIFT)
    assert timeline.selection == pytest.approx((1.0, 2.95))
    timeline.set_cursor(1.1)
    press(timeline, Qt.Key.Key_Left, SHIFT)
    assert timeline.selection == pytest.approx((0.95, 2.95))


def test_shift_arrow_without_a_selection_begins_one(timeline) -> None:
    timeline.set_cursor(1.0)
    press(timeline, Qt.Key.Key_Right, SHIFT)
    press(timeline, Qt.Key.Key_Right, SHIFT)
    assert timeline.selection == pytest.approx((1.0, 1.1))


def test_brackets_set_the_edges_and_escape_clears(timeline) -> None:
    timeline.set_cursor(1.0)
    press(timeline, Qt.Key.Key_BracketLeft)
    timeline.set_cursor(3.0)
    press(timeline, Qt.Key.Key_BracketRight)
    assert timeline.selection == (1.0, 3.0)
    assert press(timeline, Qt.Key.Key_Escape)
    assert timeline.selection is None
    assert not press(timeline, Qt.Key.Key_Escape), "the page may use Escape when nothing is selected"
    assert not press(timeline, Qt.Key.Key_Space), "Space belongs to the player"


def test_the_scroll_bar_and_the_axis_move_one_another(timeline, qtbot) -> None:
    bar = TimeScrollBar(timeline)
    qtbot.addWidget(bar)
    assert not bar.isEnabled()
    timeline.set_range(1.0, 2.0)
    assert bar.value() == 1000
    assert bar.maximum() == 3000
    bar.setValue(2500)
    assert (timeline.start, timeline.end) == pytest.approx((2.5, 3.5))


def test_scale_words() -> None:
    assert clock_text(18.39) == "00:18.3"
    assert clock_text(61.0) == "01:01.0"
    assert axis_text(3.25, 0.05) == "3.25 s"
    assert axis_text(65, 5) == "1:05"
    assert tick_step(30, 10) == 5
    assert ticks(0.0, 1.0, 0.5) == [0.0, 0.5, 1.0]
