"""The frame: every room can be entered, named, left and closed at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLabel, QWidget

from app.main_window import MainWindow
from app.paths import paths
from app.rooms import ROOMS
from app.settings.table import LAST_PAGE, THEME
from app.studio import Studio
from app.theme import apply_theme, current_theme

# What libraries say where there is no JACK server and no real screen.
_NOISE = (
    "This plugin does not support propagateSizeHints",
    "jack server",
    "JackShm",
    "Cannot connect to server",
    "ALSA ",
)
ROOT = Path(__file__).resolve().parents[2]


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


def name_of(widget: QWidget) -> str:
    """What a screen reader says."""
    text = widget.text() if isinstance(widget, QAbstractButton | QLabel) else ""
    return widget.accessibleName() or text


@pytest.mark.parametrize("room", ROOMS, ids=lambda room: room.key)
def test_every_control_of_every_room_has_a_name(window, room) -> None:
    window.show_page(room.key)
    focusable = [
        widget
        for widget in window.findChildren(QWidget)
        if widget.focusPolicy() != Qt.FocusPolicy.NoFocus
        and widget.isVisibleTo(window)
        and not isinstance(widget.parent(), QComboBox)
        and not widget.objectName().startswith("qt_")
    ]
    assert len(focusable) > 5
    nameless = [f"{type(w).__name__} in {type(w.parent()).__name__}" for w in focusable if not name_of(w)]
    assert nameless == []


def test_the_keyboard_goes_to_every_room(window) -> None:
    for number, room in enumerate(ROOMS, start=1):
        button = window.rail.button(room.key)
        assert button.shortcut() == QKeySequence(f"Ctrl+{number}")
        button.click()
        assert window.rail.current == room.key
        assert window.stack.currentWidget() is window.page(room.key)
        assert window._studio.settings.get(LAST_PAGE) == room.key


def test_the_last_room_is_shown_again(qapp, own_home) -> None:
    first = Studio(paths())
    first.settings.set(LAST_PAGE, "models")
    first.close()
    studio = Studio(paths())
    again = MainWindow(studio)
    again.show()
    assert again.rail.current == "models"
    again.close()


def test_the_theme_follows_its_setting(window) -> None:
    window._studio.settings.set(THEME, "light")
    assert current_theme().ground == "light"
    window._studio.settings.set(THEME, "dark")
    assert current_theme().ground == "dark"


def test_messages_are_shown_as_notes(window) -> None:
    done: list[bool] = []
    window._studio.messages.success("Saved Mario.qvoice", ("Undo", lambda: done.append(True)))
    assert window.toast.text == "Saved Mario.qvoice"
    window.toast.action_button.click()
    assert done == [True]


def test_a_note_stays_above_the_room_one_goes_to(window) -> None:
    window._studio.messages.info("Saved Mario.qvoice")
    for room in ROOMS:
        window.show_page(room.key)
        place = window.toast.mapTo(window.stack, window.toast.rect().center())
        assert window.toast.isAncestorOf(window.stack.childAt(place)) or window.stack.childAt(place) is window.toast


def test_a_model_folder_that_is_none_is_refused_in_one_line(window, qtbot, tmp_path) -> None:
    shelf = window._studio.shelf
    shelf.refresh()
    qtbot.waitUntil(lambda: len(shelf.entries) == 2)
    shelf.add_folder(tmp_path)
    qtbot.waitUntil(lambda: bool(window._studio.messages.history))
    message = window._studio.messages.history[-1]
    assert message.level == "error"
    assert "config.json" in message.text
    assert len(shelf.entries) == 2


def test_a_model_folder_is_taken_in_and_forgotten(window, qtbot, checkpoints) -> None:
    shelf = window._studio.shelf
    window.show_page("models")
    shelf.refresh()
    qtbot.waitUntil(lambda: len(shelf.entries) == 2)
    folder = checkpoints.folder("tiny-base")
    shelf.add_folder(folder)
    qtbot.waitUntil(lambda: len(shelf.entries) == 3)
    assert shelf.base.folder == folder
    assert shelf.pair().custom_voice is not None or shelf.pair().base == folder
    shelf.remove_folder(folder)
    assert len(shelf.entries) == 2
    assert folder.is_dir()


@pytest.mark.parametrize("moment_seconds", [0.0, 0.4, 1.5, 4.0])
def test_closing_at_any_moment_is_safe(own_home, moment_seconds: float) -> None:
    """A polite kill while the window opens, while torch loads, after: exit code 0, nothing said on stderr."""
    environment = os.environ | {"QT_QPA_PLATFORM": "offscreen", "QVOICE_HOME": str(own_home)}
    process = subprocess.Popen(
        [sys.executable, "-m", "app"], cwd=ROOT, env=environment, stderr=subprocess.PIPE, text=True
    )
    log = own_home / "logs" / "qvoice-studio.log"
    while not (log.exists() and "The window is shown" in log.read_text(encoding="utf-8")):
        assert process.poll() is None
        time.sleep(0.01)
    time.sleep(moment_seconds)
    process.send_signal(signal.SIGTERM)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 0, said
    assert [line for line in said.splitlines() if not line.startswith(_NOISE)] == []
