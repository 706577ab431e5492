"""A small picture of a voice, drawn from its vector and nothing else: the same voice, the same picture."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QLinearGradient, QPainter, QPainterPath, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.theme import current_theme

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from PySide6.QtGui import QPaintEvent

    Floats = NDArray[np.float32]

_FEATURES: Final = 40
_HARMONICS: Final = (2, 3, 4, 5, 7)
_LAYERS: Final = 3
_POINTS: Final = 80
_KEPT_VOICES: Final = 256  # whose outlines stay: more than a list shows at once


class VoiceGlyph(QWidget):
    """The picture of one voice on a rounded tile; an empty tile while there is no vector."""

    def __init__(self, size: int = 48, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._size = size
        self._features: tuple[float, ...] | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_vector(self, vector: Floats | None) -> None:
        """Draw the voice with this speaker vector, float32 of any length."""
        self._features = None if vector is None else glyph_features(vector)
        self.update()

    def sizeHint(self) -> QSize:
        return QSize(self._size, self._size)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        draw_glyph(painter, QRectF(self.rect()), self._features)
        painter.end()


def glyph_features(vector: Floats) -> tuple[float, ...]:
    """Forty numbers from -1 to 1 that stand for `vector`; near vectors give near numbers."""
    values = np.asarray(vector, dtype=np.float64).reshape(-1)
    norm = float(np.linalg.norm(values))
    if norm == 0 or not math.isfinite(norm):
        return (0.0,) * _FEATURES
    spread = _directions(len(values)) @ (values / norm)
    return tuple(float(value) for value in np.sin(1.5 * spread))


@lru_cache(maxsize=4)
def _directions(width: int) -> NDArray[np.float64]:
    """Fixed directions in a space of `width` dimensions, each a wave of its own; no random numbers to depend on."""
    place = np.arange(width) + 0.5
    rows = np.arange(1, _FEATURES + 1)[:, None] * 0.6180339887498949
    waves = np.cos(np.pi * place[None, :] * ((rows * 997.0) % 1.0 * 0.97 + 0.02) + 2 * np.pi * (rows % 1.0))
    return np.asarray(waves * math.sqrt(2))


def draw_glyph(painter: QPainter, area: QRectF, features: tuple[float, ...] | None) -> None:
    """Draw the picture for `features` (of `glyph_features`) into `area`; an empty tile for None."""
    theme = current_theme()
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.setPen(Qt.PenStyle.NoPen)
    radius = min(theme.radius.card, area.width() / 5)
    tile = QPainterPath()
    tile.addRoundedRect(area, radius, radius)
    if features is None:
        painter.fillPath(tile, theme.color("line"))
        painter.restore()
        return
    hue = (math.atan2(features[0], features[1]) / (2 * math.pi)) % 1.0
    turn = 0.07 * features[38]
    painter.fillPath(tile, _ground(area, hue, dark=theme.ground == "dark"))
    painter.setClipPath(tile)
    for layer in range(_LAYERS):
        _draw_layer(painter, area, features, layer, (hue + turn * layer) % 1.0)
    painter.restore()


def _ground(area: QRectF, hue: float, *, dark: bool) -> QLinearGradient:
    gradient = QLinearGradient(area.topLeft(), area.bottomRight())
    light = (0.19, 0.12) if dark else (0.93, 0.87)
    gradient.setColorAt(0, QColor.fromHslF(hue, 0.30, light[0]))
    gradient.setColorAt(1, QColor.fromHslF(hue, 0.34, light[1]))
    return gradient


def _draw_layer(painter: QPainter, area: QRectF, features: tuple[float, ...], layer: int, hue: float) -> None:
    painter.save()
    painter.translate(area.center())
    painter.scale(area.width(), area.width())
    painter.setBrush(QColor.fromHslF(hue, 0.52, (0.44, 0.58, 0.76)[layer]))
    painter.drawPolygon(_outline(features[2 + layer * 12 : 14 + layer * 12], layer))
    painter.restore()


@lru_cache(maxsize=_LAYERS * _KEPT_VOICES)
def _outline(shape: tuple[float, ...], layer: int) -> QPolygonF:
    """The closed curve of a layer around the origin, for a tile of width 1; kept, since lists draw it often."""
    angle, waves = _circle()
    turns = math.pi * np.array(shape[1 : 2 * len(_HARMONICS) : 2])
    heights = np.array(shape[: 2 * len(_HARMONICS) : 2]) / (np.arange(len(_HARMONICS)) + 2.2)
    swell = np.concatenate([heights * np.cos(turns), -heights * np.sin(turns)]) @ waves
    distance = (0.43, 0.31, 0.18)[layer] * (0.82 + 0.30 * swell)
    places = zip((distance * np.cos(angle)).tolist(), (distance * np.sin(angle)).tolist(), strict=True)
    return QPolygonF([QPointF(x, y) for x, y in places])


@lru_cache(maxsize=1)
def _circle() -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The angles of an outline's points, and cosine and sine of each harmonic there."""
    angle = np.linspace(0.0, 2 * math.pi, _POINTS, endpoint=False)
    turns = np.array(_HARMONICS)[:, None] * angle
    return angle, np.concatenate([np.cos(turns), np.sin(turns)])
