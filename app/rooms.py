"""The rooms: their names, and how each is made and connected with the others when it is first entered."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QObject, Signal

if TYPE_CHECKING:
    from pathlib import Path

    from PySide6.QtWidgets import QWidget

    from app.library.presenter import LibraryPresenter
    from app.settings.page import SettingsPage
    from app.speak.page import SpeakPage
    from app.store.recovery import UnsavedSound
    from app.studio import Studio
    from app.wizard.page import WizardPage


class Room(NamedTuple):
    """An entry of the rail."""

    key: str
    title: str
    icon: str
    foot: bool = False


ROOMS = (
    Room("new_voice", "New voice", "mic"),
    Room("library", "Library", "library"),
    Room("speak", "Speak", "message-square-text"),
    Room("models", "Models", "boxes"),
    Room("settings", "Settings", "settings", foot=True),
)


class Rooms(QObject):
    """Makes each page once, when it is first shown, and carries what one room asks of another.

    Signals:
        go_to(str)  a room asks for another room to be shown
    """

    go_to = Signal(str)

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio = studio
        self._pages: dict[str, QWidget] = {}
        self._library: LibraryPresenter | None = None

    def page(self, key: str) -> QWidget:
        """The page of room `key`."""
        if key not in self._pages:
            make = {
                "new_voice": self._make_wizard,
                "library": self._make_library,
                "speak": self._make_speak,
                "models": self._make_models,
                "settings": self._make_settings,
            }[key]
            self._pages[key] = make()
        return self._pages[key]

    def is_made(self, key: str) -> bool:
        return key in self._pages

    @property
    def library(self) -> LibraryPresenter:
        """The library's presenter; it lives with or without its page."""
        if self._library is None:
            from app.library.presenter import LibraryPresenter

            studio = self._studio
            self._library = LibraryPresenter(studio.library, studio.file_lane, studio.messages, studio.player, self)
            self._library.exports.pair_for = studio.shelf.pair_of
            studio.shelf.changed.connect(self._tell_models)
            self._tell_models()
            self._library.speak_with.connect(self._speak_with)
            self._library.new_voice_from.connect(self.new_voice_from)
            self._library.record_requested.connect(lambda: self.go_to.emit("new_voice"))
            self._library.preview_requested.connect(lambda voice_id: self.speak.preview(voice_id))
            studio.library_changed.connect(self._library.refresh)
            self._library.start()
        return self._library

    @property
    def wizard(self) -> WizardPage:
        page: WizardPage = self.page("new_voice")  # type: ignore[assignment]
        return page

    @property
    def speak(self) -> SpeakPage:
        page: SpeakPage = self.page("speak")  # type: ignore[assignment]
        return page

    def tell_recovered(self) -> None:
        """Say what a sudden end left behind, in whatever room the person is; all rooms are made."""
        self.wizard.presenter.unsaved_found.connect(self._say_unsaved)
        self.wizard.presenter.look_for_unsaved()
        self.speak.presenter.start()

    def _say_unsaved(self, _found: UnsavedSound) -> None:
        if not self.wizard.isVisible():  # there it is offered on the page itself
            act = (self.tr("Show it"), lambda: self.go_to.emit("new_voice"))
            self._studio.messages.info(self.tr("A recording of an earlier session was never saved as a voice."), act)

    def close(self) -> None:
        """Let every room put its things away before the lanes close."""
        if "new_voice" in self._pages:
            self.wizard.shut_down()
        if "speak" in self._pages:
            self.speak.presenter.close()
        page = self._pages.get("library")
        if page is not None:
            page.shut_down()  # type: ignore[attr-defined]

    def _tell_models(self) -> None:
        shelf = self._studio.shelf
        if self._library is not None and shelf.entries:
            self._library.set_models([model for model in shelf.usable if model.kind != "voice_design"])

    def _speak_with(self, voice_id: str) -> None:
        self.go_to.emit("speak")
        self.speak.speak_with(voice_id)

    def new_voice_from(self, path: Path) -> None:
        """Begin a new voice with a sound file."""
        self.go_to.emit("new_voice")
        self.wizard.open_file(path)

    def show_take(self, take_id: str) -> None:
        """Go to a take in its list."""
        self.go_to.emit("speak")
        self.speak.take_list.go_to(take_id)
        self.speak.take_list.setFocus()

    def show_setting(self, name: str) -> None:
        """Go to the row of a setting."""
        self.go_to.emit("settings")
        page: SettingsPage = self.page("settings")  # type: ignore[assignment]
        page.point_to(name)

    def _import_voice(self, path: Path) -> None:
        self.go_to.emit("library")
        self.library.take_in([path])

    def _make_wizard(self) -> QWidget:
        from app.wizard.page import WizardPage

        page = WizardPage(self._studio)
        page.speak_with.connect(self._speak_with)
        page.import_voice.connect(self._import_voice)
        return page

    def _make_library(self) -> QWidget:
        from app.library.page import LibraryPage

        return LibraryPage(self.library, self._studio.settings)

    def _make_speak(self) -> QWidget:
        from app.speak.page import SpeakPage

        page = SpeakPage(self._studio)
        page.new_voice_requested.connect(lambda: self.go_to.emit("new_voice"))
        return page

    def _make_models(self) -> QWidget:
        from app.models.page import ModelsPage

        return ModelsPage(self._studio)

    def _make_settings(self) -> QWidget:
        from app.settings.page import SettingsPage

        return SettingsPage(self._studio)
