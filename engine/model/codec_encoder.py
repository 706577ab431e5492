"""The codec's encoder (Mimi): waveform to codes. Needed only to clone in context, so it is loaded when asked for.

The configured attention window is not applied by the official code, which loads the codec with full causal
attention; neither do we. Between the convolutions are rows, [batch, places in time, channels].
"""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from engine.model import bare
from engine.model.codebooks import codebook
from engine.model.config import CodecConfig, CodecEncoderConfig
from engine.model.layers import Attention, KeyValueCache, LayerScale, Rotary, visible
from engine.model.tails import Tails
from engine.model.weights import Tensors

_PIECE_ROWS = 16  # of the convolutions' output, at a time

Act = Callable[[Tensor], Tensor]


class Elu(nn.Module):
    """x, or e^x - 1 where that is negative."""

    def forward(self, x: Tensor) -> Tensor:
        return F.elu(x)


class PaddedConv(nn.Module):
    """A causal convolution of act(x), which zeros fill up to a whole stride on the right; added to `plus`, which may
    be overwritten."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1, dilation: int = 1) -> None:
        super().__init__()
        self.conv = bare.Conv1d(inputs, outputs, kernel, stride, dilation=dilation)
        self.stride = stride
        self.reach = (kernel - 1) * dilation + 1 - stride

    def forward(self, x: Tensor, state: Tails, act: Act | None = None, plus: Tensor | None = None) -> Tensor:
        joined = state.extend(self, x if act is None else act(x), self.reach)
        whole = F.pad(joined, (0, 0, 0, -x.shape[1] % self.stride))
        out: Tensor = self.conv(whole.transpose(1, 2)).transpose(1, 2)
        return out if plus is None else plus + out


class Downsample(nn.Module):
    """The last convolution, over all rows at once: the first and the last one stand in for what is not there."""

    def __init__(self, width: int, kernel: int, stride: int) -> None:
        super().__init__()
        self.conv = bare.Conv1d(width, width, kernel, stride, bias=False)

    def forward(self, rows: Tensor) -> Tensor:
        """[batch, n, width] -> [batch, width, ceil(n / stride)]."""
        (kernel,), (stride,) = self.conv.kernel_size, self.conv.stride
        edges = (kernel - stride, -rows.shape[1] % stride)
        return self.conv(F.pad(rows.transpose(1, 2), edges, mode="replicate"))  # type: ignore[no-any-return]


class Residual(nn.Module):
    """ELU, convolution to fewer channels, ELU, 1x1 convolution back; plus the input."""

    def __init__(self, config: CodecEncoderConfig, channels: int, dilation: int) -> None:
        super().__init__()
        inner = channels // config.compress
        conv = PaddedConv(channels, inner, config.residual_kernel_size, dilation=dilation)
        self.block = nn.ModuleList([Elu(), conv, Elu(), PaddedConv(inner, channels, 1)])

    def forward(self, x: Tensor, state: Tails) -> Tensor:
        first_act, conv, second_act, back = self.block
        return back(conv(x, state, first_act), state, second_act, plus=x)  # type: ignore[no-any-return]


def _convolutions(config: CodecEncoderConfig) -> nn.ModuleList:
    """First convolution, then per stride: residual units, ELU, strided convolution; ELU and the last one."""
    width = config.num_filters
    layers: list[nn.Module] = [PaddedConv(config.audio_channels, width, config.kernel_size)]
    for ratio in reversed(config.upsampling_ratios):
        dilations = [config.dilation_growth_rate**i for i in range(config.num_residual_layers)]
        layers += [Residual(config, width, dilation) for dilation in dilations]
        layers += [Elu(), PaddedConv(width, 2 * width, 2 * ratio, ratio)]
        width *= 2
    return nn.ModuleList([*layers, Elu(), PaddedConv(width, config.hidden_size, config.last_kernel_size)])


class EncoderLayer(nn.Module):
    """Attention and a GELU layer, each after a layer norm and with a scale on its branch."""

    def __init__(self, config: CodecEncoderConfig, layer: int) -> None:
        super().__init__()
        width = config.hidden_size
        self.input_layernorm = bare.LayerNorm(width, eps=config.norm_eps)
        self.self_attn = Attention(config.stack, layer, head_norms=False)
        self.self_attn_layer_scale = LayerScale(width)
        self.post_attention_layernorm = bare.LayerNorm(width, eps=config.norm_eps)
        self.mlp = nn.ModuleDict(
            {
                "fc1": bare.Linear(width, config.intermediate_size, bias=False),
                "fc2": bare.Linear(config.intermediate_size, width, bias=False),
            }
        )
        self.mlp_layer_scale = LayerScale(width)

    def forward(self, x: Tensor, cos: Tensor, sin: Tensor, mask: Tensor | None, cache: KeyValueCache) -> Tensor:
        x = x + self.self_attn_layer_scale(self.self_attn(self.input_layernorm(x), cos, sin, mask, cache))
        inner = self.mlp["fc2"](F.gelu(self.mlp["fc1"](self.post_attention_layernorm(x))))
        return x + self.mlp_layer_scale(inner)  # type: ignore[no-any-return]


class _Layers(nn.Module):
    """A level of names in the checkpoint, nothing more."""

    def __init__(self, layers: nn.ModuleList) -> None:
        super().__init__()
        self.layers = layers


class CodecEncoder(nn.Module):
    """`encoder` of the speech tokenizer, up to its quantiser (see `Quantizer`)."""

    def __init__(self, config: CodecConfig) -> None:
        super().__init__()
        e = config.encoder_config
        self.config = e
        self.encoder = _Layers(_convolutions(e))
        self.encoder_transformer = _Layers(nn.ModuleList(EncoderLayer(e, i) for i in range(e.num_hidden_layers)))
        stride = config.encode_downsample_rate // math.prod(e.upsampling_ratios)
        self.downsample = Downsample(e.hidden_size, 2 * stride, stride)
        self._rotary = Rotary(e.head_dim, e.rope_theta)

    def forward(self, samples: Tensor, tick: Callable[[], None] = lambda: None) -> Tensor:
        """`samples` [1, n] at 24 kHz -> features [1, hidden, frames].

        `tick` is called every few tens of milliseconds of work and may raise.
        """
        rows = self.rows(samples, tick)
        cache = KeyValueCache(self.config.stack, 1, rows.shape[1], rows)
        cos, sin = self._rotary.at(0, rows.shape[1], rows)
        mask = visible(rows.shape[1], cache, None, rows.device)
        for layer in self.encoder_transformer.layers:
            tick()
            rows = layer(rows, cos, sin, mask, cache)
        return self.downsample(rows)  # type: ignore[no-any-return]

    def rows(self, samples: Tensor, tick: Callable[[], None] = lambda: None) -> Tensor:
        """What the convolutions make of `samples` [batch, n]: [batch, ceil(n / hop), hidden].

        They are computed a piece at a time, whose rows stay in the processor's cache.
        """
        state, out = Tails(), []
        for x in torch.split(samples[:, :, None], _PIECE_ROWS * math.prod(self.config.upsampling_ratios), dim=1):
            tick()
            out.append(self._piece(x, state))
        return torch.cat(out, dim=1)

    def _piece(self, x: Tensor, state: Tails) -> Tensor:
        acts: tuple[nn.Module, ...] = ()
        for layer in self.encoder.layers:
            if isinstance(layer, Elu):
                acts = (layer,)  # of the convolution that follows
            else:
                x, acts = layer(x, state, *acts), ()
        return x


class Quantizer:
    """Features to codes: book 0 from the semantic branch, the others by residual steps in the acoustic one."""

    def __init__(self, tensors: Tensors, config: CodecConfig) -> None:
        prefix = "encoder.quantizer.{}_residual_vector_quantizer."
        semantic = config.encoder_config.num_semantic_quantizers
        acoustic = config.encoder_valid_num_quantizers - semantic
        self._branches = [
            _Branch(tensors, prefix.format("semantic"), semantic),
            _Branch(tensors, prefix.format("acoustic"), acoustic),
        ]

    def codes(self, features: Tensor) -> Tensor:
        """`features` [1, hidden, frames] -> int64 [frames, codebooks]. Both branches start from the features."""
        return torch.cat([branch.codes(features) for branch in self._branches], dim=1)


class _Branch:
    def __init__(self, tensors: Tensors, prefix: str, count: int) -> None:
        names = [f"{prefix}layers.{i}.codebook." for i in range(count)]
        self._books = [codebook(tensors[n + "embed_sum"].float(), tensors[n + "cluster_usage"].float()) for n in names]
        self._input = tensors[prefix + "input_proj.weight"].float()

    def codes(self, features: Tensor) -> Tensor:
        residual = F.conv1d(features, self._input)[0].T
        out = []
        for book in self._books:
            nearest = torch.cdist(residual[None], book[None])[0].argmin(dim=1)
            residual = residual - book[nearest]
            out.append(nearest)
        return torch.stack(out, dim=1)
