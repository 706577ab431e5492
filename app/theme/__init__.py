"""The look of the window: tokens, the theme made from them, and the way to put it on."""

from app.theme.theme import Mode, Theme, apply_theme, current_theme, refresh, theme_changes
from app.theme.tokens import DARK, LIGHT, Colors, Radius, Space, TextSize

__all__ = [
    "DARK",
    "LIGHT",
    "Colors",
    "Mode",
    "Radius",
    "Space",
    "TextSize",
    "Theme",
    "apply_theme",
    "current_theme",
    "refresh",
    "theme_changes",
]
