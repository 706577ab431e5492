"""One piece of work as the worker thread sees it: no Qt object is touched here, so none can die under it."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

import engine

_log = logging.getLogger(__name__)


class MailKind(Enum):
    STARTED = "started"
    PRODUCED = "produced"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


@dataclass(frozen=True)
class Mail:
    """What the worker has to say, in order; `value` is the item, the result or the exception."""

    kind: MailKind
    value: Any = None


class JobContext:
    """What a piece of work is given: `cancel` to look at often, and `report` for its progress."""

    def __init__(self, cancel: engine.Cancel, report: engine.Report) -> None:
        self.cancel = cancel
        self.report = report


Work = Callable[[JobContext], Any]


class Task:
    """Work with its cancel token and its mailbox; `bell` wakes the owner's thread to read the mail."""

    def __init__(self, work: Work, label: str, bell: Callable[[], None]) -> None:
        self.label = label
        self.cancel = engine.Cancel()
        self.mailbox: deque[Mail] = deque()
        self.progress: engine.Progress | None = None
        self._work: Work | None = work
        self._bell = bell
        self._claim = threading.Lock()

    def claim(self) -> bool:
        """Take the task, to run it or to end it unrun; True for the first who asks, whatever the thread."""
        return self._claim.acquire(blocking=False)

    def drop_work(self) -> None:
        """Forget the callable and what it had captured (the owner calls this, in its own thread)."""
        self._work = None

    def perform(self) -> None:
        """Run the work in the calling thread. Never raises: every outcome goes into the mailbox."""
        if not self.cancel.cancelled:
            self._post(MailKind.STARTED)
        kind, value = self._outcome()
        self._post(kind, value)

    def _outcome(self) -> tuple[MailKind, Any]:
        try:
            return MailKind.FINISHED, self._result()
        except engine.Cancelled:
            return MailKind.CANCELLED, None
        except engine.QVoiceError as error:
            _log.info("%s: %s", self.label, error)
            _forget_frames(error)
            return MailKind.FAILED, error
        except BaseException as error:  # noqa: BLE001 - whatever it is, the person who waits must hear of it
            _log.error("%s failed unexpectedly", self.label, exc_info=error)
            _forget_frames(error)
            return MailKind.FAILED, error

    def _result(self) -> Any:
        self.cancel.check()
        assert self._work is not None
        result = self._work(JobContext(self.cancel, self._report))
        return self._exhaust(result) if isinstance(result, Iterator) else result

    def _exhaust(self, items: Iterator[Any]) -> Any:
        """Post each item as it comes; returns what a generator returns. Closes it on every way out."""
        try:
            while True:
                self.cancel.check()
                try:
                    item = next(items)
                except StopIteration as end:
                    return end.value
                self._post(MailKind.PRODUCED, item)
        finally:
            close = getattr(items, "close", None)
            if close is not None:
                close()

    def _report(self, progress: engine.Progress) -> None:
        self.progress = progress
        self._bell()

    def _post(self, kind: MailKind, value: Any = None) -> None:
        self.mailbox.append(Mail(kind, value))
        self._bell()


def _forget_frames(error: BaseException) -> None:
    """Cut the tracebacks, already logged, which would keep every tensor of the failed call alive."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        link.__traceback__ = None
        link = link.__cause__ or link.__context__
