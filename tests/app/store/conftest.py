from __future__ import annotations

import pytest

from app.paths import paths
from app.store import Library


@pytest.fixture
def places(tmp_path, monkeypatch):
    monkeypatch.setenv("QVOICE_HOME", str(tmp_path / "home"))
    return paths()


@pytest.fixture
def library(places):
    library = Library(places)
    yield library
    library.close()
