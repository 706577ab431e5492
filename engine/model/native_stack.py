"""A stack's layers in one call of `engine/kernels`: on a CPU, over float32 rows and `NativeLinear` weights.

What it computes is said in `layers.py`; `stack.c` does the same without an interpreter between products, and without
holding its lock. A row's result does not depend on the rows beside it.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn

from engine import kernels
from engine.kernels import LANES
from engine.model.native_linear import MOST_PIECES, NativeLinear

if TYPE_CHECKING:
    from engine.model.layers import KeyValueCache, Layer, Stack

_PIECE_FIELDS = 4


class NativeStack:
    """Made by `native_stack`. Addresses of all weights in one table, as `layer` in stack.h; the modules hold them."""

    def __init__(self, stack: Stack) -> None:
        self._stack = stack
        c = stack.config
        self._table = array("q", [field for layer in stack.layers for field in _fields(layer)])
        self._sizes = (
            c.num_hidden_layers, c.hidden_size, c.num_attention_heads, c.num_key_value_heads, c.head_dim,
            c.intermediate_size, c.rms_norm_eps, stack.norm.weight.data_ptr(),
        )  # fmt: skip

    def __call__(self, rows: Tensor, caches: Sequence[KeyValueCache]) -> Tensor:
        """`rows` [batch, rows, width]; with several caches one row for each, else `batch` streams of one cache."""
        batch, count, width = rows.shape
        places = array("q")
        for stream in range(batch):
            cache, inside = (caches[stream], 0) if len(caches) > 1 else (caches[0], stream)
            places.extend(cache.places(inside, count))
        tables = [self._stack.rotary.at(cache.length, count, rows) for cache in caches]
        if batch > 1:
            tables = tables if len(caches) > 1 else tables * batch
            cos, sin = (torch.cat(parts).contiguous() for parts in zip(*tables, strict=True))
        else:
            cos, sin = tables[0]
        out = rows.reshape(batch * count, width).clone(memory_format=torch.contiguous_format)
        kernels.stack(
            self._table.buffer_info()[0], *self._sizes, out.data_ptr(), len(out),
            places.buffer_info()[0], cos.data_ptr(), sin.data_ptr(),
        )  # fmt: skip
        for cache in caches:
            cache.length += count
        return out.view(batch, count, width)


def native_stack(stack: Stack) -> NativeStack | None:
    """`stack` as one call; None where it is not of the kind that `stack.c` computes."""
    modules = [module for layer in stack.layers for module in layer.modules()]
    linears = [module for module in modules if hasattr(module, "packed_bytes") or isinstance(module, nn.Linear)]
    c = stack.config
    whole = all(size % LANES == 0 for size in (c.hidden_size, c.head_dim, c.intermediate_size))
    possible = (
        kernels.available()
        and whole
        and stack.window is None
        and not stack.scaled
        and stack.head_norms
        and all(isinstance(linear, NativeLinear) and linear.fits_a_stack for linear in linears)
        and stack.norm.weight.dtype == torch.float32
    )
    return NativeStack(stack) if possible else None


def _fields(layer: nn.Module) -> list[int]:
    layer = cast("Layer", layer)
    attention, mlp = layer.self_attn, layer.mlp
    assert attention.q_norm is not None
    assert attention.k_norm is not None
    norms = (layer.input_layernorm, layer.post_attention_layernorm, attention.q_norm, attention.k_norm)
    fields = [norm.weight.data_ptr() for norm in norms]
    for linear in (attention.qkv_proj, attention.o_proj, mlp.gate_up_proj, mlp.down_proj):
        pieces = cast(NativeLinear, linear).pieces()
        fields += [field for piece in pieces for field in piece]
        fields += [0] * _PIECE_FIELDS * (MOST_PIECES - len(pieces))
    return fields
