"""The stall meter against stalls of known length."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QTimer

from app.work import StallMeter

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


def test_a_stall_is_measured_and_dated(qtbot: QtBot) -> None:
    meter = StallMeter()
    meter.start()
    assert meter.running
    QTimer.singleShot(100, lambda: time.sleep(0.12))
    qtbot.wait(400)
    longest_ms = meter.stop()
    assert 100 <= longest_ms < 250
    stall = max(meter.stalls, key=lambda stall: stall.milliseconds)
    assert stall.milliseconds == pytest.approx(longest_ms)
    assert 0.2 <= stall.at_seconds < 0.45
    assert not meter.running


def test_percentiles_are_of_all_ticks(qtbot: QtBot) -> None:
    meter = StallMeter()
    assert meter.percentile_ms(99) == 0.0
    meter.start()
    QTimer.singleShot(30, lambda: time.sleep(0.12))
    qtbot.waitUntil(lambda: meter.ticks > 20)
    assert meter.stop() == meter.percentile_ms(100) >= 100
    assert 0 <= meter.percentile_ms(0) <= meter.percentile_ms(50) <= meter.percentile_ms(99)


def test_a_stall_that_still_goes_on_at_the_end_counts(qtbot: QtBot) -> None:
    meter = StallMeter()
    meter.start()
    qtbot.wait(20)
    time.sleep(0.09)
    assert meter.stop() >= 80
    assert len(meter.stalls) == 1


def test_start_begins_afresh_and_stop_twice_is_the_same(qtbot: QtBot) -> None:
    meter = StallMeter()
    meter.start()
    time.sleep(0.09)
    first = meter.stop()
    assert meter.stop() == first
    meter.start()
    assert meter.longest_ms == 0.0
    assert meter.stalls == ()
    meter.stop()
