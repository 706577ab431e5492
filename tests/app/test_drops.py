"""Files dropped on the window: a voice or a bundle opens the library, a sound a new voice, whatever room is shown."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QLibraryInfo, QMimeData, QPoint, QPointF, Qt, QUrl, QVersionNumber
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication

import engine
from app.main_window import MainWindow
from app.paths import paths
from app.store.bundle import write_bundle
from app.studio import Studio
from app.theme import apply_theme
from tests.app.helpers import voice_file


@pytest.fixture
def window(qapp, own_home):
    studio = Studio(paths())
    apply_theme(qapp, "dark")
    shown = MainWindow(studio)
    shown.show()
    yield shown
    shown.close()
    shown.deleteLater()
    studio.deleteLater()
    qapp.processEvents()


def drop(target, *files):
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(file)) for file in files])
    rest = (Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier)
    whole = QLibraryInfo.version() < QVersionNumber(6, 12)
    QApplication.sendEvent(target, QDragEnterEvent(QPoint(50, 50) if whole else QPointF(50, 50), *rest))
    QApplication.sendEvent(target, QDropEvent(QPointF(50, 50), *rest))


def test_a_bundle_and_a_voice_dropped_in_any_room_come_into_the_library(window, qtbot, tmp_path):
    window.show_page("models")
    write_bundle(tmp_path / "Anna.qvbundle", voice_file(tmp_path / "Anna.bin", 1), None)
    drop(window, tmp_path / "Anna.qvbundle", voice_file(tmp_path / "Mario.bin", 2))
    qtbot.waitUntil(lambda: {record.name for record in window.rooms.library.records} == {"Anna", "Mario"})
    assert window.stack.currentWidget() is window.page("library")


def test_a_voice_dropped_on_the_new_voice_opens_the_library(window, qtbot, tmp_path):
    window.show_page("new_voice")
    drop(window.rooms.wizard, voice_file(tmp_path / "Anna.bin", 1))
    qtbot.waitUntil(lambda: [record.name for record in window.rooms.library.records] == ["Anna"])
    assert window.stack.currentWidget() is window.page("library")


def test_a_sound_dropped_on_the_library_starts_a_new_voice(window, qtbot, tmp_path):
    engine.write_sound(tmp_path / "take.wav", 0.1 * np.sin(np.arange(96_000) / 20).astype(np.float32))
    window.show_page("library")
    drop(window.page("library"), tmp_path / "take.wav")
    qtbot.waitUntil(lambda: window.rooms.wizard.presenter.sound is not None)
    assert window.stack.currentWidget() is window.page("new_voice")
