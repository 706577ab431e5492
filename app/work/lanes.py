"""Lanes: one worker thread each, jobs one after another; order without locks for what belongs to a lane."""

from __future__ import annotations

import atexit
import logging
import os
import threading
import time
from functools import partial
from queue import SimpleQueue
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QThread, Signal

from app.work.job import Job

if TYPE_CHECKING:
    from app.work.task import Task, Work

_log = logging.getLogger(__name__)

_DELIVERY_SECONDS = 0.008  # of one turn of the event loop, so that a flood of items never freezes the window
_STACK_BYTES = 16 << 20  # macOS gives secondary threads half a megabyte, too little for torch
_EXIT_SECONDS = 5.0

_alive: set[_Worker] = set()  # outliving their lane: a QThread destroyed while running aborts the process


class _Worker(QThread):
    """The thread of a lane: takes tasks from the queue until it meets None."""

    mail = Signal()

    def __init__(self, name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setStackSize(_STACK_BYTES)
        self.tasks: SimpleQueue[Task | None] = SimpleQueue()
        self.known: list[Task] = []  # queued or running, in order; kept by the owner's thread
        self._rung = False

    def run(self) -> None:
        threading.current_thread().name = self.objectName()
        while (task := self.tasks.get()) is not None:
            if task.claim():
                task.perform()
            del task  # it may hold the last reference to things of the window's thread

    def ring(self) -> None:
        """Wake the owner's thread; many rings before it looks are one."""
        if not self._rung:
            self._rung = True
            try:
                self.mail.emit()
            except RuntimeError:  # the application is gone, and with it whoever would have listened
                _log.debug("nobody left to tell in %s", self)

    def answer(self) -> None:
        self._rung = False

    def dismiss(self) -> None:
        """Cancel everything and let the thread run out; returns at once."""
        for task in self.known:
            task.cancel.cancel()
        self.tasks.put(None)


class Lane(QObject):
    """Jobs in the order they were submitted, one at a time, in one thread.

    Signals:
        busy_changed(bool): whether any job is queued or running.
        job_started(Job), job_ended(Job): the latter after the job's own `ended`.

    `close()` before letting go of a lane; one that is dropped without it cancels its jobs, and the process
    lives on.
    """

    busy_changed = Signal(bool)
    job_started = Signal(object)
    job_ended = Signal(object)

    def __init__(self, name: str, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.setObjectName(name)
        self._jobs: list[Job] = []
        self._busy = False
        self._closed = False
        self._worker = _Worker(name)
        self._worker.mail.connect(self._collect, Qt.ConnectionType.QueuedConnection)
        self.destroyed.connect(partial(_let_go, self._worker))

    @property
    def busy(self) -> bool:
        return self._busy

    @property
    def jobs(self) -> tuple[Job, ...]:
        """Queued and running, in order."""
        return tuple(self._jobs)

    def submit(self, work: Work, label: str) -> Job:
        """Queue `work(context)`; connect to the job's signals before returning to the event loop.

        `work` runs in the worker thread. If it returns an iterator (it is a generator function, say), each
        value is emitted as `produced` and the generator's return value is the result. A job given to a closed
        lane is cancelled.
        """
        if QThread.currentThread() is not self.thread():
            raise RuntimeError(f"lane {self.objectName()!r}: submit() belongs to the thread that made it")
        job = Job(work, label, self._worker.ring)
        self._jobs.append(job)
        self._worker.known.append(job.task)
        if self._closed:
            job.cancel()
        else:
            self._start_worker()
            self._worker.tasks.put(job.task)
        self._set_busy()
        return job

    def cancel_all(self) -> None:
        """Cancel what is queued and what runs; returns at once."""
        for job in self.jobs:
            job.cancel()

    def close(self, timeout_seconds: float = _EXIT_SECONDS) -> bool:
        """Cancel everything, wait for the running job, deliver the last signals. Safe at any moment.

        Returns False if the running job did not end in time; its thread is then kept apart until it does.
        """
        self._closed = True
        self._worker.dismiss()
        ended = self._worker.wait(int(timeout_seconds * 1000)) or not self._worker.isRunning()
        if ended:
            _alive.discard(self._worker)
        else:
            _log.warning("lane %s: the running job did not end in %.1f s", self.objectName(), timeout_seconds)
        self._deliver(float("inf"))
        return ended

    def _start_worker(self) -> None:
        if not self._worker.isRunning():
            _forget_finished()
            _alive.add(self._worker)
            self._worker.start()

    def _collect(self) -> None:
        if not self._deliver(time.perf_counter() + _DELIVERY_SECONDS):
            self._worker.ring()

    def _deliver(self, until: float) -> bool:
        self._worker.answer()
        all_read = True
        for job in self.jobs:
            if job.take_start():
                self.job_started.emit(job)
            all_read = job.deliver(until) and all_read
            if job.is_over and job in self._jobs:
                self._forget(job)
        return all_read

    def _forget(self, job: Job) -> None:
        self._jobs.remove(job)
        self._worker.known.remove(job.task)
        self.job_ended.emit(job)
        self._set_busy()

    def _set_busy(self) -> None:
        if self._busy != bool(self._jobs):
            self._busy = not self._busy
            self.busy_changed.emit(self._busy)


def _let_go(worker: _Worker, _: object = None) -> None:
    worker.dismiss()


def _forget_finished() -> None:
    for worker in [worker for worker in _alive if worker.isFinished()]:
        _alive.discard(worker)


@atexit.register  # after PySide's own, so it runs before Qt takes its objects down
def _wait_at_exit() -> None:
    for worker in list(_alive):
        worker.dismiss()
    deadline = time.monotonic() + _EXIT_SECONDS
    for worker in list(_alive):
        if not worker.wait(max(0, int((deadline - time.monotonic()) * 1000))):
            # Taking the thread down under the stuck call would end in an abort and a core file.
            _log.critical("lane %s is stuck; the program ends without it", worker.objectName())
            logging.shutdown()
            os._exit(1)
    _alive.clear()
