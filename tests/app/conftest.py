"""What every test of the window needs."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def garbage_stays_in_this_thread() -> Iterator[None]:
    """As `app.work.garbage` has it: a lane that collects a widget of the test before takes the process down."""
    gc.disable()
    yield
    gc.collect()
    gc.enable()
