"""Buttons in the roles of the theme. Every one has a name that a screen reader can say."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QPushButton, QToolButton

from app.icons import icon
from app.theme import refresh

if TYPE_CHECKING:
    from collections.abc import Callable

SMALL_ICON = QSize(16, 16)
LARGE_ICON = QSize(20, 20)
ICON_AND_GAP = QSize(20, 16)  # Qt leaves four pixels between icon and words; eight are needed
LARGE_ICON_AND_GAP = QSize(28, 20)


def primary_button(
    text: str, icon_name: str | None = None, on_click: Callable[[], object] | None = None
) -> QPushButton:
    """The one button of a page that does what the page is for."""
    return _button(text, icon_name, "primary", "on_accent", on_click)


def plain_button(text: str, icon_name: str | None = None, on_click: Callable[[], object] | None = None) -> QPushButton:
    """Any other button."""
    return _button(text, icon_name, "", "text", on_click)


def ghost_button(text: str, icon_name: str | None = None, on_click: Callable[[], object] | None = None) -> QPushButton:
    """A quiet button without a frame, for acts beside the point."""
    return _button(text, icon_name, "ghost", "text", on_click)


def danger_button(text: str, icon_name: str | None = None, on_click: Callable[[], object] | None = None) -> QPushButton:
    """An act that takes something away."""
    return _button(text, icon_name, "danger", "bad", on_click)


def icon_button(
    icon_name: str,
    name: str,
    on_click: Callable[[], object] | None = None,
    *,
    large: bool = False,
    checkable: bool = False,
    color: str = "text",
    filled: bool = False,
) -> QToolButton:
    """A button that shows an icon only; `name` is its tool tip and what a screen reader says."""
    made = QToolButton()
    made.setProperty("role", "ghost")
    made.setIcon(icon(icon_name, color, filled=filled))
    made.setIconSize(LARGE_ICON if large else SMALL_ICON)
    made.setToolTip(name)
    made.setAccessibleName(name)
    made.setCheckable(checkable)
    made.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
    if on_click is not None:
        made.clicked.connect(lambda: on_click())
    return made


def set_role(button: QPushButton | QToolButton, role: str) -> None:
    """Give a button another role: "primary", "ghost", "danger" or "" for the plain one."""
    button.setProperty("role", role)
    refresh(button)


def _button(
    text: str, icon_name: str | None, role: str, color: str, on_click: Callable[[], object] | None
) -> QPushButton:
    made = QPushButton(text)
    made.setProperty("role", role)
    made.setIconSize(ICON_AND_GAP)
    made.setAutoDefault(False)
    if icon_name is not None:
        made.setIcon(icon(icon_name, color))
    if on_click is not None:
        made.clicked.connect(lambda: on_click())
    return made
