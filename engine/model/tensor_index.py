"""Where a folder's tensors lie: safetensors headers, every length compared with the file before it is used."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.errors import ModelError
from engine.model.config import read_json

_LENGTH_BYTES = 8  # a safetensors file begins with its header's length
_MOST_HEADER_BYTES = 100_000_000  # the format's own limit
_ITEM_BYTES = {"F64": 8, "I64": 8, "F32": 4, "I32": 4, "BF16": 2, "F16": 2, "I16": 2, "I8": 1, "U8": 1, "BOOL": 1}


@dataclass(frozen=True)
class TensorPlace:
    """Where a tensor lies: file, dtype as safetensors names it, shape, first byte in the file."""

    file: Path
    dtype: str
    shape: tuple[int, ...]
    offset: int

    @property
    def size_bytes(self) -> int:
        return math.prod(self.shape) * _ITEM_BYTES[self.dtype]


class TensorIndex:
    """Names, dtypes and shapes of a folder's weights: `model.safetensors`, or the files its index names.

    Headers only; raises `ModelError` when a file is missing, damaged, or shorter than its header says.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._places: dict[str, TensorPlace] = {}
        self.files = tuple(_weight_files(folder))
        for file in self.files:
            self._places |= _read_header(file)

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

    def place(self, name: str) -> TensorPlace:
        """Where `name` lies. Raises `ModelError` if the folder lacks it."""
        if name not in self._places:
            raise ModelError(f"{self.folder}: the weights {name} are missing. Fetch the model again.")
        return self._places[name]

    @property
    def size_bytes(self) -> int:
        """Of the files together."""
        return sum(file.stat().st_size for file in self.files)


def _weight_files(folder: Path) -> list[Path]:
    single, index = folder / "model.safetensors", folder / "model.safetensors.index.json"
    if single.is_file() or not index.is_file():
        return [single]
    names = read_json(index).get("weight_map")
    if not isinstance(names, dict) or not names:
        raise ModelError(f"{index}: names no weight files. Fetch the model again.")
    files = sorted({str(name) for name in names.values()})
    if any(Path(name).name != name or name in (".", "..") for name in files):
        raise ModelError(f"{index}: names a file outside its folder. Fetch the model again.")
    return [folder / name for name in files]


def _read_header(file: Path) -> dict[str, TensorPlace]:
    try:
        size = file.stat().st_size
        with file.open("rb") as stream:
            length = int.from_bytes(stream.read(_LENGTH_BYTES), "little")
            if length > min(_MOST_HEADER_BYTES, size - _LENGTH_BYTES):
                raise _broken(file)
            header = json.loads(stream.read(length))
    except FileNotFoundError as error:
        raise ModelError(f"{file.parent} has no {file.name}. Choose a complete Qwen3-TTS model folder.") from error
    except OSError as error:
        raise ModelError(f"{file}: could not be read: {error.strerror}. Choose a complete model folder.") from error
    except (ValueError, RecursionError) as error:
        raise _broken(file) from error
    if not isinstance(header, dict):
        raise _broken(file)
    begin = _LENGTH_BYTES + length
    return {name: _place(file, entry, begin, size) for name, entry in header.items() if name != "__metadata__"}


def _place(file: Path, entry: Any, payload: int, size: int) -> TensorPlace:
    """One header entry, whose bytes start `payload` bytes into a file of `size` bytes."""
    try:
        dtype, shape = str(entry["dtype"]), tuple(int(extent) for extent in entry["shape"])
        begin, end = (int(offset) for offset in entry["data_offsets"])
    except (KeyError, TypeError, ValueError) as error:
        raise _broken(file) from error
    in_file = 0 <= begin <= end <= size - payload and all(extent >= 0 for extent in shape)
    if dtype not in _ITEM_BYTES or not in_file or end - begin != math.prod(shape) * _ITEM_BYTES[dtype]:
        raise _broken(file)
    return TensorPlace(file, dtype, shape, payload + begin)


def _broken(file: Path) -> ModelError:
    return ModelError(f"{file}: the weight file is cut short or damaged. Fetch the model again.")
