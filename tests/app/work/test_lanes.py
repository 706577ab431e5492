"""Lanes with real threads: order, signals in the right thread, every way to end."""

from __future__ import annotations

import logging
import subprocess
import sys
import textwrap
import threading
import time
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import QObject, QThread

import engine
from app.work import Job, JobState, Lane, error_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot

    from app.work import JobContext


class Ear(QObject):
    """Notes every signal of a job, and that it came in the thread of the test."""

    def __init__(self, job: Job) -> None:
        super().__init__()
        self.heard: list[tuple[str, object]] = []
        job.progressed.connect(lambda value: self._note("progressed", value))
        job.produced.connect(lambda value: self._note("produced", value))
        job.finished.connect(lambda value: self._note("finished", value))
        job.failed.connect(lambda value: self._note("failed", value))
        job.cancelled.connect(lambda: self._note("cancelled", None))
        job.ended.connect(lambda: self._note("ended", None))

    def _note(self, what: str, value: object) -> None:
        assert QThread.currentThread() is self.thread()
        self.heard.append((what, value))

    def values(self, what: str) -> list[object]:
        return [value for name, value in self.heard if name == what]

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.heard]


@pytest.fixture
def lane(qtbot: QtBot) -> Iterator[Lane]:
    lane = Lane("test lane")
    yield lane
    assert lane.close(5.0)


def wait_ended(qtbot: QtBot, *jobs: Job) -> None:
    qtbot.waitUntil(lambda: all(job.is_over for job in jobs), timeout=5000)


def progress(done: float) -> engine.Progress:
    return engine.Progress("counting", done, 1000.0, "steps")


def test_result_comes_from_another_thread(qtbot: QtBot, lane: Lane) -> None:
    job = lane.submit(lambda _: threading.get_ident(), "identify")
    ear = Ear(job)
    assert job.state is JobState.QUEUED
    wait_ended(qtbot, job)
    assert ear.names == ["finished", "ended"]
    assert ear.values("finished")[0] not in (None, threading.get_ident())
    assert job.state is JobState.FINISHED


def test_jobs_run_one_at_a_time_in_order(qtbot: QtBot, lane: Lane) -> None:
    log: list[str] = []

    def work(name: str) -> Callable[[JobContext], None]:
        def run(_: JobContext) -> None:
            log.append(f"{name} begins")
            time.sleep(0.01)
            log.append(f"{name} ends")

        return run

    jobs = [lane.submit(work(str(i)), str(i)) for i in range(5)]
    wait_ended(qtbot, *jobs)
    assert log == [f"{i} {what}" for i in range(5) for what in ("begins", "ends")]


def test_generator_items_arrive_in_order_and_none_is_lost(qtbot: QtBot, lane: Lane) -> None:
    def work(_: JobContext) -> Iterator[int]:
        yield from range(3000)
        return "sum"

    job = lane.submit(work, "count")
    ear = Ear(job)
    wait_ended(qtbot, job)
    assert ear.values("produced") == list(range(3000))
    assert ear.heard[-2:] == [("finished", "sum"), ("ended", None)]


def test_items_arrive_while_the_work_goes_on(qtbot: QtBot, lane: Lane) -> None:
    gate = threading.Event()

    def work(_: JobContext) -> Iterator[str]:
        yield "first"
        assert gate.wait(5)
        yield "second"

    job = lane.submit(work, "two")
    ear = Ear(job)
    qtbot.waitUntil(lambda: ear.values("produced") == ["first"])
    assert job.state is JobState.RUNNING
    gate.set()
    wait_ended(qtbot, job)
    assert ear.values("produced") == ["first", "second"]


def test_flood_of_progress_is_throttled_and_the_last_is_told(qtbot: QtBot, lane: Lane) -> None:
    def work(context: JobContext) -> None:
        until = time.perf_counter() + 0.5
        done = 0
        while time.perf_counter() < until:
            done += 1
            context.report(progress(done))
            if done % 100 == 0:
                time.sleep(0.0005)
        context.report(progress(-1))

    job = lane.submit(work, "flood")
    ear = Ear(job)
    began = time.perf_counter()
    wait_ended(qtbot, job)
    told = ear.values("progressed")
    assert 3 <= len(told) <= 30 * (time.perf_counter() - began) + 3
    assert told[-1] == progress(-1)


def test_last_progress_is_told_while_the_work_pauses(qtbot: QtBot, lane: Lane) -> None:
    gate = threading.Event()

    def work(context: JobContext) -> None:
        for done in range(4):
            context.report(progress(done))
        gate.wait(5)

    job = lane.submit(work, "pause")
    ear = Ear(job)
    qtbot.waitUntil(lambda: ear.values("progressed")[-1:] == [progress(3)])
    assert not job.is_over
    gate.set()
    wait_ended(qtbot, job)


def test_our_errors_are_delivered_as_they_are(qtbot: QtBot, lane: Lane) -> None:
    def work(_: JobContext) -> None:
        raise engine.ClipError("hum.wav holds no sound. Choose another file.")

    job = lane.submit(work, "read")
    ear = Ear(job)
    wait_ended(qtbot, job)
    assert ear.names == ["failed", "ended"]
    (error,) = ear.values("failed")
    assert isinstance(error, engine.ClipError)
    assert error_text(error) == "hum.wav holds no sound. Choose another file."
    assert job.state is JobState.FAILED


def test_unexpected_errors_are_logged_with_traceback(
    qtbot: QtBot, lane: Lane, caplog: pytest.LogCaptureFixture
) -> None:
    def work(_: JobContext) -> Iterator[int]:
        yield 1
        raise ZeroDivisionError("a\nb")

    job = lane.submit(work, "divide")
    ear = Ear(job)
    with caplog.at_level(logging.ERROR):
        wait_ended(qtbot, job)
    (error,) = ear.values("failed")
    assert error_text(error).startswith("The studio itself failed (ZeroDivisionError: a b).")
    assert error.__traceback__ is None  # else it would keep the frames, and the tensors in them
    record = next(record for record in caplog.records if "divide failed" in record.getMessage())
    assert record.exc_info is not None
    assert record.exc_info[0] is ZeroDivisionError


@pytest.mark.parametrize("error", [SystemExit(3), KeyboardInterrupt(), MemoryError(), StopIteration(5)])
def test_nothing_raised_in_a_lane_is_lost(qtbot: QtBot, lane: Lane, error: BaseException) -> None:
    def work(_: JobContext) -> None:
        raise error

    job = lane.submit(work, "raise")
    ear = Ear(job)
    wait_ended(qtbot, job)
    assert ear.values("failed") == [error]
    following = lane.submit(lambda _: "alive", "next")
    wait_ended(qtbot, following)
    assert following.state is JobState.FINISHED


def test_running_generator_is_cancelled_and_closed(qtbot: QtBot, lane: Lane) -> None:
    closed = threading.Event()

    def work(_: JobContext) -> Iterator[int]:
        try:
            while True:
                yield 0
                time.sleep(0.001)
        finally:
            closed.set()

    job = lane.submit(work, "endless")
    ear = Ear(job)
    qtbot.waitUntil(lambda: len(ear.values("produced")) > 3)
    job.cancel()
    job.cancel()
    wait_ended(qtbot, job)
    assert ear.names[-2:] == ["cancelled", "ended"]
    assert closed.is_set()


def test_queued_job_is_cancelled_at_once_and_never_runs(qtbot: QtBot, lane: Lane) -> None:
    gate = threading.Event()
    ran: list[str] = []
    first = lane.submit(lambda _: gate.wait(5), "first")
    second = lane.submit(lambda _: ran.append("second"), "second")
    ear = Ear(second)
    threading.Thread(target=second.cancel).start()
    wait_ended(qtbot, second)
    assert not first.is_over
    assert ear.names == ["cancelled", "ended"]
    gate.set()
    wait_ended(qtbot, first)
    assert not ran
    assert first.state is JobState.FINISHED


def test_work_that_was_done_before_it_looked_tells_the_truth(qtbot: QtBot, lane: Lane) -> None:
    started, gate = threading.Event(), threading.Event()

    def work(_: JobContext) -> str:
        started.set()
        gate.wait(5)
        return "saved"

    job = lane.submit(work, "save")
    ear = Ear(job)
    assert started.wait(5)
    job.cancel()
    gate.set()
    wait_ended(qtbot, job)
    assert ear.values("finished") == ["saved"]


def test_lane_tells_when_it_is_busy_and_with_what(qtbot: QtBot, lane: Lane) -> None:
    told: list[object] = []
    lane.busy_changed.connect(told.append)
    lane.job_started.connect(lambda job: told.append(("started", job.label, job.state)))
    lane.job_ended.connect(lambda job: told.append(("ended", job.label, job.state)))
    jobs = [lane.submit(lambda _: None, name) for name in "ab"]
    wait_ended(qtbot, *jobs)
    running, finished = JobState.RUNNING, JobState.FINISHED
    assert told == [
        True,
        ("started", "a", running),
        ("ended", "a", finished),
        ("started", "b", running),
        ("ended", "b", finished),
        False,
    ]


def test_close_while_busy_cancels_waits_and_delivers(qtbot: QtBot) -> None:
    lane = Lane("closing")

    def work(context: JobContext) -> None:
        while True:
            context.cancel.check()
            time.sleep(0.001)

    jobs = [lane.submit(work, str(i)) for i in range(3)]
    ears = [Ear(job) for job in jobs]
    qtbot.waitUntil(lambda: jobs[0].state is JobState.RUNNING)
    assert lane.close(5.0)
    assert [ear.names for ear in ears] == [["cancelled", "ended"]] * 3
    assert not lane.busy
    late = lane.submit(work, "late")
    ear = Ear(late)
    wait_ended(qtbot, late)
    assert ear.names == ["cancelled", "ended"]
    assert lane.close(5.0)


def test_close_says_when_a_job_does_not_end_and_delivers_it_later(qtbot: QtBot) -> None:
    lane, gate = Lane("stubborn"), threading.Event()
    job = lane.submit(lambda _: gate.wait(5), "deaf")
    qtbot.waitUntil(lambda: job.state is JobState.RUNNING)
    assert not lane.close(0.05)
    gate.set()
    wait_ended(qtbot, job)
    assert job.state is JobState.FINISHED
    assert lane.close(5.0)


def test_close_from_a_signal_of_its_own_job(qtbot: QtBot) -> None:
    lane = Lane("reentrant")
    job = lane.submit(lambda _: "done", "close me")
    ear = Ear(job)
    job.finished.connect(lambda _: lane.close(5.0))
    wait_ended(qtbot, job)
    qtbot.waitUntil(lambda: ear.names == ["finished", "ended"])


def test_many_lanes_opened_and_closed_at_once(qtbot: QtBot) -> None:
    for _ in range(30):
        lane = Lane("brief")
        job = lane.submit(lambda context: context.cancel.check(), "brief")
        assert lane.close(5.0)
        assert job.is_over


def test_submitting_from_another_thread_is_refused(lane: Lane) -> None:
    refused: list[str] = []

    def attempt() -> None:
        try:
            lane.submit(lambda _: None, "no")
        except RuntimeError as error:
            refused.append(str(error))

    thread = threading.Thread(target=attempt)
    thread.start()
    thread.join()
    assert refused == ["lane 'test lane': submit() belongs to the thread that made it"]


def run_program(source: str) -> subprocess.CompletedProcess[str]:
    head = """
    import sys, time
    from PySide6.QtCore import QCoreApplication, QTimer
    from app.work import Lane
    application = QCoreApplication([])
    def endless(context):
        while True:
            context.cancel.check()
            time.sleep(0.001)
    """
    program = textwrap.dedent(head) + textwrap.dedent(source)
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)


@pytest.mark.parametrize(
    ("source", "code"),
    [
        # dropped while running, then a normal end
        ("lane = Lane('l'); lane.submit(endless, 'e'); time.sleep(0.1); del lane; print('end')", 0),
        # never closed, still running at exit
        ("lane = Lane('l'); job = lane.submit(endless, 'e'); time.sleep(0.1); print('end')", 0),
        # a parent in C++ takes the lane down
        (
            "from PySide6.QtCore import QObject\no = QObject(); lane = Lane('l', o)\n"
            "lane.submit(endless, 'e')\n"
            "time.sleep(0.1); o.deleteLater(); QTimer.singleShot(100, application.quit); application.exec()\n"
            "print('end')",
            0,
        ),
        # the event loop ends in the middle of a flood
        (
            "lane = Lane('l')\n"
            "def flood(context):\n    while True:\n        context.cancel.check()\n        yield 1\n"
            "lane.submit(flood, 'f')\n"
            "QTimer.singleShot(100, application.quit); application.exec()\nprint('end')",
            0,
        ),
        # deaf to cancel: the program ends all the same, with a word and without an abort
        ("lane = Lane('l'); lane.submit(lambda c: time.sleep(60), 'deaf'); time.sleep(0.1); print('end')", 1),
    ],
)
def test_process_never_aborts(source: str, code: int) -> None:
    result = run_program(source)
    assert "end" in result.stdout
    assert result.returncode == code, result.stderr
    assert "QThread" not in result.stderr
    if code:
        assert "lane l is stuck" in result.stderr
    else:
        assert result.stderr == ""
