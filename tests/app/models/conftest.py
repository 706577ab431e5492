"""The Models room with a hub on this machine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from app.models.page import ModelsPage
from app.paths import paths
from app.studio import Studio
from app.theme import apply_theme
from app.work import GarbageCollector
from tests.engine.hub.conftest import hub as hub

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


class ModelsRoom:
    def __init__(self, studio: Studio, page: ModelsPage, qtbot: QtBot) -> None:
        self.studio, self.page, self.qtbot = studio, page, qtbot

    def wait(self, condition: object, timeout: int = 60_000) -> None:
        self.qtbot.waitUntil(condition, timeout=timeout)  # type: ignore[arg-type]

    def kind(self, name: str) -> str:
        return self.studio.fetching._states[name].kind

    @property
    def said(self) -> list[str]:
        return [message.text for message in self.studio.messages.history]


@pytest.fixture
def room(qapp, qtbot: QtBot, own_home) -> Iterator[ModelsRoom]:
    apply_theme(qapp, "dark")
    collector = GarbageCollector()
    collector.start()
    studio = Studio(paths())
    page = ModelsPage(studio)
    page.resize(1080, 770)
    page.show()
    studio.shelf.refresh()
    page.enter()
    qtbot.waitUntil(lambda: studio.fetching.outlook is not None and len(studio.shelf.entries) == 2, timeout=60_000)
    yield ModelsRoom(studio, page, qtbot)
    studio.close()
    page.deleteLater()
    studio.deleteLater()
    collector.stop()
