"""What every test of the window needs."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from tests.monitor import MONITOR_RATE, Monitor

PATIENCE_MS = 60_000  # nothing is judged by time, and the machine may be busy with other tests

for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals):
    wait.__kwdefaults__["timeout"] = PATIENCE_MS


@pytest.fixture(autouse=True)
def garbage_stays_in_this_thread() -> Iterator[None]:
    """As `app.work.garbage` has it: a lane that collects a widget of the test before takes the process down."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()


@pytest.fixture
def monitor(qtbot: QtBot, tmp_path: Path) -> Iterator[Monitor]:
    """What the loudspeakers play, at `MONITOR_RATE`; it listens already."""
    with Monitor(tmp_path / "monitor.f32", MONITOR_RATE) as monitor:
        qtbot.waitUntil(lambda: len(monitor.heard) > MONITOR_RATE // 10)
        yield monitor
