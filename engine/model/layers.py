"""The transformer that talker, code predictor and codec share, and its caches.

Rows are [batch, rows, width]. A cache is an argument: the weights never change, so one model can serve several
streams. Query and key are handled together (one norm, one rotation) since they meet the same arithmetic.
"""

from __future__ import annotations

from collections.abc import Sequence

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from engine.model import bare
from engine.model.config import StackConfig


class Rotary:
    """Cosines and sines of rotary positions, half-split, kept up to the longest position met.

    Float32, as the official code computes them: inverse frequencies theta^(-2i/d), both halves alike.
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
        angles = torch.cat((angles, angles), dim=-1)
        return angles.cos(), angles.sin()


def rotate(x: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotate `x` [batch, rows, heads, head_dim]: channel c with channel c + head_dim / 2."""
    half = x.shape[-1] // 2
    turned = torch.cat((-x[..., half:], x[..., :half]), dim=-1)
    return x * cos + turned * sin


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


class Together:
    """The caches of several streams, one row each of which is computed at once: a batch, but each at its own place."""

    def __init__(self, caches: Sequence[KeyValueCache]) -> None:
        self.caches = caches


Cache = KeyValueCache | WindowCache


def visible(rows: int, cache: Cache, window: int | None, device: torch.device) -> Tensor | None:
    """Which kept rows each of the next `rows` rows sees: bool [rows, kept + rows]; None when it is all of them."""
    past, first = cache.past(), cache.first_row()
    if rows == 1 and (window is None or past - first < window):
        return None
    queries = torch.arange(past, past + rows, device=device)[:, None]
    keys = torch.arange(first, past + rows, device=device)[None]
    mask = keys <= queries
    return mask if window is None else mask & (keys > queries - window)


class RMSNorm(nn.Module):
    """Root-mean-square norm, in float32 as the official code has it."""

    def __init__(self, width: int, eps: float) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.empty(width))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        if x.dtype == torch.float32:
            return F.rms_norm(x, self.weight.shape, self.weight, self.eps)
        return self.weight * F.rms_norm(x.float(), self.weight.shape, None, self.eps).to(x.dtype)


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

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None, cache: Cache | Together) -> Tensor:
        c = self.config
        heads, keys, d = c.num_attention_heads, c.num_key_value_heads, c.head_dim
        batch, rows, _ = x.shape
        qkv = self.qkv_proj(x).view(batch, rows, heads + 2 * keys, d)
        both = qkv[:, :, : heads + keys]
        if self.q_norm is not None and self.k_norm is not None:
            both = F.rms_norm(both.float(), (d,), None, c.rms_norm_eps).to(x.dtype) * self._norm_weights()
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

    def _attend(self, cache: Cache, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None) -> Tensor:
        keys, values = cache.append(self.layer, k, v)
        return F.scaled_dot_product_attention(q, keys, values, attn_mask=mask)

    def _norm_weights(self) -> Tensor:
        """[heads + kv_heads, head_dim]: each query head's norm weight, then each key head's."""
        if not hasattr(self, "_weights"):
            assert self.q_norm is not None
            assert self.k_norm is not None
            c = self.config
            heads = self.q_norm.weight.expand(c.num_attention_heads, -1)
            self._weights = torch.cat((heads, self.k_norm.weight.expand(c.num_key_value_heads, -1)))
        return self._weights


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

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None, cache: Cache | Together) -> Tensor:
        attended = self.self_attn(self.input_layernorm(x), cos, sin, mask, cache)
        x = x + self.self_attn_layer_scale(attended)
        return x + self.mlp_layer_scale(self.mlp(self.post_attention_layernorm(x)))  # type: ignore[no-any-return]


class Stack(nn.Module):
    """Layers and the final norm. `window` limits how far back a row sees, itself included."""

    def __init__(
        self, config: StackConfig, *, head_norms: bool = True, scaled: bool = False, window: int | None = None
    ) -> None:
        super().__init__()
        self.window = window
        self.layers = nn.ModuleList(Layer(config, i, head_norms, scaled) for i in range(config.num_hidden_layers))
        self.norm = RMSNorm(config.hidden_size, config.rms_norm_eps)
        self.rotary = Rotary(config.head_dim, config.rope_theta)

    def forward(self, rows: Tensor, cache: Cache | Together) -> Tensor:
        """`rows` [batch, rows, width] after the final norm; the cache then holds them.

        With the caches of several streams there is one row of each, [streams, 1, width], and no window.
        """
        mask = None
        if isinstance(cache, Together):
            places = [self.rotary.at(one.past(), 1, rows) for one in cache.caches]
            cos, sin = (torch.stack(tables) for tables in zip(*places, strict=True))
        else:
            cos, sin = self.rotary.at(cache.past(), rows.shape[1], rows)
            mask = visible(rows.shape[1], cache, self.window, rows.device)
        for layer in self.layers:
            rows = layer(rows, cos, sin, mask, cache)
        return self.norm(rows)  # type: ignore[no-any-return]
