"""Packed weights on disk: packing reads and rounds every weight once, later loads map the result.

A kept file is a safetensors file named after its checkpoint and precision. What cannot be read is packed again, and
what cannot be written is done without. The least recently used go first.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO

import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor

from engine.errors import WriteError
from engine.files import atomic_write, keep_recent
from engine.model.quantize import Parts, fits, pack
from engine.model.tensor_index import TensorIndex

KEPT_BYTES = 8 << 30
_VERSION = 2  # of how weights are packed; another one makes kept files strange
_ALIGNED = 64  # bytes; of the tensors' beginning, which a processor reads a line at a time
_DTYPES = {torch.int8: "I8", torch.uint8: "U8", torch.float32: "F32", torch.bfloat16: "BF16"}
_SUFFIX = ".packed"


class PackedStore:
    """The packed layers of one checkpoint. Without a `folder` nothing is kept."""

    def __init__(self, precision: str, index: TensorIndex | None = None, folder: Path | None = None) -> None:
        self._precision = precision
        self.path = None if index is None or folder is None else folder / f"{_mark(index)}-{precision}{_SUFFIX}"
        self._kept = _open(self.path)
        self._new: dict[str, Tensor] = {}

    def parts(self, name: str, outputs: int, inputs: int, weight: Callable[[], Tensor]) -> Parts:
        """The packed weight of layer `name`; `weight` gives it as float32 [outputs, inputs] where it is not kept."""
        if self._kept is not None:
            kept = _parts_of(self._kept, name)
            if fits(kept, outputs, inputs):
                return kept
        made = pack(self._precision, weight())
        if self.path is not None:
            self._new.update({f"{name}:{part}": tensor for part, tensor in made.items()})
        return made

    def keep(self) -> None:
        """Write what was packed, whole or not at all; a cache that cannot be written is no reason to fail."""
        if self.path is None or not self._new:
            return
        with suppress(WriteError, OSError):
            with atomic_write(self.path, sum(tensor.nbytes for tensor in self._new.values())) as file:
                _write(file, self._new)
            self._new.clear()
            keep_recent(self.path.parent, f"*{_SUFFIX}", KEPT_BYTES)


def _write(file: IO[bytes], tensors: dict[str, Tensor]) -> None:
    """As safetensors, one tensor at a time: the library's own writer would make a second copy of all of them."""
    header: dict[str, object] = {"__metadata__": {"layers": str(len(tensors))}}
    end = 0
    for name, tensor in tensors.items():
        begin, end = end, end + tensor.nbytes
        header[name] = {"dtype": _DTYPES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-(8 + len(text)) % _ALIGNED)
    file.write(len(text).to_bytes(8, "little") + text)
    for tensor in tensors.values():
        file.write(tensor.contiguous().view(torch.uint8).numpy().data)


def _open(path: Path | None) -> safe_open | None:
    """The kept file, if it is there and whole."""
    if path is None or not path.is_file():
        return None
    try:
        kept = safe_open(str(path), framework="pt")
        whole = int(kept.metadata().get("layers", 0)) == len(kept.keys())  # type: ignore[no-untyped-call]
    except (SafetensorError, OSError, ValueError, AttributeError):
        whole = False
    if not whole:
        with suppress(OSError):
            path.unlink()
        return None
    with suppress(OSError):
        os.utime(path)  # its time says when it was last used
    return kept


def _parts_of(kept: safe_open, name: str) -> Parts:
    there = set(kept.keys())  # type: ignore[no-untyped-call]
    names = {part: f"{name}:{part}" for part in ("codes", "nibbles", "scales", "units")}
    return {part: kept.get_tensor(key) for part, key in names.items() if key in there}  # type: ignore[no-untyped-call]


def _mark(index: TensorIndex) -> str:
    """A checkpoint's fingerprint: name, size and time of its files, and the names and places of its tensors."""
    hasher = hashlib.sha256(f"{_VERSION}\n".encode())
    for path in sorted(index.files):
        found = path.stat()
        hasher.update(f"{path.absolute()} {found.st_size} {found.st_mtime_ns}\n".encode())
    hasher.update("\n".join(f"{name} {index.place(name).offset}" for name in sorted(index)).encode())
    return hasher.hexdigest()[:24]
