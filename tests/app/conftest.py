"""What every test of the window needs."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from pytestqt.qtbot import QtBot

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
