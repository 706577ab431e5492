"""Leak trackers for Qt. Importing this imports no Qt; the trackers use it once somebody else has."""

from __future__ import annotations

import sys
import time
import weakref
from typing import Any

from tests.leaks import Tracker, place_of_caller, wrap

QT_CORE = "PySide6.QtCore"
END_MILLISECONDS = 2000


def _valid(thing: Any) -> bool:
    """Whether the C++ object behind `thing` still exists."""
    import shiboken6

    return bool(shiboken6.isValid(thing))


class _QtObjects(Tracker):
    """Objects of one Qt class, remembered weakly from their `start` on."""

    module = QT_CORE
    class_name = ""

    def __init__(self) -> None:
        super().__init__()
        self._places: dict[int, tuple[weakref.ref[Any], str]] = {}

    def watch(self) -> None:
        owner = getattr(sys.modules[QT_CORE], self.class_name)
        wrap(owner, "start", lambda thing, *_args, **_kwargs: self._started(thing))

    def _started(self, thing: Any) -> None:
        key = id(thing)
        self._places[key] = (weakref.ref(thing, lambda _gone: self._places.pop(key, None)), place_of_caller())

    def running(self) -> list[Any]:
        things = [reference() for reference, _place in list(self._places.values())]
        return [thing for thing in things if thing is not None and _valid(thing) and self.is_running(thing)]

    def is_running(self, thing: Any) -> bool:
        raise NotImplementedError

    def describe(self, thing: Any) -> str:
        name = f" {thing.objectName()!r}" if thing.objectName() else ""
        return f"running {type(thing).__name__}{name}, started at {self._places[id(thing)][1]}"


class QtThreads(_QtObjects):
    """QThreads: one that is destroyed while running takes the whole process down."""

    class_name = "QThread"

    def is_running(self, thing: Any) -> bool:
        return bool(thing.isRunning())

    def end(self, thing: Any) -> None:
        thing.requestInterruption()
        thing.quit()
        thing.wait(END_MILLISECONDS)


class QtTimers(_QtObjects):
    """QTimers that still tick."""

    class_name = "QTimer"

    def is_running(self, thing: Any) -> bool:
        return bool(thing.isActive())

    def end(self, thing: Any) -> None:
        thing.stop()


class QtAnimations(_QtObjects):
    """Animations that still run: timers under another name."""

    class_name = "QAbstractAnimation"

    def is_running(self, thing: Any) -> bool:
        return bool(thing.state() == type(thing).State.Running)

    def end(self, thing: Any) -> None:
        thing.stop()


class _Shot:
    """One `QTimer.singleShot` yet to come: when it is due, on whose behalf, where it was asked for."""

    def __init__(self, milliseconds: float, owner: Any, place: str) -> None:
        self.due = time.monotonic() + milliseconds / 1000
        self.has_owner = owner is not None
        self.owner = weakref.ref(owner) if owner is not None else lambda: None
        self.place = place

    def pending(self) -> bool:
        owner = self.owner()
        return time.monotonic() < self.due and (not self.has_owner or (owner is not None and _valid(owner)))


class QtSingleShots(Tracker):
    """Calls put off with `QTimer.singleShot` beyond the test; those of a deleted object never come."""

    module = QT_CORE

    def __init__(self) -> None:
        super().__init__()
        self._shots: list[_Shot] = []

    def watch(self) -> None:
        timer = sys.modules[QT_CORE].QTimer
        original = timer.singleShot

        def single_shot(milliseconds: Any, *args: Any, **kwargs: Any) -> None:
            original(milliseconds, *args, **kwargs)
            self._shots.append(_Shot(float(milliseconds), _owner((*args, *kwargs.values())), place_of_caller()))

        timer.singleShot = staticmethod(single_shot)

    def running(self) -> list[Any]:
        self._shots = [shot for shot in self._shots if shot.pending()]
        return list(self._shots)

    def describe(self, thing: _Shot) -> str:
        return f"pending QTimer.singleShot, asked for at {thing.place}"

    def end(self, thing: _Shot) -> None:
        self._shots.remove(thing)


def _owner(arguments: tuple[Any, ...]) -> Any:
    """The QObject whose end takes the shot with it: the context given, or a bound method's own."""
    base = sys.modules[QT_CORE].QObject
    candidates = [*arguments, *(getattr(argument, "__self__", None) for argument in arguments)]
    return next((candidate for candidate in candidates if isinstance(candidate, base)), None)


class QtPool(Tracker):
    """Jobs of Qt's global thread pool, which only says how many there are."""

    module = QT_CORE

    def __init__(self) -> None:
        super().__init__()
        self._jobs_before = 0

    def watch(self) -> None:
        """Nothing to wrap."""

    def running(self) -> list[Any]:
        pool = sys.modules[QT_CORE].QThreadPool.globalInstance()
        return ["a job in QThreadPool.globalInstance()"] * pool.activeThreadCount()

    def begin(self) -> None:
        self._jobs_before = len(self.running()) if self._watching else 0

    def left(self) -> list[Any]:
        return self.running()[self._jobs_before :] if self._watching else []

    def describe(self, thing: Any) -> str:
        return str(thing)


def settle() -> None:
    """Let Qt carry out what is due: posted events and deferred deletions."""
    core = sys.modules.get(QT_CORE)
    if core is not None and core.QCoreApplication.instance() is not None:
        core.QCoreApplication.sendPostedEvents(None, core.QEvent.Type.DeferredDelete.value)
        core.QCoreApplication.processEvents()


def trackers() -> list[Tracker]:
    """One of each."""
    return [QtThreads(), QtTimers(), QtAnimations(), QtSingleShots(), QtPool()]
