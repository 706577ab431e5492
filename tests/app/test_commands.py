"""The command palette and the list of keys, in the real window."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

import resources
from app.commands.key_list import KeyList
from app.commands.matching import score
from app.main_window import MainWindow
from app.paths import paths
from app.settings.table import THEME
from app.studio import Studio
from app.theme import apply_theme

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot


@pytest.mark.parametrize(
    ("typed", "words", "is_found"),
    [
        ("", "New voice", True),
        ("voice", "New voice Go to", True),
        ("gO voi", "New voice Go to", True),
        ("nv", "New voice", True),
        ("grusse", "Speak with Grüße", True),
        ("xyz", "New voice", False),
        ("voice xyz", "New voice", False),
    ],
)
def test_what_is_found(typed: str, words: str, is_found: bool) -> None:
    assert (score(typed, words) is not None) == is_found


def test_the_beginning_of_a_word_is_the_better_answer() -> None:
    begin, inside = score("port", "Port settings"), score("port", "Export the take")
    assert begin is not None
    assert inside is not None
    assert begin > inside


@pytest.fixture
def window(qtbot: QtBot, qapp) -> Iterator[MainWindow]:
    apply_theme(qapp, "dark")
    studio = Studio(paths())
    window = MainWindow(studio)
    window.show()
    qtbot.waitExposed(window)
    library = window.rooms.library
    qtbot.waitUntil(lambda: library.is_loaded, timeout=20_000)
    yield window
    window.close()
    window.deleteLater()


def ask(window: MainWindow, qtbot: QtBot, typed: str) -> list[str]:
    """Open the palette with its key and type."""
    window.activateWindow()
    window.commands.ask()
    palette = window.commands.palette
    QTest.keyClicks(palette.field, typed)
    return palette.shown


def test_a_command_is_found_and_run(window: MainWindow, qtbot: QtBot) -> None:
    window.show_page("new_voice")
    assert ask(window, qtbot, "libr")[0] == "Library"
    palette = window.commands.palette
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert window.rail.current == "library"


def test_arrows_choose_and_escape_gives_up(window: MainWindow, qtbot: QtBot) -> None:
    shown = ask(window, qtbot, "theme")
    assert shown == ["Theme: as the system has it", "Theme: dark", "Theme: light", "Theme"]
    palette = window.commands.palette
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    QTest.keyClick(palette.field, Qt.Key.Key_Down)
    QTest.keyClick(palette.field, Qt.Key.Key_Return)
    assert window._studio.settings.get(THEME) == "light"
    ask(window, qtbot, "theme")
    QTest.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()
    assert window._studio.settings.get(THEME) == "light"


def test_the_room_shown_comes_first(window: MainWindow, qtbot: QtBot) -> None:
    window.page("speak")
    window.show_page("library")
    assert ask(window, qtbot, "")[0] == "Import voices"
    window.commands.palette.dismiss()
    window.show_page("speak")
    assert ask(window, qtbot, "")[0] == "Speak the text"
    assert "Import voices" in window.commands.palette.shown


def test_nothing_found_says_so(window: MainWindow, qtbot: QtBot) -> None:
    assert ask(window, qtbot, "zzzz") == []
    palette = window.commands.palette
    assert any(label.isVisible() and "Nothing is called that" in label.text() for label in palette.findChildren(QLabel))
    QTest.keyClick(palette.field, Qt.Key.Key_Return)  # means nothing, and breaks nothing
    assert palette.isVisible()


def test_every_key_is_listed(window: MainWindow, qtbot: QtBot) -> None:
    window.commands.show_keys()
    shown = window.findChildren(KeyList)[0]
    words = {label.text() for label in shown.findChildren(QLabel)}
    assert {"Find a command", "Record, or stop recording", "Speak the text", "Import voices", "Library"} <= words
    assert {"Ctrl+K", "Ctrl+R", "Ctrl+Return", "Ctrl+I", "Ctrl+2"} <= words
    shown.close()


def test_settings_are_found_and_shown(window: MainWindow, qtbot: QtBot) -> None:
    assert "Processor threads" in ask(window, qtbot, "threads")
    QTest.keyClick(window.commands.palette.field, Qt.Key.Key_Return)
    page = window.page("settings")
    assert window.rail.current == "settings"
    assert window.focusWidget() is page.rows["threads"].box


def test_a_sound_opened_before_is_offered_in_the_palette_and_beside_the_button(
    window: MainWindow, qtbot: QtBot, tmp_path
) -> None:
    sound = tmp_path / "talk about bees.flac"
    sound.write_bytes(resources.path("sample", "sample_clip.flac").read_bytes())
    window.show_page("new_voice")
    page = window.rooms.wizard
    assert not page.sound_step.recent_button.isVisible()
    page.open_file(sound)
    qtbot.waitUntil(lambda: page.presenter.sound is not None)
    page.presenter.start_over()
    menu = page.sound_step.recent_button.menu()
    menu.aboutToShow.emit()
    assert [act.text() for act in menu.actions()] == ["talk about bees.flac"]
    window.show_page("library")
    assert ask(window, qtbot, "bees")[0] == "Open talk about bees.flac"
    QTest.keyClick(window.commands.palette.field, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: page.presenter.sound is not None)
    assert window.rail.current == "new_voice"
