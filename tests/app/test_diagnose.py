"""The report for a bug report: true, whole, and without personal paths."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

import engine
from app.diagnose.dialog import DiagnoseDialog
from app.paths import paths
from app.settings.page import SettingsPage
from app.settings.table import PRECISION
from app.studio import Studio
from app.theme import apply_theme


@pytest.fixture
def studio(qapp, qtbot, own_home):
    apply_theme(qapp, "light")
    studio = Studio(paths())
    studio.shelf.refresh()
    qtbot.waitUntil(lambda: len(studio.shelf.entries) == 2, timeout=20_000)
    yield studio
    studio.close()
    studio.deleteLater()


def test_a_person_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    home = str(Path.home())
    assert engine.without_person(f"{home}/models are kept") == "~/models are kept"
    monkeypatch.setenv("LOGNAME", "annabella")
    assert engine.without_person("/data/annabella/x") == "/data/(name)/x"


def test_the_dialog_tells_and_copies(studio: Studio, qtbot) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = DiagnoseDialog(studio, window)
    dialog.show()
    wanted = ("Processor: ", "Memory: ", "torch: ", "Sound: microphones: ", "Model base: Test model · Base")
    qtbot.waitUntil(lambda: all(line in dialog.report for line in wanted), timeout=60_000)
    dialog.copy()
    assert QGuiApplication.clipboard().text() == dialog.report
    assert str(Path.home()) not in dialog.report
    dialog.accept()


def test_the_benchmark_runs_and_can_be_cancelled(studio: Studio, qtbot, monkeypatch: pytest.MonkeyPatch) -> None:
    window = QWidget()
    qtbot.addWidget(window)
    dialog = DiagnoseDialog(studio, window)
    dialog.show()
    dialog.benchmark_button.click()
    assert not dialog.benchmark_button.isEnabled()
    qtbot.waitUntil(lambda: "speaking" in dialog._busy.text, timeout=60_000)
    dialog._busy.cancel_button.click()
    qtbot.waitUntil(dialog.benchmark_button.isEnabled, timeout=10_000)
    assert "Benchmark" not in dialog.report
    monkeypatch.setattr("engine.system.benchmark.SECONDS", 0.5)
    monkeypatch.setattr("engine.system.benchmark.benchmark.__defaults__", ("auto", None, engine.no_report, 0.5))
    dialog.benchmark_button.click()
    qtbot.waitUntil(lambda: "of work per second of speech" in dialog.report, timeout=60_000)
    dialog.accept()


def test_the_command_tells_the_same(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "engine.cli.main", "doctor", "--system", "--json", "--model", str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=dict(os.environ), timeout=120)
    facts = json.loads(done.stdout)
    assert {"Processor", "Memory", "Python", "Sound", "torch"} <= set(facts)
    assert "microphones: " in facts["Sound"]
    assert "config.json" in facts[f"Model {tmp_path.name}"] or "has no" in facts[f"Model {tmp_path.name}"]


def test_caches_are_measured_and_emptied(studio: Studio, qtbot) -> None:
    cached = studio.places.cache / "packed" / "x.packed"
    cached.parent.mkdir(parents=True)
    cached.write_bytes(bytes(2_000_000))
    page = SettingsPage(studio)
    qtbot.addWidget(page)
    page.enter()
    packed = page.caches[0]
    qtbot.waitUntil(lambda: "2.0 MB" in packed._words.text(), timeout=20_000)
    packed.empty_button.click()
    qtbot.waitUntil(lambda: "empty" in packed._words.text(), timeout=20_000)
    assert not cached.exists()
    assert not packed.empty_button.isEnabled()


def test_precision_is_a_setting(studio: Studio, qtbot) -> None:
    page = SettingsPage(studio)
    qtbot.addWidget(page)
    box = page.box_of(PRECISION)
    box.setCurrentIndex(box.findData("int8"))
    box.activated.emit(box.currentIndex())
    assert studio.settings.get(PRECISION) == "int8"
    folder = studio.shelf.usable[0].folder
    labels: list[str] = []
    studio.shelf.loaded_changed.connect(lambda _label, placement, _reason: labels.append(placement))
    job = studio.model_lane.submit(lambda context: studio.shelf.load(folder, context).placement.label, "")
    qtbot.waitUntil(lambda: job.is_over and bool(labels), timeout=60_000)
    assert labels == ["CPU · int8"]
