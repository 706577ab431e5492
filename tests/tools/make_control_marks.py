"""Writes `resources/icons/controls/`: the small marks the style sheet needs as files, in the colours of the tokens.

Run it after changing a token: `python -m tests.tools.make_control_marks`.
"""

from __future__ import annotations

import re
from pathlib import Path

import resources
from app.theme.tokens import DARK, LIGHT, Colors

_MARKS = {
    "check": ("check", "on_accent", 3.2),
    "minus": ("minus", "on_accent", 3.2),
    "check-off": ("check", "text_off", 3.2),
    "chevron-down": ("chevron-down", "text_dim", 2.4),
    "chevron-up": ("chevron-up", "text_dim", 2.4),
    "chevron-down-off": ("chevron-down", "text_off", 2.4),
    "chevron-up-off": ("chevron-up", "text_off", 2.4),
}
_DOT = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><circle cx="12" cy="12" r="6" fill="{}"/></svg>\n'


def marks() -> dict[str, str]:
    """File name to SVG text, for both grounds."""
    files: dict[str, str] = {}
    for ground, colors in (("dark", DARK), ("light", LIGHT)):
        for name, (source, color, width) in _MARKS.items():
            files[f"{ground}-{name}.svg"] = _recoloured(source, getattr(colors, color), width)
        files |= _dots(ground, colors)
    return files


def _dots(ground: str, colors: Colors) -> dict[str, str]:
    return {
        f"{ground}-dot.svg": _DOT.format(colors.on_accent),
        f"{ground}-dot-off.svg": _DOT.format(colors.text_off),
    }


def _recoloured(source: str, color: str, width: float) -> str:
    text = resources.path("icons", "lucide", f"{source}.svg").read_text(encoding="utf-8")
    text = text.replace("currentColor", color)
    return re.sub(r'stroke-width="[^"]*"', f'stroke-width="{width}"', text)


def main() -> None:
    folder: Path = resources.path("icons", "controls")
    folder.mkdir(exist_ok=True)
    for name, text in marks().items():
        (folder / name).write_text(text, encoding="utf-8", newline="\n")


if __name__ == "__main__":
    main()
