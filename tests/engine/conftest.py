"""Loaded models and clips that engine tests share."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

import engine
from tests.engine import goldens
from tests.sounds import voiced


@pytest.fixture(scope="session")
def model(checkpoints: Any) -> Callable[[str], engine.Model]:
    """`model("tiny-base")` and its like, each loaded once."""
    return cache(lambda name: engine.load_model(checkpoints.folder(name)))


@pytest.fixture(scope="session")
def clip() -> engine.Clip:
    """The clip of the official results."""
    return engine.clip_from_samples(voiced(goldens.CLIP_SECONDS), engine.SAMPLE_RATE)
