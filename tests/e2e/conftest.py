"""The real window on a screen and a sound system of its own."""

from __future__ import annotations

from collections.abc import Iterator

import pytest


@pytest.fixture
def window(qapp, own_home) -> Iterator:
    """The studio as a person starts it, with an empty library."""
    from app.main_window import MainWindow
    from app.paths import paths
    from app.settings.table import COUNTDOWN_SECONDS, THEME, TOUR
    from app.studio import Studio
    from app.theme import apply_theme
    from app.work import GarbageCollector
    from tests.e2e.person import wait_for

    collector = GarbageCollector()
    collector.start()
    studio = Studio(paths())
    studio.settings.set(THEME, "dark")
    studio.settings.set(COUNTDOWN_SECONDS, 0)
    studio.settings.set(TOUR, "over")
    apply_theme(qapp, "dark")
    shown = MainWindow(studio)
    shown.show()
    ready: list[bool] = []
    studio.engine_ready.connect(lambda: ready.append(True))
    studio.start()
    wait_for(lambda: ready and studio.shelf.entries, "the engine to be loaded")
    yield shown
    shown.close()
    collector.stop()
    shown.deleteLater()
    studio.deleteLater()
    collector.deleteLater()
    qapp.processEvents()
