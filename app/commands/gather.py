"""All that can be done now: the acts of the window, of its rooms, and with the voices used last."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtGui import QAction

from app.commands.acts import IS_ACT, key_words

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from PySide6.QtWidgets import QWidget


class Command(NamedTuple):
    """A row of the palette: where it belongs, what it says, its keys, what it does."""

    room: str
    words: str
    keys: str
    run: Callable[[], object]
    enabled: bool = True

    @property
    def searched(self) -> str:
        return f"{self.words} {self.room}"


def commands_of(widget: QWidget, room: str, first: Callable[[], object] | None = None) -> list[Command]:
    """The named acts of a page; `first` brings the page to the front before each."""
    return [_command(act, room, first) for act in named_acts(widget)]


def named_acts(widget: QWidget) -> Iterable[QAction]:
    """The acts given with `add_act` to it, then those of what is inside it."""
    found = [act for act in widget.findChildren(QAction) if act.property(IS_ACT) and act.isVisible()]
    return sorted(found, key=lambda act: act.parent() is not widget)


def _command(act: QAction, room: str, first: Callable[[], object] | None) -> Command:
    def run() -> None:
        if first is not None:
            first()
        act.trigger()

    return Command(room, act.text(), key_words(act), run, act.isEnabled())
