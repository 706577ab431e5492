"""A job: one piece of work in a lane, as the window sees it."""

from __future__ import annotations

import time
from enum import Enum
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Qt, QTimer, Signal

import engine
from app.work.task import JobContext, Mail, MailKind, Task, Work

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["Job", "JobContext", "JobState", "error_text"]

PROGRESS_INTERVAL_SECONDS = 1 / 30


class JobState(Enum):
    QUEUED = "queued"
    RUNNING = "running"
    FINISHED = "finished"
    FAILED = "failed"
    CANCELLED = "cancelled"


_OUTCOMES = {
    MailKind.FINISHED: JobState.FINISHED,
    MailKind.FAILED: JobState.FAILED,
    MailKind.CANCELLED: JobState.CANCELLED,
}


def error_text(error: BaseException) -> str:
    """The one line to show for a failed job: an error of ours as it is, a fault of the studio as one."""
    if isinstance(error, engine.QVoiceError):
        return str(error)
    what = " ".join(str(error).split()) or "no further word"
    return f"The studio itself failed ({type(error).__name__}: {what}). The log has the details."


class Job(QObject):
    """Made by `Lane.submit`. All signals are emitted in the window's thread, never in the worker's.

    Signals:
        progressed(engine.Progress): at most about 30 a second; the last one always comes.
        produced(object): each value a generator function yields, none dropped, in order.
        finished(object), failed(exception), cancelled(): exactly one of the three.
        ended(): always, and always last.

    A cancelled job may still finish: if the work was done before it looked at the token, its result is true.
    """

    progressed = Signal(object)
    produced = Signal(object)
    finished = Signal(object)
    failed = Signal(object)
    cancelled = Signal()
    ended = Signal()

    def __init__(self, work: Work, label: str, bell: Callable[[], None]) -> None:
        super().__init__()
        self.label = label
        self.task = Task(work, label, bell)
        self._bell = bell
        self._state = JobState.QUEUED
        self._shown: engine.Progress | None = None
        self._shown_at = -1.0
        self._later = QTimer(self)
        self._later.setSingleShot(True)
        self._later.setTimerType(Qt.TimerType.PreciseTimer)
        self._later.timeout.connect(self._show_progress)

    @property
    def state(self) -> JobState:
        """As told so far by the signals."""
        return self._state

    @property
    def is_over(self) -> bool:
        return self._state not in (JobState.QUEUED, JobState.RUNNING)

    def cancel(self) -> None:
        """Ask the work to end; returns at once, from any thread, at any time, any number of times."""
        self.task.cancel.cancel()
        self._bell()

    def take_start(self) -> bool:
        """Note that the worker has begun (the lane calls this); True once."""
        mailbox = self.task.mailbox
        if not mailbox or mailbox[0].kind is not MailKind.STARTED:
            return False
        mailbox.popleft()
        self._state = JobState.RUNNING
        return True

    def deliver(self, until: float) -> bool:
        """Emit what the worker has posted (the lane calls this); stops at `until` (`time.perf_counter`).

        Returns True when the mailbox is empty.
        """
        if self._state is JobState.QUEUED and self.task.cancel.cancelled and self.task.claim():
            self._end(Mail(MailKind.CANCELLED))
            return True
        while self.task.mailbox:
            self._open(self.task.mailbox.popleft())
            if time.perf_counter() > until:
                break
        if not self.is_over:
            self._plan_progress()
        return not self.task.mailbox

    def _open(self, mail: Mail) -> None:
        if mail.kind is MailKind.PRODUCED:
            self.produced.emit(mail.value)
        else:
            self._end(mail)

    def _end(self, mail: Mail) -> None:
        self._later.stop()
        self._show_progress()
        self.task.drop_work()
        self._state = _OUTCOMES[mail.kind]
        if mail.kind is MailKind.FINISHED:
            self.finished.emit(mail.value)
        elif mail.kind is MailKind.FAILED:
            self.failed.emit(mail.value)
        else:
            self.cancelled.emit()
        self.ended.emit()

    def _plan_progress(self) -> None:
        if self.task.progress is self._shown or self._later.isActive():
            return
        wait_seconds = self._shown_at + PROGRESS_INTERVAL_SECONDS - time.perf_counter()
        if wait_seconds <= 0:
            self._show_progress()
        else:
            self._later.start(int(wait_seconds * 1000) + 1)

    def _show_progress(self) -> None:
        progress: Any = self.task.progress
        if progress is self._shown:
            return
        self._shown = progress
        self._shown_at = time.perf_counter()
        self.progressed.emit(progress)
