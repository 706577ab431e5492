from __future__ import annotations

import pytest

from app.library.presenter import LibraryPresenter
from app.paths import paths
from app.store import Library
from app.work import Lane
from tests.app.helpers import MessageRecorder, made_voice


class Room:
    """A library with its presenter, a real file lane and a recorder for what is said."""

    def __init__(self, qtbot, player=None):
        self.qtbot = qtbot
        self.library = Library(paths())
        self.lane = Lane("files")
        self.messages = MessageRecorder()
        self.presenter = LibraryPresenter(self.library, self.lane, self.messages, player)

    def add(self, *names, **fields):
        return [self.library.save(made_voice(number, **fields), name, "light") for number, name in enumerate(names)]

    def settle(self):
        """Wait until the lane has done all it was given."""
        self.qtbot.waitUntil(lambda: not self.lane.busy)

    def start(self):
        self.presenter.start()
        self.settle()

    def names(self):
        return [record.name for record in self.presenter.records]

    def close(self):
        self.lane.close()
        self.library.close()


@pytest.fixture
def room(qtbot):
    room = Room(qtbot)
    yield room
    room.close()
