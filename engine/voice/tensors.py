"""A checkpoint's tensors as mapped bits. Headers are read here, since numpy knows no bf16."""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from engine.errors import ModelError
from engine.voice.voice import BitArray, FloatArray

_ITEM_BYTES = {"BF16": 2, "F32": 4}
_MOST_HEADER_BYTES = 100_000_000  # the safetensors format's own limit
_SINGLE, _INDEX = "model.safetensors", "model.safetensors.index.json"


@dataclass(frozen=True)
class _Place:
    path: Path
    kind: str
    shape: tuple[int, ...]
    offset: int  # in the file


class CheckpointTensors:
    """The tensors of `folder`'s model.safetensors or of the files its index names. Raises `ModelError`."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._places: dict[str, _Place] = {}
        self._maps: dict[Path, npt.NDArray[np.uint8]] = {}
        for path in _weight_files(folder):
            self._places |= _read_header(path)

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def shape(self, name: str) -> tuple[int, ...]:
        return self._place(name).shape

    def bits(self, name: str) -> BitArray:
        """A bf16 tensor's bit patterns, uint16, mapped from the file."""
        place = self._place(name)
        if place.kind != "BF16":
            raise ModelError(f"{place.path}: {name} is {place.kind}, bf16 is needed. Use the released checkpoint.")
        return cast(BitArray, self._view(place, "<u2"))

    def floats(self, name: str) -> FloatArray:
        """A bf16 or f32 tensor as float32."""
        place = self._place(name)
        if place.kind == "BF16":
            return widen(self.bits(name))
        if place.kind == "F32":
            return cast(FloatArray, self._view(place, "<f4"))
        raise ModelError(f"{place.path}: {name} is {place.kind}, bf16 is needed. Use the released checkpoint.")

    def _place(self, name: str) -> _Place:
        if name not in self._places:
            raise ModelError(f"{self.folder}: the weights {name} are missing. Fetch the model again.")
        return self._places[name]

    def _view(self, place: _Place, kind: str) -> npt.NDArray[Any]:
        if place.path not in self._maps:
            self._maps[place.path] = np.memmap(place.path, np.uint8, mode="r")
        size = math.prod(place.shape) * _ITEM_BYTES[place.kind]
        view = self._maps[place.path][place.offset : place.offset + size].view(kind).reshape(place.shape)
        return view.view(np.ndarray)


def widen(bits: BitArray) -> FloatArray:
    """bf16 bit patterns as the float32 values they stand for."""
    return (bits.astype(np.uint32) << 16).view(np.float32)


def read_json(path: Path, most_bytes: int = 64 << 20) -> dict[str, Any]:
    """A JSON object of a model folder. Raises `ModelError`."""
    try:
        if path.stat().st_size > most_bytes:
            raise ModelError(f"{path}: too large to be what its name says. Fetch the model again.")
        value = json.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ModelError(f"{path}: could not be read: {error.strerror}. Choose a complete model folder.") from error
    except (ValueError, RecursionError) as error:
        raise ModelError(f"{path}: is not valid JSON. Fetch the model again.") from error
    if not isinstance(value, dict):
        raise ModelError(f"{path}: is not a JSON object. Fetch the model again.")
    return value


def _weight_files(folder: Path) -> list[Path]:
    single, index = folder / _SINGLE, folder / _INDEX
    if single.is_file() or not index.is_file():
        return [single]
    names = read_json(index).get("weight_map")
    if not isinstance(names, dict) or not names:
        raise ModelError(f"{index}: names no weight files. Fetch the model again.")
    files = sorted({str(name) for name in names.values()})
    if any(Path(name).name != name or name in (".", "..") for name in files):
        raise ModelError(f"{index}: names a file outside its folder. Fetch the model again.")
    return [folder / name for name in files]


def _read_header(path: Path) -> dict[str, _Place]:
    try:
        with path.open("rb") as file:
            size = path.stat().st_size
            length = int.from_bytes(file.read(8), "little")
            if length > min(_MOST_HEADER_BYTES, size - 8):
                raise _broken(path)
            header = json.loads(file.read(length))
    except OSError as error:
        raise ModelError(f"{path}: could not be read: {error.strerror}. Choose a complete model folder.") from error
    except (ValueError, RecursionError) as error:
        raise _broken(path) from error
    if not isinstance(header, dict):
        raise _broken(path)
    data = 8 + length
    return {name: _place(path, entry, data, size) for name, entry in header.items() if name != "__metadata__"}


def _place(path: Path, entry: Any, data: int, size: int) -> _Place:
    try:
        kind, shape = str(entry["dtype"]), tuple(int(length) for length in entry["shape"])
        begin, end = (int(offset) for offset in entry["data_offsets"])
    except (KeyError, TypeError, ValueError) as error:
        raise _broken(path) from error
    in_file = 0 <= begin <= end <= size - data and all(length >= 0 for length in shape)
    if not in_file or (kind in _ITEM_BYTES and end - begin != math.prod(shape) * _ITEM_BYTES[kind]):
        raise _broken(path)
    return _Place(path, kind, shape, data + begin)


def _broken(path: Path) -> ModelError:
    return ModelError(f"{path}: the weight file is cut short or damaged. Fetch the model again.")
