"""Mapped tensors into modules: names, shapes and fused projections in one place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from safetensors import SafetensorError, safe_open
from torch import Tensor, nn

from engine import kernels
from engine.errors import ModelError
from engine.kernels import Kind
from engine.model import bare
from engine.model.native_linear import NativeLinear, Weights
from engine.model.packed_store import PackedStore
from engine.model.quantize import Parts, layers
from engine.model.row_wise import RowWiseLinear
from engine.model.tensor_index import TensorIndex

# A parameter of ours that is several of the file's, one above the other: one product instead of three.
_FUSED = {
    "qkv_proj": ("q_proj", "k_proj", "v_proj"),
    "gate_up_proj": ("gate_proj", "up_proj"),
}


class Tensors(Mapping[str, Tensor]):
    """The tensors of a folder, mapped from disk when asked for.

    `replaced` stands before the files: weights rebuilt from a voice file take the place of the model's. Each of them
    is handed out once and not held any longer.
    """

    def __init__(self, index: TensorIndex, replaced: Mapping[str, Tensor] | None = None) -> None:
        self.index = index
        self._replaced: dict[str, Tensor | None] = dict(replaced or {})
        self._open: dict[str, safe_open] = {}

    def __iter__(self) -> Iterator[str]:
        return iter(self.index)

    def __len__(self) -> int:
        return len(self.index)

    def __getitem__(self, name: str) -> Tensor:
        if name in self._replaced:
            given, self._replaced[name] = self._replaced[name], None
            assert given is not None, f"{name} is asked for a second time"
            return given
        file = str(self.index.place(name).file)
        try:
            if file not in self._open:
                self._open[file] = safe_open(file, framework="pt")
            tensor: Tensor = self._open[file].get_tensor(name)  # type: ignore[no-untyped-call]
        except (SafetensorError, OSError) as error:
            raise ModelError(f"{file} cannot be read ({error}). Fetch the model again.") from error
        return tensor

    def shape(self, name: str) -> tuple[int, ...]:
        given = self._replaced.get(name)
        if given is not None:
            return tuple(given.shape)
        return self.index.place(name).shape


def tensor_of(value: npt.NDArray[Any]) -> Tensor:
    """A tensor over the same memory: bf16 for uint16 bit patterns, else the array's own type."""
    tensor = torch.from_numpy(value)
    return tensor.view(torch.bfloat16) if value.dtype == np.uint16 else tensor


def load_module(
    module: nn.Module,
    tensors: Tensors,
    prefix: str,
    dtype: torch.dtype,
    device: torch.device,
    tick: Callable[[], None],
    packed: PackedStore | None = None,
    exact: bool = False,
    row_wise: bool = False,
) -> None:
    """Give `module` (built on the meta device) its parameters from `tensors` under `prefix`, as `dtype` on `device`.

    With `packed` every linear layer is one of packed weights, taken from there or added. `exact` (float32 on a CPU)
    computes over bf16 weights where they lie, by the kernels; where it cannot, `row_wise` makes a `RowWiseLinear`. All
    shapes are compared before any memory is spent. `tick` is called before each parameter and may
    raise.
    """
    wanted = {name: _sources(prefix + name) for name, _ in module.named_parameters()}
    for name, parameter in module.named_parameters():
        _check_shape(tensors, wanted[name], tuple(parameter.shape))

    def read(name: str) -> Tensor:
        pieces = [tensors[source].to(device, dtype) for source in wanted[name]]
        return pieces[0] if len(pieces) == 1 else torch.cat(pieces)

    to_lay_out: list[tuple[str, tuple[Parts, int, Tensor | None]]] = []
    for path, owner in list(module.named_modules()):
        names = {leaf: f"{path}.{leaf}".removeprefix(".") for leaf, _ in owner.named_parameters(recurse=False)}
        for _ in names:
            tick()
        if packed is not None and isinstance(owner, nn.Linear):
            weight = partial(read, names["weight"])
            parts = packed.parts(prefix + path, owner.out_features, owner.in_features, weight)
            bias = read(names["bias"]) if "bias" in names else None
            to_lay_out.append((path, (parts, owner.out_features, bias)))
            continue
        if exact and isinstance(owner, nn.Linear):
            bias = read(names["bias"]) if "bias" in names else None
            pieces = [tensors[source] for source in wanted[names["weight"]]]
            module.set_submodule(path, _exact_linear(pieces, bias, row_wise))
            continue
        for leaf, name in names.items():
            setattr(owner, leaf, nn.Parameter(read(name), requires_grad=False))
    for (path, _), made in zip(to_lay_out, layers([work for _, work in to_lay_out]), strict=True):
        tick()
        module.set_submodule(path, made)


def _exact_linear(pieces: list[Tensor], bias: Tensor | None, row_wise: bool) -> nn.Module:
    """The layer whose weights are `pieces`, one above the other: float32, or what is float32 when it is read."""
    inputs = pieces[0].shape[1]
    if all(piece.dtype == torch.bfloat16 and kernels.supports(Kind.BF16, len(piece), inputs) for piece in pieces):
        return NativeLinear(Kind.BF16, [Weights(piece) for piece in pieces], inputs, bias)
    weight = torch.cat([piece.float() for piece in pieces])
    if row_wise:
        return RowWiseLinear(weight, bias)
    layer = bare.Linear(inputs, len(weight), bias=bias is not None, device="meta")
    layer.weight = nn.Parameter(weight, requires_grad=False)
    if bias is not None:
        layer.bias = nn.Parameter(bias, requires_grad=False)
    return layer


def _sources(name: str) -> list[str]:
    for fused, parts in _FUSED.items():
        if f".{fused}." in name:
            return [name.replace(fused, part) for part in parts]
    return [name]


def _check_shape(tensors: Tensors, sources: list[str], wanted: tuple[int, ...]) -> None:
    shapes = [tensors.shape(source) for source in sources]
    found = (sum(shape[0] for shape in shapes), *shapes[0][1:]) if shapes[0] else ()
    if found != wanted:
        name = re.sub(r"^model\.", "", sources[0])
        raise ModelError(
            f"{tensors.index.folder}: tensor {name} is {found}, but config.json asks for {wanted}. "
            "The weights belong to another model; fetch it again."
        )
