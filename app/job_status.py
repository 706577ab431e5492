"""Running jobs in the status line: what is done, how far, and a cross to cancel."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer

if TYPE_CHECKING:
    import engine
    from app.widgets.status_line import StatusLine
    from app.work.job import Job
    from app.work.lanes import Lane

_SHOWN_AFTER_MS = 300  # a job that is over before is not worth a flicker


class JobStatus(QObject):
    """Shows the jobs of lanes in a status line."""

    def __init__(self, line: StatusLine, lanes: tuple[Lane, ...], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._line = line
        self._waiting: dict[str, Job] = {}
        self._shown: dict[str, Job] = {}
        self._timer = QTimer(self, singleShot=True, interval=_SHOWN_AFTER_MS)
        self._timer.timeout.connect(self._show_waiting)
        line.cancel_requested.connect(self._cancel)
        for lane in lanes:
            lane.job_started.connect(self._started)
            lane.job_ended.connect(self._ended)

    def _started(self, job: Job) -> None:
        self._waiting[_key(job)] = job
        job.progressed.connect(partial(self._progressed, job))
        if not self._timer.isActive():
            self._timer.start()

    def _ended(self, job: Job) -> None:
        self._waiting.pop(_key(job), None)
        if self._shown.pop(_key(job), None) is not None:
            self._line.remove_job(_key(job))

    def _show_waiting(self) -> None:
        for key, job in self._waiting.items():
            self._shown[key] = job
            self._line.set_job(key, job.label)
        self._waiting.clear()

    def _progressed(self, job: Job, progress: engine.Progress) -> None:
        if _key(job) in self._shown:
            self._line.set_job(_key(job), _words(job, progress), progress.fraction)

    def _cancel(self, key: str) -> None:
        if (job := self._shown.get(key)) is not None:
            job.cancel()


def _key(job: Job) -> str:
    return str(id(job))


def _words(job: Job, progress: engine.Progress) -> str:
    """The job's name with its progress in its own unit."""
    if progress.unit == "bytes":
        done, total, unit = progress.done / 1e6, (progress.total or 0) / 1e6, "MB"
    else:
        done, total, unit = progress.done, progress.total or 0, progress.unit
    digits = 1 if unit in ("s", "MB") and total < 100 else 0
    of = f" of {total:.{digits}f}" if total else ""
    return f"{job.label} · {done:.{digits}f}{of} {unit}"
