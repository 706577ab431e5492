"""The transformer that talker, code predictor and codec share, and its caches.

Rows are [batch, rows, width]. A cache is an argument: the weights never change, so one model can serve several
streams. Query and key are handled together (one norm, one rotation) since they meet the same arithmetic.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from engine.model import bare
from engine.model.config import StackConfig
from engine.model.native_stack import NativeStack, native_stack


class Rotary:
    """Cosines and sines of rotary positions, half-split, kept up to the longest position met.

    Float32, as the official code computes them: inverse frequencies theta^(-2i/d), both halves alike but for the sign
    of the first half's sines, which is what `rotate` needs.
    """

    def __init__(self, head_dim: int, theta: float) -> None:
        self._head_dim, self._theta = head_dim, theta
        self._tables: tuple[Tensor, Tensor] | None = None

    def at(self, first: int, count: int, like: Tensor) -> tuple[Tensor, Tensor]:
        """cos and sin, each [count, 1, head_dim], of positions `first` .. `first + count - 1`, to go with `like`."""
        end = first + count
        tables = self._tables
        if (
            tables is None
            or end > tables[0].shape[0]
            or (tables[0].device, tables[0].dtype) != (like.device, like.dtype)
        ):
            cos, sin = self._compute(max(64, 1 << (end - 1).bit_length()))
            tables = self._tables = (cos.to(like), sin.to(like))
        cos, sin = tables
        return cos[first:end, None], sin[first:end, None]

    def _compute(self, positions: int) -> tuple[Tensor, Tensor]:
        steps = torch.arange(0, self._head_dim, 2, dtype=torch.int64).float() / self._head_dim
        angles = torch.arange(positions).float()[:, None] / (self._theta**steps)
        cos, sin = angles.cos(), angles.sin()
        return torch.cat((cos, cos), dim=-1), torch.cat((-sin, sin), dim=-1)


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate `x` [batch, rows, heads, head_dim]: channel c with channel c + head_dim / 2."""
    return torch.addcmul(x * cos, x.roll(x.shape[-1] // 2, dims=-1), sin)


class KeyValueCache:
    """Keys and values of every layer, in one block that grows by doubling. `length` rows are in use."""

    def __init__(self, config: StackConfig, batch: int, capacity: int, like: Tensor) -> None:
        """Room for `capacity` rows on the device and in the precision of `like`."""
        self.length = 0
        self._layers = config.num_hidden_layers
        self._shape = (self._layers, 2, batch, config.num_key_value_heads, capacity, config.head_dim)
        self._block = like.new_zeros(self._shape)

    @property
    def nbytes(self) -> int:
        """Of the whole block, rows not used yet included."""
        return self._block.nbytes

    def reset(self) -> None:
        """Forget all rows; the block is kept."""
        self.length = 0

    def append(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """Store rows [batch, kv_heads, rows, head_dim]; returns all rows so far. The last layer moves `length`."""
        end = self.length + keys.shape[2]
        if end > self._block.shape[4]:
            self._grow(end)
        self._block[layer, 0, :, :, self.length : end] = keys
        self._block[layer, 1, :, :, self.length : end] = values
        block = self._block[layer, :, :, :, :end]
        if layer == self._layers - 1:
            self.length = end
        return block[0], block[1]

    def places(self, stream: int, rows: int) -> list[int]:
        """Room for the next `rows` of one stream of the batch: for each the fields of `place` in stack.h."""
        if self.length + rows > self._block.shape[4]:
            self._grow(self.length + rows)
        layer, value, batch, *_ = self._block.stride()
        begin = self._block.data_ptr() + stream * batch * self._block.element_size()
        capacity = self._block.shape[4]
        return [field for row in range(rows) for field in (begin, layer, value, capacity, self.length + row)]

    def rows(self) -> Tensor:
        """[layers, 2, batch, kv_heads, length, head_dim], of which 2 is keys and values."""
        return self._block[..., : self.length, :]

    def view(self, rotary: Rotary, rows: Tensor, window: int | None) -> tuple[Tensor, Tensor, Tensor | None]:
        """Cosines and sines of the places of the next `rows`, and which kept rows each of them sees."""
        return _view(self, rotary, rows, window)

    def past(self) -> int:
        return self.length

    def first_row(self) -> int:
        """The position of the oldest row still kept."""
        return 0

    def _grow(self, needed: int) -> None:
        capacity = max(needed, 2 * self._block.shape[4])
        grown = self._block.new_zeros(*self._shape[:4], capacity, self._shape[5])
        grown[..., : self.length, :] = self._block[..., : self.length, :]
        self._block = grown


class WindowCache:
    """Keys and values of the last `window - 1` rows of every layer: all that a windowed layer can still see."""

    def __init__(self, config: StackConfig, window: int) -> None:
        self._keep = window - 1
        self._rows: list[tuple[Tensor, Tensor] | None] = [None] * config.num_hidden_layers
        self._seen = 0

    def view(self, rotary: Rotary, rows: Tensor, window: int | None) -> tuple[Tensor, Tensor, Tensor | None]:
        """See `KeyValueCache.view`."""
        return _view(self, rotary, rows, window)

    def past(self) -> int:
        return self._seen

    def first_row(self) -> int:
        return max(0, self._seen - self._keep)

    def append(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """As `KeyValueCache.append`, over the rows still in reach."""
        new, before = keys.shape[2], self._rows[layer]
        if before is not None:
            keys, values = torch.cat((before[0], keys), dim=2), torch.cat((before[1], values), dim=2)
        self._rows[layer] = (keys[:, :, -self._keep :], values[:, :, -self._keep :])
        if layer == len(self._rows) - 1:
            self._seen += new
        return keys, values


class StaticCache:
    """Keys and values of one stream in memory that never moves, for steps that are captured once (see `graphs.py`).

    The place of the next row is a tensor, so that one captured step serves every place; rows not used yet are masked.
    """

    def __init__(self, config: StackConfig, capacity: int, like: Tensor) -> None:
        shape = (config.num_hidden_layers, 2, 1, config.num_key_value_heads, capacity, config.head_dim)
        self._block = like.new_zeros(shape)
        self._rows = torch.arange(capacity, device=like.device)
        self._place = torch.zeros(1, dtype=torch.int64, device=like.device)
        self._tables: tuple[Tensor, Tensor] | None = None  # kept here, since a captured step reads them where they lie

    def place(self, row: int) -> None:
        """The next row goes to place `row`."""
        self._place.fill_(row)

    def load(self, cache: KeyValueCache) -> None:
        """Take over the rows of `cache`."""
        self._block[..., : cache.length, :] = cache.rows()

    def copy_from(self, other: StaticCache, length: int) -> None:
        self._block[..., :length, :] = other._block[..., :length, :]

    def append(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        """As `KeyValueCache.append`, one row, but all places come back."""
        self._block[layer, 0].index_copy_(2, self._place, keys)
        self._block[layer, 1].index_copy_(2, self._place, values)
        return self._block[layer, 0], self._block[layer, 1]

    def view(self, rotary: Rotary, rows: Tensor, window: int | None) -> tuple[Tensor, Tensor, Tensor | None]:
        """See `KeyValueCache.view`; no window."""
        if self._tables is None:
            self._tables = rotary.at(0, len(self._rows), rows)
        cos, sin = self._tables
        return cos[self._place], sin[self._place], (self._rows <= self._place)[None]


class Together:
    """The caches of several streams, one row each of which is computed at once: a batch, but each at its own place."""

    def __init__(self, caches: Sequence[KeyValueCache]) -> None:
        self.caches = caches

    def view(self, rotary: Rotary, rows: Tensor, window: int | None) -> tuple[Tensor, Tensor, Tensor | None]:
        """See `KeyValueCache.view`; every row sees all of its own stream."""
        places = [rotary.at(one.past(), 1, rows) for one in self.caches]
        cos, sin = (torch.stack(tables) for tables in zip(*places, strict=True))
        return cos, sin, None


OneStream = KeyValueCache | WindowCache | StaticCache
Cache = OneStream | Together


def _view(
    cache: KeyValueCache | WindowCache, rotary: Rotary, rows: Tensor, window: int | None
) -> tuple[Tensor, Tensor, Tensor | None]:
    cos, sin = rotary.at(cache.past(), rows.shape[1], rows)
    return cos, sin, visible(rows.shape[1], cache, window, rows.device)


def visible(rows: int, cache: KeyValueCache | WindowCache, window: int | None, device: torch.device) -> Tensor | None:
    """Which kept rows each of the next `rows` rows sees: bool [rows, kept + rows]; None when it is all of them."""
    past, first = cache.past(), cache.first_row()
    if rows == 1 and (window is None or past - first < window):
        return None
    queries = torch.arange(past, past + rows, device=device)[:, None]
    keys = torch.arange(first, past + rows, device=device)[None]
    mask = keys <= queries
    return mask if window is None else mask & (keys > queries - window)


class Normer:
    """Rows over their root mean square, times `weight` [..., width]; in float32, as the official code has it.

    On a CPU torch's own takes six small steps for one row, each dearer than its arithmetic; this takes four.
    """

    def __init__(self, weight: Tensor, eps: float) -> None:
        self._weight, self._eps = weight, eps
        width = weight.shape[-1]
        self._floor = weight.new_full((1,), math.sqrt(width * eps))
        self._scaled = weight * math.sqrt(width)

    def __call__(self, x: Tensor) -> Tensor:
        if x.dtype == torch.float32 and x.device.type == "cpu":
            length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
            return x / torch.hypot(length, self._floor) * self._scaled
        return self._weight * F.rms_norm(x.float(), x.shape[-1:], None, self._eps).to(x.dtype)


class RMSNorm(nn.Module):
    """A `Normer` whose weight is loaded."""

    def __init__(self, width: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        if not hasattr(self, "_normer"):
            self._normer = Normer(self.weight, self.eps)
        return self._normer(x)


class LayerScale(nn.Module):
    """A factor per channel on a residual branch."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.empty(width))

    def forward(self, x: Tensor) -> Tensor:
        return x * self.scale


class Attention(nn.Module):
    """Grouped-query attention with rotary positions, optionally with a norm on each query and key head."""

    def __init__(self, config: StackConfig, layer: int, head_norms: bool) -> None:
        super().__init__()
        self.config, self.layer = config, layer
        heads, keys, d = config.num_attention_heads, config.num_key_value_heads, config.head_dim
        self.qkv_proj = bare.Linear(config.hidden_size, (heads + 2 * keys) * d, bias=False)
        self.o_proj = bare.Linear(heads * d, config.hidden_size, bias=False)
        self.q_norm = RMSNorm(d, config.rms_norm_eps) if head_norms else None
        self.k_norm = RMSNorm(d, config.rms_norm_eps) if head_norms else None

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None, cache: Cache) -> Tensor:
        c = self.config
        heads, keys, d = c.num_attention_heads, c.num_key_value_heads, c.head_dim
        batch, rows, _ = x.shape
        qkv = self.qkv_proj(x).view(batch, rows, heads + 2 * keys, d)
        both = qkv[:, :, : heads + keys]
        if self.q_norm is not None:
            both = self._head_norm()(both)
        both = rotate(both, cos, sin).transpose(1, 2)
        k, v = both[:, heads:], qkv[:, :, heads + keys :].transpose(1, 2)
        # The query heads of one key head become its rows, so that keys and values are never copied.
        q = both[:, :heads].reshape(batch, keys, c.heads_per_key * rows, d)
        if isinstance(cache, Together):
            streams = zip(cache.caches, q.chunk(batch), k.chunk(batch), v.chunk(batch), strict=True)
            out = torch.cat([self._attend(one, one_q, one_k, one_v, None) for one, one_q, one_k, one_v in streams])
        else:
            out = self._attend(cache, q, k, v, None if mask is None else mask.repeat(c.heads_per_key, 1))
        out = out.view(batch, heads, rows, d).transpose(1, 2).reshape(batch, rows, heads * d)
        return self.o_proj(out)  # type: ignore[no-any-return]

    def _attend(self, cache: OneStream, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        keys, values = cache.append(self.layer, k, v)
        return F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)

    def _head_norm(self) -> Normer:
        """Of [heads + kv_heads, head_dim]: with each query head's weight, then each key head's."""
        if not hasattr(self, "_normer"):
            assert self.q_norm is not None
            assert self.k_norm is not None
            c = self.config
            heads = self.q_norm.weight.expand(c.num_attention_heads, -1)
            weights = torch.cat((heads, self.k_norm.weight.expand(c.num_key_value_heads, -1)))
            self._normer = Normer(weights, c.rms_norm_eps)
        return self._normer


class GatedMLP(nn.Module):
    """down(silu(gate(x)) * up(x))."""

    def __init__(self, config: StackConfig) -> None:
        super().__init__()
        self.gate_up_proj = bare.Linear(config.hidden_size, 2 * config.intermediate_size, bias=False)
        self.down_proj = bare.Linear(config.intermediate_size, config.hidden_size, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        gate, up = self.gate_up_proj(x).chunk(2, dim=-1)
        return self.down_proj(F.silu(gate) * up)  # type: ignore[no-any-return]


class Layer(nn.Module):
    """x + attention(norm(x)), then x + mlp(norm(x)); a scale on each branch where the codec has one."""

    def __init__(self, config: StackConfig, layer: int, head_norms: bool, scaled: bool) -> None:
        super().__init__()
        self.input_layernorm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.self_attn = Attention(config, layer, head_norms)
        self.post_attention_layernorm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.mlp = GatedMLP(config)
        self.self_attn_layer_scale = LayerScale(config.hidden_size) if scaled else nn.Identity()
        self.mlp_layer_scale = LayerScale(config.hidden_size) if scaled else nn.Identity()

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None, cache: Cache) -> Tensor:
        attended = self.self_attn(self.input_layernorm(x), cos, sin, mask, cache)
        x = x + self.self_attn_layer_scale(attended)
        return x + self.mlp_layer_scale(self.mlp(self.post_attention_layernorm(x)))  # type: ignore[no-any-return]


class Stack(nn.Module):
    """Layers and the final norm. `window` limits how far back a row sees, itself included."""

    def __init__(
        self, config: StackConfig, *, head_norms: bool = True, scaled: bool = False, window: int | None = None
    ) -> None:
        super().__init__()
        self.config, self.window = config, window
        self.head_norms, self.scaled = head_norms, scaled
        self.layers = nn.ModuleList(Layer(config, i, head_norms, scaled) for i in range(config.num_hidden_layers))
        self.norm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.rotary = Rotary(config.head_dim, config.rope_theta)

    def forward(self, rows: Tensor, cache: Cache) -> Tensor:
        """`rows` [batch, rows, width] after the final norm; the cache then holds them.

        With the caches of several streams there is one row of each, [streams, 1, width], and no window.
        """
        native = self._native()
        if native is not None and isinstance(cache, KeyValueCache | Together):
            return native(rows, cache.caches if isinstance(cache, Together) else [cache])
        cos, sin, mask = cache.view(self.rotary, rows, self.window)
        for layer in self.layers:
            rows = layer(rows, cos, sin, mask, cache)
        return self.norm(rows)  # type: ignore[no-any-return]

    def _native(self) -> NativeStack | None:
        """All layers in one call, where that can be had; found out once, when the weights are there."""
        if not hasattr(self, "_in_one_call"):
            self._in_one_call = native_stack(self)
        return self._in_one_call
