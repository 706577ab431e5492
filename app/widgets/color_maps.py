"""Perceptually uniform colours for the mel picture, from the tables that pyqtgraph ships.

The tables are read as files: importing pyqtgraph takes up to a second and would be felt when the first mel appears.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

MapName = Literal["magma", "viridis"]


@lru_cache(maxsize=2)
def color_map(name: MapName) -> NDArray[np.uint32]:
    """256 colours from quiet to loud as 0xFFRRGGBB."""
    spec = find_spec("pyqtgraph")
    if spec is None or spec.origin is None:
        raise FileNotFoundError("pyqtgraph is not installed; its colour tables are needed for the mel picture")
    table = Path(spec.origin).parent / "colors" / "maps" / f"{name}.csv"
    shades = np.loadtxt(table, delimiter=",", dtype=np.float64, comments=";", encoding="utf-8")[:, :3]
    red, green, blue = (np.round(np.clip(shades.T, 0, 1) * 255)).astype(np.uint32)
    packed: NDArray[np.uint32] = np.uint32(0xFF000000) | (red << np.uint32(16)) | (green << np.uint32(8)) | blue
    return packed
