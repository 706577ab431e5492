"""The codec's decoder: codes to waveform, all causal, piece by piece with carried state.

A `DecoderState` holds what each layer must remember of the past, so a stream decoded in pieces of any size equals
the decode in one piece. (The official code decodes 300 frames at a time with 25 of context instead; up to 300
frames both are the same.)
"""

from __future__ import annotations

from typing import cast

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from engine.model import bare
from engine.model.config import CodecDecoderConfig
from engine.model.layers import Cache, Stack, WindowCache

_SNAKE_EPS = 1e-9
_LAYER_NORM_EPS = 1e-6
_RESIDUAL_KERNEL = 7
_RESIDUAL_DILATIONS = (1, 3, 9)


class DecoderState:
    """What a stream carries from piece to piece: the last inputs of every convolution, and the window's rows."""

    def __init__(self, config: CodecDecoderConfig) -> None:
        self.window = WindowCache(config, config.sliding_window)
        self._tails: dict[nn.Module, Tensor] = {}

    def extend(self, layer: nn.Module, x: Tensor, count: int) -> Tensor:
        """`x` [batch, channels, n] with the `count` inputs before it in front (zeros at the start)."""
        if count == 0:
            return x
        tail = self._tails.get(layer)
        if tail is None:
            tail = x.new_zeros(x.shape[0], x.shape[1], count)
        joined = torch.cat((tail, x), dim=2)
        self._tails[layer] = joined[:, :, -count:]
        return joined


class CausalConv(nn.Module):
    """A convolution that sees the past only."""

    def __init__(self, inputs: int, outputs: int, kernel: int, dilation: int = 1, groups: int = 1) -> None:
        super().__init__()
        self.conv = bare.Conv1d(inputs, outputs, kernel, dilation=dilation, groups=groups)
        self.reach = (kernel - 1) * dilation

    def forward(self, x: Tensor, state: DecoderState) -> Tensor:
        return self.conv(state.extend(self, x, self.reach))  # type: ignore[no-any-return]


class CausalUpsample(nn.Module):
    """A transposed convolution whose surplus is cut on the right only: n inputs give n * stride outputs."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int) -> None:
        super().__init__()
        self.conv = bare.ConvTranspose1d(inputs, outputs, kernel, stride)
        self.stride = stride
        self.reach = -(-kernel // stride) - 1  # earlier inputs that meet the first new output

    def forward(self, x: Tensor, state: DecoderState) -> Tensor:
        count = x.shape[2] * self.stride
        out = self.conv(state.extend(self, x, self.reach))
        return out[:, :, self.reach * self.stride :][:, :, :count]  # type: ignore[no-any-return]


class SnakeBeta(nn.Module):
    """x + sin^2(x e^alpha) / (e^beta + eps), per channel (BigVGAN)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.alpha = nn.Parameter(torch.empty(channels))
        self.beta = nn.Parameter(torch.empty(channels))

    def forward(self, x: Tensor) -> Tensor:
        alpha, beta = self.alpha.exp()[:, None], self.beta.exp()[:, None]
        return x + (1.0 / (beta + _SNAKE_EPS)) * torch.sin(x * alpha).pow(2)


class ResidualUnit(nn.Module):
    """Snake, dilated convolution, snake, 1x1 convolution; plus the input."""

    def __init__(self, channels: int, dilation: int) -> None:
        super().__init__()
        self.act1, self.act2 = SnakeBeta(channels), SnakeBeta(channels)
        self.conv1 = CausalConv(channels, channels, _RESIDUAL_KERNEL, dilation)
        self.conv2 = CausalConv(channels, channels, 1)

    def forward(self, x: Tensor, state: DecoderState) -> Tensor:
        inner = self.conv1(self.act1(x), state)
        return x + self.conv2(self.act2(inner), state)  # type: ignore[no-any-return]


class UpsampleBlock(nn.Module):
    """Snake, upsampling by `rate` to half the channels, three residual units."""

    def __init__(self, channels: int, rate: int) -> None:
        super().__init__()
        half = channels // 2
        units = [ResidualUnit(half, dilation) for dilation in _RESIDUAL_DILATIONS]
        self.block = nn.ModuleList([SnakeBeta(channels), CausalUpsample(channels, half, 2 * rate, rate), *units])

    def forward(self, x: Tensor, state: DecoderState) -> Tensor:
        snake, *rest = self.block
        x = snake(x)
        for part in rest:
            x = part(x, state)
        return x


class ConvNeXt(nn.Module):
    """Depthwise convolution, layer norm, a four times wider GELU layer, a gain; plus the input."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.dwconv = CausalConv(channels, channels, _RESIDUAL_KERNEL, groups=channels)
        self.norm = bare.LayerNorm(channels, eps=_LAYER_NORM_EPS)
        self.pwconv1 = bare.Linear(channels, 4 * channels)
        self.pwconv2 = bare.Linear(4 * channels, channels)
        self.gamma = nn.Parameter(torch.empty(channels))

    def forward(self, x: Tensor, state: DecoderState) -> Tensor:
        rows = self.norm(self.dwconv(x, state).transpose(1, 2))
        rows = self.gamma * self.pwconv2(F.gelu(self.pwconv1(rows)))
        return x + rows.transpose(1, 2)  # type: ignore[no-any-return]


class Transformer(Stack):
    """The windowed transformer between the codebooks and the upsampler."""

    def __init__(self, config: CodecDecoderConfig) -> None:
        super().__init__(config, head_norms=False, scaled=True, window=config.sliding_window)
        self.input_proj = bare.Linear(config.latent_dim, config.hidden_size)
        self.output_proj = bare.Linear(config.hidden_size, config.latent_dim)

    def forward(self, rows: Tensor, cache: Cache) -> Tensor:
        return self.output_proj(super().forward(self.input_proj(rows), cache))  # type: ignore[no-any-return]


class CodecDecoder(nn.Module):
    """`decoder` of the speech tokenizer, after its quantiser (see `Codebooks`)."""

    def __init__(self, config: CodecDecoderConfig) -> None:
        super().__init__()
        self.config = config
        latent, width = config.latent_dim, config.decoder_dim
        self.pre_conv = CausalConv(config.codebook_dim, latent, 3)
        self.pre_transformer = Transformer(config)
        self.upsample = nn.ModuleList(
            nn.ModuleList([CausalUpsample(latent, latent, ratio, ratio), ConvNeXt(latent)])
            for ratio in config.upsampling_ratios
        )
        widths = [width >> i for i in range(len(config.upsample_rates) + 1)]
        blocks = [UpsampleBlock(c, rate) for c, rate in zip(widths, config.upsample_rates, strict=False)]
        ends = [SnakeBeta(widths[-1]), CausalConv(widths[-1], 1, _RESIDUAL_KERNEL)]
        self.decoder = nn.ModuleList([CausalConv(latent, width, _RESIDUAL_KERNEL), *blocks, *ends])

    def forward(self, latents: Tensor, state: DecoderState) -> Tensor:
        """`latents` [batch, codebook_dim, frames] -> waveform [batch, frames * samples_per_frame] within -1 .. 1."""
        x = self.pre_conv(latents, state)
        x = self.pre_transformer(x.transpose(1, 2), state.window).transpose(1, 2)
        for upsampler, convnext in cast("list[tuple[nn.Module, nn.Module]]", self.upsample):
            x = convnext(upsampler(x, state), state)
        *layers, snake, last = self.decoder
        for layer in layers:
            x = layer(x, state)
        return last(snake(x), state).squeeze(1).clamp(-1, 1)  # type: ignore[no-any-return]

    def new_state(self) -> DecoderState:
        return DecoderState(self.config)
