"""The frame: rail, pages, status line, notes. No logic of any room."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QByteArray, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import QApplication, QMainWindow, QStackedWidget, QWidget

from app.commands.desk import CommandDesk
from app.icons import program_icon
from app.job_status import JobStatus
from app.messages import Level, Message
from app.rooms import ROOMS, Rooms
from app.settings.table import LAST_PAGE, THEME, WINDOW_GEOMETRY
from app.store.folder import belongs_in_library
from app.theme import apply_theme
from app.tour import Tour
from app.widgets.drop_area import DropArea
from app.widgets.layouts import boxed, column, row
from app.widgets.nav_rail import NavRail
from app.widgets.status_line import StatusLine
from app.widgets.toast import Toast

if TYPE_CHECKING:
    from app.studio import Studio

_START = QSize(1280, 800)
_SMALLEST = QSize(960, 640)
_MEMORY_EVERY_MS = 2000
_BUILD_EVERY_MS = 40
_ERROR_SECONDS = 12.0


class MainWindow(QMainWindow):
    """Rail at the left, the room in the middle, one line at the foot."""

    def __init__(self, studio: Studio) -> None:
        super().__init__()
        self._studio = studio
        self._closed = False
        self._current = ""
        self.setWindowTitle("QVoice Studio")
        self.setWindowIcon(program_icon())
        self.setMinimumSize(_SMALLEST)
        self.rooms = Rooms(studio, self)
        self.rail = NavRail()
        for number, room in enumerate(ROOMS, start=1):
            self.rail.add_page(room.key, room.title, room.icon, foot=room.foot, shortcut=f"Ctrl+{number}")
        self.stack = QStackedWidget()
        self.tour = Tour(self.rooms, studio, self)
        self.status = StatusLine()
        self._jobs = JobStatus(self.status, studio.lanes, self)
        self.setCentralWidget(self._frame())
        drops = DropArea(self, self.tr("Drop voices to import them, a sound to make a voice from it"))
        drops.files_dropped.connect(lambda paths: self.open_files(list(map(str, paths))))
        self.toast = Toast(self.stack)
        self.commands = CommandDesk(self, studio)
        self._connect()
        self._restore()

    def page(self, key: str) -> QWidget:
        """The page of a room, made when it is first asked for."""
        page = self.rooms.page(key)
        if self.stack.indexOf(page) < 0:
            self.stack.addWidget(page)
        return page

    def show_page(self, key: str) -> None:
        """Go to a room."""
        if key == self._current:
            return
        page = self.page(key)
        if self._current:
            self._tell_room("leave")
        self._current = key
        self.stack.setCurrentWidget(page)
        self.rail.set_current(key)
        self._studio.settings.set(LAST_PAGE, key)
        self._tell_room("enter")

    def open_files(self, names: list[str]) -> None:
        """Open what was named on the command line or dropped: voices go to the library, sounds to a new voice."""
        self.raise_()
        self.activateWindow()
        paths = [Path(name) for name in names if not name.startswith("-")]
        voices = [path for path in paths if belongs_in_library(path)]
        if voices:
            self.show_page("library")
            self.rooms.library.take_in(voices)
        for path in paths:
            if path not in voices:
                self.show_page("new_voice")
                self.rooms.wizard.open_file(path)

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop everything in order; nothing is asked, since nothing is lost."""
        if not self._closed:
            self._closed = True
            self._memory_timer.stop()
            self._build_timer.stop()
            self._studio.settings.set(WINDOW_GEOMETRY, _as_text(self.saveGeometry()))
            self._tell_room("leave")
            self.rooms.close()
            self._studio.close()
        event.accept()

    def _frame(self) -> QWidget:
        room = column(self.tour.bar, self.stack, gap="none")
        room.setStretch(1, 1)
        middle = row(self.rail, room, gap="none")
        middle.setStretch(1, 1)
        whole = column(middle, self.status, gap="none")
        whole.setStretch(0, 1)
        return boxed(whole)

    def _connect(self) -> None:
        studio = self._studio
        self.rail.page_chosen.connect(self.show_page)
        self.rooms.go_to.connect(self.show_page)
        self.stack.currentChanged.connect(lambda _: self.toast.raise_())  # the stack lifts the page it goes to
        studio.messages.posted.connect(self._show_message)
        studio.settings.changed.connect(self._setting_changed)
        studio.shelf.loaded_changed.connect(self._show_model)
        studio.rooms_first = True
        studio.warmed.connect(self._build_rooms)
        self._memory_timer = QTimer(self, interval=_MEMORY_EVERY_MS)
        self._memory_timer.timeout.connect(self._show_memory)
        self._memory_timer.start()
        self._to_build: list[str] = []
        self._build_timer = QTimer(self, interval=_BUILD_EVERY_MS)
        self._build_timer.timeout.connect(self._build_next)

    def _build_rooms(self) -> None:
        """Make the pages nobody has entered yet, one a moment, so that going there later takes no time.

        The engine is loaded after them: then nothing of the window is made while it loads.
        """
        self._to_build = [room.key for room in ROOMS]
        self._build_timer.start()

    def _build_next(self) -> None:
        while self._to_build and self.rooms.is_made(self._to_build[0]):
            self._to_build.pop(0)
        if self._to_build:
            self.page(self._to_build.pop(0)).grab()  # drawn once, unseen: the first time costs several times more
        else:
            self._build_timer.stop()
            self.rooms.tell_recovered()
            self._studio.load_engine()

    def _restore(self) -> None:
        self.resize(_START)
        geometry = self._studio.settings.get(WINDOW_GEOMETRY)
        if geometry:
            self.restoreGeometry(QByteArray(base64.b64decode(geometry)))
        for message in self._studio.messages.history:
            self._show_message(message)
        self.show_page(self._studio.settings.get(LAST_PAGE))

    def _tell_room(self, event: str) -> None:
        """Call `enter` or `leave` of the room shown, if it has one."""
        room = getattr(self.stack.currentWidget(), event, None)
        if room is not None:
            room()

    def _setting_changed(self, name: str, value: object) -> None:
        app = QApplication.instance()
        if name == THEME.name and isinstance(app, QApplication):
            apply_theme(app, value)  # type: ignore[arg-type]

    def _show_model(self, label: str, placement: str, reason: str) -> None:
        self.status.set_model(label)
        self.status.set_device(placement, reason)

    def _show_message(self, message: Message) -> None:
        seconds = _ERROR_SECONDS if message.level in (Level.ERROR, Level.WARNING) else None
        if message.action is None:
            self.toast.show_note(message.text, seconds=seconds)
        else:
            self.toast.show_note(message.text, message.action.label, message.action.run, seconds=seconds)

    def _show_memory(self) -> None:
        import psutil  # seldom needed at start; half the programs on a machine never look at memory

        used = psutil.Process().memory_info().rss
        self.status.set_memory(f"{used / 1e9:.1f} GB")

    def changeEvent(self, event) -> None:  # type: ignore[no-untyped-def]  # noqa: ANN001
        """Nothing is refreshed behind a minimised window."""
        if event.type() == event.Type.WindowStateChange:
            hidden = bool(self.windowState() & Qt.WindowState.WindowMinimized)
            self._memory_timer.stop() if hidden else self._memory_timer.start()
        super().changeEvent(event)


def _as_text(data: QByteArray) -> str:
    return base64.b64encode(bytes(data.data())).decode("ascii")
