"""What a test may not leave behind: threads, Qt threads and timers, sound streams.

A tracker watches one library. It wraps that library's own start and close functions at the moment somebody
imports it (it imports nothing itself: engine tests stay free of Qt), remembers where each thing was started,
and after a test names what still runs and ends it where possible, so that one leak fails one test only.
"""

from __future__ import annotations

import functools
import gc
import importlib.abc
import importlib.util
import os
import sys
import sysconfig
import threading
import time
import weakref
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from importlib.machinery import ModuleSpec
    from types import ModuleType

GRACE_SECONDS = float(os.environ.get("QVOICE_LEAK_GRACE", "2"))
POLL_SECONDS = 0.01
STANDARD_LIBRARY = sysconfig.get_path("stdlib")
OUR_WRAPPERS = tuple(str(Path(__file__).with_name(name)) for name in ("leaks.py", "leaks_qt.py"))


def place_of_caller() -> str:
    """File, line and function of the code that led here, without Python's own and our wrappers."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_wrapper(frame.f_code.co_filename):
        frame = frame.f_back
    code = frame.f_code
    return f"{code.co_filename}:{frame.f_lineno} in {code.co_name}"


def _is_wrapper(filename: str) -> bool:
    if "site-packages" in filename:
        return filename.endswith("sounddevice.py")
    return filename in OUR_WRAPPERS or filename.startswith(STANDARD_LIBRARY)


class _AtImport(importlib.abc.MetaPathFinder):
    """Calls `then` once, right after module `name` has been executed by its own loader."""

    def __init__(self, name: str, then: Callable[[], None]) -> None:
        self._name = name
        self._then = then

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if fullname != self._name:
            return None
        sys.meta_path.remove(self)
        spec = importlib.util.find_spec(fullname)
        if spec is not None and spec.loader is not None:
            execute = spec.loader.exec_module

            def execute_and_tell(module: ModuleType) -> None:
                execute(module)
                self._then()

            spec.loader.exec_module = execute_and_tell  # type: ignore[method-assign]
        return spec


def wrap(owner: Any, name: str, then: Callable[..., None]) -> None:
    """Have `then` called with the arguments of each call of `owner.name` that succeeded."""
    original = getattr(owner, name)

    @functools.wraps(original)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        result = original(*args, **kwargs)
        then(*args, **kwargs)
        return result

    setattr(owner, name, wrapper)


class Tracker:
    """One library's running things; it watches from the moment that `module` is imported."""

    module = "threading"

    def __init__(self) -> None:
        self._watching = False
        self._known: set[int] = set()

    def install(self) -> None:
        """Watch now, or as soon as somebody imports the module."""
        if self.module in sys.modules:
            self._start_watching()
        else:
            sys.meta_path.insert(0, _AtImport(self.module, self._start_watching))

    def _start_watching(self) -> None:
        self.watch()
        self._watching = True

    def begin(self) -> None:
        """Start of a test: what runs now is not this test's doing."""
        self._known = {id(thing) for thing in self.running()} if self._watching else set()

    def left(self) -> list[Any]:
        """What was started since `begin` and still runs."""
        return [thing for thing in self.running() if id(thing) not in self._known] if self._watching else []

    def watch(self) -> None:
        """Wrap the library's functions; called once."""
        raise NotImplementedError

    def running(self) -> Iterable[Any]:
        """Everything that runs now."""
        raise NotImplementedError

    def describe(self, thing: Any) -> str:
        """One line: what it is and where it was started."""
        raise NotImplementedError

    def end(self, thing: Any) -> None:
        """Stop `thing`, as far as that is possible from outside."""


class PythonThreads(Tracker):
    """Threads of `threading`, daemons too; stand-ins for foreign threads do not count."""

    def __init__(self) -> None:
        super().__init__()
        self._places: weakref.WeakKeyDictionary[threading.Thread, str] = weakref.WeakKeyDictionary()

    def watch(self) -> None:
        wrap(threading.Thread, "start", lambda thread: self._places.__setitem__(thread, place_of_caller()))

    def running(self) -> list[threading.Thread]:
        foreign = threading._DummyThread
        return [thread for thread in threading.enumerate() if not isinstance(thread, foreign)]

    def describe(self, thing: threading.Thread) -> str:
        kind = "daemon thread" if thing.daemon else "thread"
        return f"{kind} {thing.name!r}, started at {self._places.get(thing, 'an unknown place')}"


class SoundStreams(Tracker):
    """PortAudio streams: one that is forgotten, not closed, keeps its device and calls into nothing."""

    module = "sounddevice"

    def __init__(self) -> None:
        super().__init__()
        self._open: dict[int, tuple[Any, str]] = {}

    def watch(self) -> None:
        base = sys.modules["sounddevice"]._StreamBase
        wrap(base, "__init__", lambda stream, *_args, **_kwargs: self._opened(stream))
        wrap(base, "close", lambda stream, *_args, **_kwargs: self._closed(stream))

    def _opened(self, stream: Any) -> None:
        self._open[id(stream)] = (stream, place_of_caller())

    def _closed(self, stream: Any) -> None:
        self._open.pop(id(stream), None)

    def running(self) -> list[Any]:
        return [stream for stream, _place in self._open.values()]

    def describe(self, thing: Any) -> str:
        return f"open sound stream {type(thing).__name__}, opened at {self._open[id(thing)][1]}"

    def end(self, thing: Any) -> None:
        thing.close(ignore_errors=True)


class Leaks:
    """All trackers together: `begin` before a test, `report` after it."""

    def __init__(self, trackers: Iterable[Tracker]) -> None:
        self._trackers = tuple(trackers)
        for tracker in self._trackers:
            tracker.install()

    def begin(self) -> None:
        """Take note of what runs before the test."""
        for tracker in self._trackers:
            tracker.begin()

    def report(self, settle: Callable[[], None], grace_seconds: float = GRACE_SECONDS) -> list[str]:
        """Lines on what the test left, after giving it `grace_seconds` to end; what can be ended is ended.

        `settle` lets pending work happen (Qt's deferred deletions) between two looks.
        """
        deadline = time.monotonic() + grace_seconds
        while True:
            settle()
            left = [(tracker, thing) for tracker in self._trackers for thing in tracker.left()]
            if not left or time.monotonic() > deadline:
                break
            gc.collect()  # what nobody can reach any more ends with its collection
            time.sleep(POLL_SECONDS)
        lines = [tracker.describe(thing) for tracker, thing in left]
        for tracker, thing in left:
            tracker.end(thing)
        return lines
