"""The style sheet made from the tokens.

Buttons take a dynamic property `role`: "primary", "ghost", "danger" or none for the plain one. Labels take `textSize`
("caption", "lead", "title", "display") and `tone` ("dim", "accent", "good", "warn", "bad"). Frames take `card`
("surface", "raised", "well"). `focusRing` is set by the theme on the widget the keyboard has reached.
"""

from __future__ import annotations

from string import Template
from typing import TYPE_CHECKING

import resources
from app.theme.style_parts import ALL

if TYPE_CHECKING:
    from app.theme.theme import Theme


def style_sheet(theme: Theme) -> str:
    """The whole style sheet of `theme`."""
    return Template("\n".join(ALL)).substitute(_values(theme))


def _values(theme: Theme) -> dict[str, str]:
    colors, space = theme.colors, theme.space
    values = {name: getattr(colors, name) for name in colors.__slots__}
    values |= {f"space_{name}": f"{getattr(space, name)}px" for name in space.__slots__}
    values |= {f"text_{name}": f"{getattr(theme.text, name)}px" for name in theme.text.__slots__}
    icons = resources.path("icons", "controls").as_posix()
    values |= {
        "radius": f"{theme.radius.control}px",
        "radius_card": f"{theme.radius.card}px",
        "ring_on_accent": colors.text,
        "mark": f"{icons}/{theme.ground}",
        "tick": f"{round(theme.text.body * 1.25)}px",
    }
    return values
