"""Joins window, rooms and palette: what the window itself can do, and what is offered when a person asks."""

from __future__ import annotations

from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QKeySequence

from app.commands.acts import add_act
from app.commands.gather import Command, commands_of
from app.commands.key_list import KeyList, sections
from app.commands.palette import Palette
from app.rooms import ROOMS
from app.settings.rows import groups
from app.settings.table import RECENT_SOUNDS, THEME

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.main_window import MainWindow
    from app.studio import Studio

_TAKES = 8
_VOICES = 200  # a longer list is searched in the library itself
_THEMES = {"system": "Theme: as the system has it", "dark": "Theme: dark", "light": "Theme: light"}


class CommandDesk(QObject):
    """Ctrl+K opens the palette, F1 the list of keys."""

    def __init__(self, window: MainWindow, studio: Studio) -> None:
        super().__init__(window)
        self._window, self._studio = window, studio
        self._add_acts()

    @cached_property
    def palette(self) -> Palette:
        """Made when it is first asked for: a start does not wait for it."""
        palette = Palette(self._window)
        palette.chosen.connect(lambda command: command.run())
        return palette

    def ask(self) -> None:
        """Show the palette."""
        self.palette.ask(
            [
                *self._of_rooms(),
                *self._go_to(),
                *self._recent(),
                *self._with_voices(),
                *self._of_window(),
                *self._settings(),
            ]
        )

    def show_keys(self) -> None:
        """Show the list of keys."""
        for room in ROOMS:
            self._window.page(room.key)  # a page that nobody has entered yet has keys too
        KeyList(sections([*self._go_to(), *self._of_window(), *self._of_rooms()]), self._window).open()

    def diagnose(self) -> None:
        """Show what a bug report needs to say."""
        from app.diagnose.dialog import DiagnoseDialog  # seldom used

        DiagnoseDialog(self._studio, self._window).open()

    def _add_acts(self) -> None:
        window = self._window
        act = partial(add_act, window, everywhere=True)
        act("Find a command", self.ask, "Ctrl+K", "Ctrl+Shift+P")
        act("Show all keys", self.show_keys, QKeySequence.StandardKey.HelpContents)
        act(self.tr("Take the tour"), window.tour.begin)
        act("Full screen, or back", self._toggle_full_screen, "F11")
        for key, words in _THEMES.items():
            act(words, partial(self._studio.settings.set, THEME, key))
        act("Diagnose this computer", self.diagnose)
        act("Show the log folder", lambda: _open_folder(str(self._studio.places.logs)))
        act("Show the folder of the voices", lambda: _open_folder(str(self._studio.places.data)))
        act("Quit", window.close, "Ctrl+Q")

    def _of_window(self) -> list[Command]:
        return commands_of(self._window, "")

    def _go_to(self) -> list[Command]:
        return [
            Command("Go to", room.title, f"Ctrl+{number}", partial(self._window.show_page, room.key))
            for number, room in enumerate(ROOMS, start=1)
        ]

    def _of_rooms(self) -> list[Command]:
        """The acts of the room shown first, then those of the others that are made."""
        shown = self._window.stack.currentWidget()
        rooms = [room for room in ROOMS if self._window.rooms.is_made(room.key)]
        rooms.sort(key=lambda room: self._window.rooms.page(room.key) is not shown)
        found: list[Command] = []
        for room in rooms:
            found += commands_of(self._window.rooms.page(room.key), room.title, self._show(room.key))
        return found

    def _with_voices(self) -> list[Command]:
        speak = self._window.rooms.library.speak_with
        voices = self._window.rooms.library.recent(_VOICES)
        return [Command("Speak", f"Speak with {voice.name}", "", partial(speak.emit, voice.id)) for voice in voices]

    def _recent(self) -> list[Command]:
        """Sounds opened and takes made last."""
        rooms, recent = self._window.rooms, self.tr("Recent")
        sounds = [Path(name) for name in self._studio.settings.get(RECENT_SOUNDS)]
        found = [
            Command(recent, self.tr("Open {}").format(path.name), "", partial(rooms.new_voice_from, path))
            for path in sounds
        ]
        if rooms.is_made("speak"):
            for take in rooms.speak.presenter.takes.all[:_TAKES]:
                words = self.tr("Take {}: {}").format(take.number, " ".join(take.text.split()))
                found.append(Command(recent, words, "", partial(rooms.show_take, take.id)))
        return found

    def _settings(self) -> list[Command]:
        title = self.tr("Settings")
        return [
            Command(title, facts.title, "", partial(self._window.rooms.show_setting, facts.setting.name))
            for group in groups()
            for facts in group.rows
        ]

    def _show(self, key: str) -> Callable[[], None]:
        return partial(self._window.show_page, key)

    def _toggle_full_screen(self) -> None:
        self._window.setWindowState(self._window.windowState() ^ Qt.WindowState.WindowFullScreen)


def _open_folder(folder: str) -> None:
    QDesktopServices.openUrl(QUrl.fromLocalFile(folder))
