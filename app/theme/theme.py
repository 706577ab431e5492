"""The theme in force, and how it is put on the program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, Literal

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontInfo, QKeyEvent, QWindow
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid

from app.theme.palette import qt_palette
from app.theme.style_sheet import style_sheet
from app.theme.tokens import DARK, LIGHT, Colors, Ground, Radius, Space, TextSize

Mode = Literal["dark", "light", "system"]

_SCHEMES: Final = {
    "dark": Qt.ColorScheme.Dark,
    "light": Qt.ColorScheme.Light,
    "system": Qt.ColorScheme.Unknown,
}
_STEP_KEYS: Final = frozenset(
    (
        Qt.Key.Key_Tab,
        Qt.Key.Key_Backtab,
        Qt.Key.Key_Left,
        Qt.Key.Key_Right,
        Qt.Key.Key_Up,
        Qt.Key.Key_Down,
    )
)


@dataclass(frozen=True, slots=True)
class Theme:
    """Sizes and colours in force. `ground` says which of the two palettes this is."""

    ground: Ground
    colors: Colors
    space: Space = field(default_factory=Space)
    radius: Radius = field(default_factory=Radius)
    text: TextSize = field(default_factory=TextSize)

    def color(self, name: str, alpha: float = 1.0) -> QColor:
        """The colour called `name` in `Colors`, `alpha` from 0 to 1."""
        color = QColor(getattr(self.colors, name))
        color.setAlphaF(alpha)
        return color


class _Watch(QObject):
    """Keeps the theme in force; follows the system in "system" mode.

    Signals: `changed(Theme)` after a theme was put on.
    """

    changed = Signal(object)

    def __init__(self, app: QApplication) -> None:
        super().__init__(app)
        self.mode: Mode = "system"
        self.theme = Theme("dark", DARK)
        self._font = QFont(app.font())
        self._by_keyboard = False
        app.styleHints().colorSchemeChanged.connect(self._follow)
        app.focusChanged.connect(self._mark_focus)
        app.focusWindowChanged.connect(self._watch_window)

    def put_on(self, app: QApplication, mode: Mode) -> Theme:
        self.mode = mode
        app.styleHints().setColorScheme(_SCHEMES[mode])
        return self._apply(app)

    def _apply(self, app: QApplication) -> Theme:
        ground: Ground = self.mode if self.mode != "system" else _system_ground(app)
        text = TextSize().scaled(_text_scale(self._font))
        self.theme = Theme(ground, LIGHT if ground == "light" else DARK, text=text)
        if app.style() is None or app.style().name() != "fusion":
            app.setStyle("Fusion")
        font = QFont(self._font)
        font.setPixelSize(text.body)
        app.setFont(font)
        app.setPalette(qt_palette(self.theme.colors))
        app.setStyleSheet(style_sheet(self.theme))
        self.changed.emit(self.theme)
        return self.theme

    def _follow(self, _scheme: Qt.ColorScheme) -> None:
        app = QApplication.instance()
        if self.mode == "system" and isinstance(app, QApplication) and _system_ground(app) != self.theme.ground:
            self._apply(app)

    def _mark_focus(self, old: QWidget | None, new: QWidget | None) -> None:
        """Show the focus ring only where the keyboard brought the focus, not where the mouse did."""
        if old is not None and isValid(old) and old.property("focusRing"):
            _set_ring(old, on=False)
        if new is not None and self._by_keyboard:
            _set_ring(new, on=True)

    def _watch_window(self, window: QWindow | None) -> None:
        if window is not None:
            window.installEventFilter(self)  # a second time changes nothing

    def eventFilter(self, _watched: QObject, event: QEvent) -> bool:
        """Whether the last thing a person did in a window was a step with the keyboard or a press of the mouse."""
        kind = event.type()
        if kind == QEvent.Type.MouseButtonPress:
            self._by_keyboard = False
        elif kind == QEvent.Type.KeyPress and isinstance(event, QKeyEvent):
            self._by_keyboard = self._by_keyboard or event.key() in _STEP_KEYS
        return False


def _set_ring(widget: QWidget, *, on: bool) -> None:
    widget.setProperty("focusRing", on)
    refresh(widget)


def _system_ground(app: QApplication) -> Ground:
    return "light" if app.styleHints().colorScheme() == Qt.ColorScheme.Light else "dark"


def _text_scale(font: QFont) -> float:
    """How much larger than usual the person has set the system's text; 1 for every default (12 to 15 pixels)."""
    pixels = QFontInfo(font).pixelSize()
    return 1.0 if pixels <= 15 else min(pixels / TextSize().body, 2.0)


_watch: _Watch | None = None
_FALLBACK: Final = Theme("dark", DARK)


def apply_theme(app: QApplication, mode: Mode = "system") -> Theme:
    """Put the theme on the whole program; may be called again at any time. Returns the theme in force."""
    return _watch_of(app).put_on(app, mode)


def current_theme() -> Theme:
    """The theme in force; the dark one before `apply_theme` was called."""
    return _watch.theme if _watch is not None else _FALLBACK


def theme_changes(app: QApplication) -> _Watch:
    """The object whose `changed` signal tells that another theme is in force.

    Widgets need it only for what they keep drawn; Qt repaints everything else by itself.
    """
    return _watch_of(app)


def _watch_of(app: QApplication) -> _Watch:
    global _watch
    if _watch is None:
        _watch = _Watch(app)
    return _watch


def refresh(widget: QWidget) -> None:
    """Make the style sheet look again at the dynamic properties of `widget`."""
    style = widget.style()
    style.unpolish(widget)
    style.polish(widget)
    widget.update()
