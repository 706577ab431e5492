"""Diagnose: what this computer is and has, a benchmark of ten seconds, and all of it to copy into a bug report."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QGridLayout, QWidget

import engine
from app.diagnose.sound import sound_words
from app.settings.table import PRECISION
from app.sound.devices import find_devices
from app.widgets.busy_strip import BusyStrip
from app.widgets.buttons import plain_button, primary_button
from app.widgets.labels import label
from app.widgets.layouts import boxed, column, row, scrolling
from app.work.job import error_text

if TYPE_CHECKING:
    from app.models.shelf import ModelEntry
    from app.studio import Studio
    from app.work.job import Job, JobContext


class DiagnoseDialog(QDialog):
    """Facts come in as they are found; closing it ends what runs for it."""

    def __init__(self, studio: Studio, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle("Diagnose")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._studio = studio
        self._facts: dict[str, str] = {}
        self._jobs: list[Job] = []
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(24)
        self._grid.setVerticalSpacing(8)
        self._grid.setColumnStretch(1, 1)
        self._busy = BusyStrip()
        self._busy.cancel_asked.connect(self._cancel)
        self.benchmark_button = plain_button("Benchmark, ten seconds", "gauge", self._benchmark)
        self.copy_button = plain_button("Copy", "copy", self.copy)
        self.copy_button.setAccessibleName("Copy the report, without personal paths")
        self.close_button = primary_button("Close", on_click=self.accept)
        words = label("For a bug report: names of folders and of the person are left out.", "caption", "dim", wrap=True)
        facts = scrolling(boxed(column(self._grid, None)))
        buttons = row(self.benchmark_button, self.copy_button, None, self.close_button, gap="s")
        layout = column(words, facts, self._busy, buttons, gap="m", margin="xl")
        layout.setStretch(1, 1)
        self.setLayout(layout)
        self.resize(720, 620)
        self.finished.connect(self._cancel)
        self._look()

    @property
    def report(self) -> str:
        """All facts, a line each."""
        return "\n".join(f"{name}: {value}" for name, value in self._facts.items())

    def copy(self) -> None:
        """Into the clipboard."""
        QGuiApplication.clipboard().setText(self.report)
        self._studio.messages.info("The report is in the clipboard.")

    def _look(self) -> None:
        entries = self._studio.shelf.entries
        lane = self._studio.file_lane
        for work, words in (
            (lambda _: engine.describe_system(), "Looking at this computer"),
            (lambda _: {"Sound": sound_words(find_devices())}, "Looking at sound devices"),
            (lambda _: {f"Model {entry.folder.name}": _health(entry) for entry in entries}, "Looking at models"),
        ):
            self._follow(lane.submit(work, words))

    def _benchmark(self) -> None:
        shelf, precision = self._studio.shelf, self._studio.settings.get(PRECISION)
        speaking = shelf.speaking
        if speaking is None:
            self._add({"Benchmark": "there is no model to speak with"})
            return

        def work(context: JobContext) -> dict[str, str]:
            found = engine.benchmark(speaking.folder, precision, context.cancel, context.report)
            return {"Benchmark": found.text}

        self.benchmark_button.setEnabled(False)
        self._busy.begin("Measuring")
        job = self._follow(self._studio.model_lane.submit(work, "Benchmark"))
        job.progressed.connect(lambda progress: self._busy.go_on(f"Measuring: {progress.stage}", progress))
        job.ended.connect(self._busy.end)
        job.ended.connect(lambda: self.benchmark_button.setEnabled(True))

    def _follow(self, job: Job) -> Job:
        self._jobs.append(job)
        job.finished.connect(self._add)
        job.failed.connect(lambda error: self._add({job.label: error_text(error)}))
        job.ended.connect(partial(self._jobs.remove, job))
        return job

    def _add(self, facts: dict[str, str]) -> None:
        for name, value in facts.items():
            if name in self._facts:
                continue
            at = self._grid.rowCount()
            self._grid.addWidget(label(name, tone="dim"), at, 0, Qt.AlignmentFlag.AlignTop)
            text = label(engine.without_person(value), wrap=True)
            text.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._grid.addWidget(text, at, 1)
        self._facts |= {name: engine.without_person(value) for name, value in facts.items()}

    def _cancel(self) -> None:
        for job in self._jobs:
            job.cancel()


def _health(entry: ModelEntry) -> str:
    return entry.problem or (f"{entry.summary.label}: whole, as far as its headers tell" if entry.summary else "")
