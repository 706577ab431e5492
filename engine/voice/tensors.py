"""A checkpoint's tensors as mapped bits, without torch: numpy knows no bf16, so it is handed over as uint16."""

from __future__ import annotations

from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from engine.errors import ModelError
from engine.model.tensor_index import TensorIndex, TensorPlace
from engine.voice.voice import BitArray, FloatArray


class CheckpointTensors:
    """The tensors of a model folder as numpy views of the mapped files. Raises `ModelError`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._index = TensorIndex(folder)
        self._maps: dict[Path, npt.NDArray[np.uint8]] = {}

    def __contains__(self, name: str) -> bool:
        return name in self._index

    def shape(self, name: str) -> tuple[int, ...]:
        return self._index.place(name).shape

    def bits(self, name: str) -> BitArray:
        """A bf16 tensor's bit patterns, uint16, mapped from the file."""
        place = self._index.place(name)
        if place.dtype != "BF16":
            raise _not_bf16(place, name)
        return cast(BitArray, self._view(place, "<u2"))

    def floats(self, name: str) -> FloatArray:
        """A bf16 or f32 tensor as float32."""
        place = self._index.place(name)
        if place.dtype == "F32":
            return cast(FloatArray, self._view(place, "<f4"))
        return widen(self.bits(name))

    def _view(self, place: TensorPlace, kind: str) -> npt.NDArray[Any]:
        if place.file not in self._maps:
            self._maps[place.file] = np.memmap(place.file, np.uint8, mode="r")
        data = self._maps[place.file][place.offset : place.offset + place.size_bytes]
        return data.view(kind).reshape(place.shape).view(np.ndarray)


def _not_bf16(place: TensorPlace, name: str) -> ModelError:
    return ModelError(f"{place.file}: {name} is {place.dtype}, bf16 is needed. Use the released checkpoint.")


def widen(bits: BitArray) -> FloatArray:
    """bf16 bit patterns as the float32 values they stand for."""
    return (bits.astype(np.uint32) << 16).view(np.float32)
