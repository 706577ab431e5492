"""The QPalette made from the tokens, for whatever the style sheet does not reach."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QColor, QPalette

if TYPE_CHECKING:
    from app.theme.tokens import Colors


def qt_palette(colors: Colors) -> QPalette:
    """Every role Fusion reads, for enabled and disabled widgets."""
    role = QPalette.ColorRole
    palette = QPalette()
    for name, color in {
        role.Window: colors.ground,
        role.WindowText: colors.text,
        role.Base: colors.well,
        role.AlternateBase: colors.surface,
        role.Text: colors.text,
        role.Button: colors.raised,
        role.ButtonText: colors.text,
        role.BrightText: colors.on_accent,
        role.ToolTipBase: colors.raised,
        role.ToolTipText: colors.text,
        role.PlaceholderText: colors.text_dim,
        role.Highlight: colors.accent,
        role.HighlightedText: colors.on_accent,
        role.Accent: colors.accent,
        role.Link: colors.accent,
        role.LinkVisited: colors.accent,
        role.Light: colors.hover,
        role.Midlight: colors.raised,
        role.Mid: colors.line,
        role.Dark: colors.edge,
        role.Shadow: colors.shadow,
    }.items():
        palette.setColor(name, QColor(color))
    disabled = QPalette.ColorGroup.Disabled
    for name in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText, role.HighlightedText):
        palette.setColor(disabled, name, QColor(colors.text_off))
    palette.setColor(disabled, role.Highlight, QColor(colors.line))
    return palette
