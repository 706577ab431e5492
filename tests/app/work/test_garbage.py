"""Cycles with Qt objects in them, made while another thread allocates."""

from __future__ import annotations

import gc
import subprocess
import sys
import textwrap
import weakref
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

from app.work import GarbageCollector

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

PROGRAM = """
    import sys, time
    from PySide6.QtCore import QCoreApplication, QObject, QThread, QTimer
    from app.work import GarbageCollector, Lane

    class Cycle(QObject):
        gone = 0

        def __init__(self):
            super().__init__()
            self.itself = self
            self.timer = QTimer(self)
            self.timer.start(1000)
            self.timer.destroyed.connect(count)

    def count():
        Cycle.gone += 1
        assert QThread.currentThread() is application.thread()

    def allocate(context):
        kept = []
        while True:
            context.cancel.check()
            kept = [[] for _ in range(5000)]

    application = QCoreApplication([])
    collector = GarbageCollector()
    collector.start()
    lane = Lane("allocating")
    lane.submit(allocate, "allocate")
    maker = QTimer()
    maker.timeout.connect(Cycle)
    maker.start(5)
    QTimer.singleShot(2000, application.quit)
    application.exec()
    maker.stop()
    lane.close()
    print(Cycle.gone > 50)
    collector.stop()
"""


def test_qt_objects_die_in_their_own_thread_while_a_lane_allocates() -> None:
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "True\n", "")


def test_cycles_are_collected_and_python_gets_its_collector_back(qtbot: QtBot) -> None:
    collector = GarbageCollector()
    collector.start()
    try:
        assert not gc.isenabled()
        thing = QObject()
        thing.setProperty("itself", [thing])
        cycle: list[object] = [thing]
        cycle.append(cycle)
        gone = weakref.ref(thing)
        del thing, cycle
        ballast = []

        def is_gone() -> bool:
            ballast.extend([] for _ in range(2000))
            return gone() is None

        qtbot.waitUntil(is_gone)
    finally:
        collector.stop()
    assert gc.isenabled()


def test_a_full_collection_happens_when_it_is_due(qtbot: QtBot) -> None:
    collector = GarbageCollector()
    collector.start()
    full_before = gc.get_stats()[2]["collections"]
    collector._full_at -= 60.0
    collector._timer.setInterval(2)
    ballast = []

    def grow() -> bool:
        ballast.extend([[]] for _ in range(2000))
        return gc.get_stats()[2]["collections"] > full_before

    try:
        qtbot.waitUntil(grow, timeout=60_000)
    finally:
        collector.stop()
        gc.unfreeze()
