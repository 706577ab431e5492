"""The theme is on, and a short sound and its mel are at hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.theme import apply_theme
from app.widgets.timeline import Timeline
from tests.sounds import RATE, voiced

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PySide6.QtWidgets import QApplication

FRAME_SECONDS = 256 / 24_000


@pytest.fixture(autouse=True)
def dark(qapp: QApplication) -> Iterator[None]:
    apply_theme(qapp, "dark")
    yield
    apply_theme(qapp, "dark")


@pytest.fixture(scope="session")
def samples() -> np.ndarray:
    """Four seconds of speech-like sound, float32."""
    return voiced(4.0)


@pytest.fixture
def timeline(qapp: QApplication, samples: np.ndarray) -> Timeline:
    made = Timeline()
    made.set_duration(len(samples) / RATE)
    return made


@pytest.fixture(scope="session")
def centres() -> np.ndarray:
    """Rising centres of 128 bands, spaced like a mel scale: even below 1 kHz, in octaves above."""
    low = np.linspace(40, 1000, 44)
    return np.concatenate([low, np.geomspace(1000, 11800, 85)[1:]]).astype(np.float32)


@pytest.fixture(scope="session")
def mel() -> np.ndarray:
    """float32 [128, 375], natural logarithm: quiet, with band 5 loud in the first half and band 90 in the second."""
    made = np.full((128, 375), -9.0, dtype=np.float32)
    made[5, :187] = 1.0
    made[90, 187:] = 1.0
    return made
