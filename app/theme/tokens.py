"""Every size and colour of the window. Nothing else in `app/` names a colour or a distance of its own.

Colours are written for two grounds. Text colours hold at least 4.5 : 1 on every ground they are used on, edges of
controls 3 : 1 (`tests/app/widgets/test_theme.py` computes them).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

Ground = Literal["dark", "light"]


@dataclass(frozen=True, slots=True)
class Space:
    """Distances in logical pixels."""

    xs: int = 4
    s: int = 8
    m: int = 12
    l: int = 16  # noqa: E741 - the scale is xs s m l xl xxl
    xl: int = 24
    xxl: int = 32


@dataclass(frozen=True, slots=True)
class Radius:
    """Corner radii in logical pixels."""

    control: int = 6
    card: int = 10


@dataclass(frozen=True, slots=True)
class TextSize:
    """Text heights in logical pixels, before the system's own text scale."""

    caption: int = 12
    body: int = 13
    lead: int = 15
    title: int = 20
    display: int = 28

    def scaled(self, factor: float) -> TextSize:
        """The same steps, `factor` times as tall."""
        return TextSize(*(round(size * factor) for size in (12, 13, 15, 20, 28)))


@dataclass(frozen=True, slots=True)
class Colors:
    """One palette, each colour as `#rrggbb`.

    Grounds rise from `well` (the bed of text fields and pictures) over `ground` (the window) and `surface` (cards)
    to `raised` (what lies on a card, and controls). `hover` and `pressed` are `raised` under the pointer.
    """

    well: str
    ground: str
    surface: str
    raised: str
    hover: str
    pressed: str
    line: str  # a quiet division; carries no meaning
    edge: str  # the border of a control: 3 : 1
    text: str
    text_dim: str
    text_off: str  # disabled; exempt from the contrast rule as WCAG 1.4.3 has it
    accent: str
    accent_hover: str
    accent_pressed: str
    on_accent: str
    accent_soft: str  # ground of what is selected
    good: str
    good_soft: str
    warn: str
    warn_soft: str
    bad: str
    bad_soft: str
    meter_low: str  # fills of a level meter, always with the figure beside them
    meter_high: str
    meter_full: str
    wave_peak: str  # the outer, quieter hull of a waveform
    cursor: str
    veil: str  # lies over what is *not* selected
    picture_cursor: str  # the same two over a mel, which is dark in both themes
    picture_veil: str
    shadow: str


DARK: Final = Colors(
    well="#0a0d11",
    ground="#0d1015",
    surface="#151a21",
    raised="#1e242d",
    hover="#28303b",
    pressed="#191f27",
    line="#2a323d",
    edge="#687588",
    text="#e8ecf2",
    text_dim="#a2abb8",
    text_off="#66707e",
    accent="#58a6ff",
    accent_hover="#7ab8ff",
    accent_pressed="#4492ea",
    on_accent="#06121f",
    accent_soft="#16304d",
    good="#4cc38a",
    good_soft="#10281d",
    warn="#f0b429",
    warn_soft="#2c2209",
    bad="#ff7b72",
    bad_soft="#371a19",
    meter_low="#4cc38a",
    meter_high="#f0b429",
    meter_full="#ff7b72",
    wave_peak="#2d5788",
    cursor="#ffffff",
    veil="#000000",
    picture_cursor="#ffffff",
    picture_veil="#000000",
    shadow="#000000",
)

LIGHT: Final = Colors(
    well="#ffffff",
    ground="#f2f4f7",
    surface="#fafbfc",
    raised="#ffffff",
    hover="#eceff4",
    pressed="#e1e6ed",
    line="#d8dde4",
    edge="#838d9b",
    text="#171b21",
    text_dim="#545d6a",
    text_off="#9aa2ad",
    accent="#0b62c9",
    accent_hover="#0a56b0",
    accent_pressed="#084890",
    on_accent="#ffffff",
    accent_soft="#dceafb",
    good="#13713f",
    good_soft="#e0f3e8",
    warn="#8a5a00",
    warn_soft="#fdf1d6",
    bad="#c0271f",
    bad_soft="#fde6e4",
    meter_low="#2c9f63",
    meter_high="#d99a00",
    meter_full="#d8453c",
    wave_peak="#8fb8ea",
    cursor="#0a0d11",
    veil="#ffffff",
    picture_cursor="#ffffff",
    picture_veil="#000000",
    shadow="#3a4452",
)

# Every pair of text and ground the style sheet and the painted widgets use: (text, ground).
TEXT_PAIRS: Final[tuple[tuple[str, str], ...]] = (
    *((text, ground) for text in ("text", "text_dim") for ground in ("well", "ground", "surface", "raised")),
    *((text, ground) for text in ("text", "text_dim") for ground in ("hover", "pressed", "accent_soft")),
    *((text, ground) for text in ("accent", "good", "warn", "bad") for ground in ("well", "ground", "surface")),
    *((text, "raised") for text in ("accent", "good", "warn", "bad")),
    *(("on_accent", ground) for ground in ("accent", "accent_hover", "accent_pressed")),
    *(("text", f"{verdict}_soft") for verdict in ("good", "warn", "bad")),
    *((verdict, f"{verdict}_soft") for verdict in ("good", "warn", "bad", "accent")),
)

# Shapes that carry meaning need 3 : 1 (WCAG 1.4.11).
SHAPE_PAIRS: Final[tuple[tuple[str, str], ...]] = (
    *(("edge", ground) for ground in ("well", "ground", "surface", "raised")),
    *(("accent", ground) for ground in ("well", "ground", "surface", "raised", "accent_soft")),
    ("cursor", "well"),
)
