"""An act of a page: words, keys and what it does, in one QAction that the palette and the list of keys find."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence

if TYPE_CHECKING:
    from collections.abc import Callable

    from PySide6.QtWidgets import QWidget

    Keys = str | QKeySequence.StandardKey


IS_ACT = "act"  # a property: menus hold QActions too, which are none of a page's acts


def add_act(page: QWidget, words: str, do: Callable[[], object], *keys: Keys, everywhere: bool = False) -> QAction:
    """Give `page` an act; its keys work while the focus is inside it, or in the whole window with `everywhere`.

    `words` say what it does, as a person would: "Open a sound file". The first of `keys` is the one shown.
    """
    act = QAction(words, page)
    act.setShortcuts([QKeySequence(key) for key in keys])
    context = Qt.ShortcutContext
    act.setShortcutContext(context.WindowShortcut if everywhere else context.WidgetWithChildrenShortcut)
    act.setProperty(IS_ACT, True)
    act.triggered.connect(lambda _checked=False: do())
    page.addAction(act)
    return act


def key_words(act: QAction) -> str:
    """The keys of `act` as this system writes them, "" for none."""
    keys = [sequence for sequence in act.shortcuts() if not sequence.isEmpty()]
    return keys[0].toString(QKeySequence.SequenceFormat.NativeText) if keys else ""
