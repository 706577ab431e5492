"""Leads through the steps: shows one, notices that it was done, remembers how far a person came."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication, QObject

from app.settings.table import TOUR
from app.tour.bar import TourBar
from app.tour.steps import OVER, steps, words

if TYPE_CHECKING:
    from app.rooms import Rooms
    from app.studio import Studio


class Tour(QObject):
    """`bar` belongs above the rooms. A step that was done with the real rooms gives way to the next by itself."""

    def __init__(self, rooms: Rooms, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rooms, self._studio = rooms, studio
        self._steps: tuple[str, ...] = ()
        self._watched: set[str] = set()
        self.bar = TourBar()
        self.bar.act_asked.connect(self._act)
        self.bar.next_asked.connect(self.go_on)
        self.bar.end_asked.connect(self.end)
        studio.shelf.changed.connect(self._models_changed)

    @property
    def step(self) -> str:
        """The step a person is at: "" before the first, `OVER` after the last."""
        return self._studio.settings.get(TOUR)

    def begin(self) -> None:
        """From the first step, also for who has seen it before."""
        self._steps = steps(self._studio.shelf.usable)
        self._go_to(self._steps[0])

    def go_on(self) -> None:
        """To the next step, or the end."""
        place = self._steps.index(self.step) + 1
        if place < len(self._steps):
            self._go_to(self._steps[place])
        else:
            self.end()

    def end(self) -> None:
        """No more of it, at the next start neither."""
        self._studio.settings.set(TOUR, OVER)
        self.bar.hide()

    def _models_changed(self) -> None:
        """The first time the models are known: begin, or go on where the last session ended."""
        if not self._steps and self.step != OVER:
            self._steps = steps(self._studio.shelf.usable)
            self._go_to(self.step if self.step in self._steps else self._steps[0])
        elif self.step == "model" and "model" not in steps(self._studio.shelf.usable):
            self.go_on()

    def _go_to(self, step: str) -> None:
        self._studio.settings.set(TOUR, step)
        self._watch(step)
        self.bar.show_step(words(step), self._steps.index(step) + 1, len(self._steps))

    def _watch(self, step: str) -> None:
        """Notice when what the step asks for is done; a room is made only when its step has come."""
        if step in self._watched or step not in ("voice", "speak"):
            return
        self._watched.add(step)
        done = self._rooms.wizard.saved if step == "voice" else self._rooms.speak.presenter.takes.added
        done.connect(lambda _: self.go_on() if self.step == step else None)

    def _act(self) -> None:
        rooms = self._rooms
        if self.step == "model":
            rooms.go_to.emit("models")
        elif self.step == "voice":
            rooms.go_to.emit("new_voice")
            rooms.wizard.presenter.start_over()
            rooms.wizard.presenter.open_sample()
        elif self.step == "speak":
            self._write_a_sentence()
        else:
            rooms.go_to.emit("library")

    def _write_a_sentence(self) -> None:
        """What is there already is not written over."""
        self._rooms.go_to.emit("speak")
        page = self._rooms.speak
        if not page.text_box.toPlainText().strip():
            page.text_box.setPlainText(
                QCoreApplication.translate("Tour", "Hello. I am a voice that was made a moment ago.")
            )
        page.text_box.setFocus()
