"""The codec's decoder: codes to waveform, all causal, piece by piece with carried state.

Everything between the layers is rows, [batch, places in time, channels]. A `DecoderState` holds what each layer must
remember of the past, so a stream decoded in pieces of any size equals the decode in one piece. (The official code
decodes 300 frames at a time with 25 of context instead; up to 300 frames both are the same.)
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import cast

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from engine.model import bare
from engine.model.config import CodecDecoderConfig
from engine.model.layers import Cache, Stack, WindowCache
from engine.model.tails import Tails

SNAKE_EPS = 1e-9
_LAYER_NORM_EPS = 1e-6
_RESIDUAL_KERNEL = 7
_RESIDUAL_DILATIONS = (1, 3, 9)
_LATE_ROWS = 128  # after the first block, at a time: there the rows are what fills a cache, not the weights


class DecoderState(Tails):
    """What a stream carries from piece to piece: the last inputs of every convolution, and the window's rows."""

    def __init__(self, config: CodecDecoderConfig) -> None:
        super().__init__()
        self.window = WindowCache(config, config.sliding_window)


Act = Callable[[Tensor], Tensor]


class CausalConv(nn.Module):
    """A convolution that sees the past only: of act(x), and added to `plus`, which may be overwritten."""

    def __init__(self, inputs: int, outputs: int, kernel: int, dilation: int = 1, groups: int = 1) -> None:
        super().__init__()
        self.conv = bare.Conv1d(inputs, outputs, kernel, dilation=dilation, groups=groups)
        self.reach = (kernel - 1) * dilation

    def forward(self, x: Tensor, state: DecoderState, act: Act | None = None, plus: Tensor | None = None) -> Tensor:
        joined = state.extend(self, x if act is None else act(x), self.reach)
        out: Tensor = self.conv(joined.transpose(1, 2)).transpose(1, 2)
        return out if plus is None else plus + out


class CausalUpsample(nn.Module):
    """A transposed convolution whose surplus is cut on the right only: n inputs give n * stride outputs."""

    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int) -> None:
        super().__init__()
        self.conv = bare.ConvTranspose1d(inputs, outputs, kernel, stride)
        self.stride = stride
        self.reach = -(-kernel // stride) - 1  # earlier inputs that meet the first new output

    def forward(self, x: Tensor, state: DecoderState, act: Act | None = None) -> Tensor:
        count = x.shape[1] * self.stride
        joined = state.extend(self, x if act is None else act(x), self.reach)
        out: Tensor = self.conv(joined.transpose(1, 2)).transpose(1, 2)
        return out[:, self.reach * self.stride :][:, :count]


class SnakeBeta(nn.Module):
    """x + sin^2(x e^alpha) / (e^beta + eps), per channel (BigVGAN)."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.alpha = nn.Parameter(torch.empty(channels))
        self.beta = nn.Parameter(torch.empty(channels))

    def forward(self, x: Tensor) -> Tensor:
        alpha, beta = self.alpha.exp(), self.beta.exp()
        return x + (1.0 / (beta + SNAKE_EPS)) * torch.sin(x * alpha).pow(2)


class ResidualUnit(nn.Module):
    """Snake, dilated convolution, snake, 1x1 convolution; plus the input."""

    def __init__(self, channels: int, dilation: int) -> None:
        super().__init__()
        self.act1, self.act2 = SnakeBeta(channels), SnakeBeta(channels)
        self.conv1 = CausalConv(channels, channels, _RESIDUAL_KERNEL, dilation)
        self.conv2 = CausalConv(channels, channels, 1)

    def forward(self, x: Tensor, state: DecoderState) -> Tensor:
        inner = self.conv1(x, state, self.act1)
        return self.conv2(inner, state, self.act2, plus=x)  # type: ignore[no-any-return]


class UpsampleBlock(nn.Module):
    """Snake, upsampling by `rate` to half the channels, three residual units."""

    def __init__(self, channels: int, rate: int) -> None:
        super().__init__()
        half = channels // 2
        units = [ResidualUnit(half, dilation) for dilation in _RESIDUAL_DILATIONS]
        self.block = nn.ModuleList([SnakeBeta(channels), CausalUpsample(channels, half, 2 * rate, rate), *units])

    def forward(self, x: Tensor, state: DecoderState) -> Tensor:
        snake, upsample, *units = self.block
        x = upsample(x, state, snake)
        for unit in units:
            x = unit(x, state)
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
        inner = self.norm(self.dwconv(x, state))
        return x + self.gamma * self.pwconv2(F.gelu(self.pwconv1(inner)))  # type: ignore[no-any-return]


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
        """`latents` [batch, frames, codebook_dim] -> waveform [batch, frames * samples_per_frame] within -1 .. 1."""
        x = self.pre_conv(latents, state)
        x = self.pre_transformer(x, state.window)
        for upsampler, convnext in cast("list[tuple[nn.Module, nn.Module]]", self.upsample):
            x = convnext(upsampler(x, state), state)
        first, block, *later = self.decoder
        x = block(first(x, state), state)
        return torch.cat([self._sound(part, later, state) for part in x.split(_LATE_ROWS, dim=1)], dim=1)

    def _sound(self, x: Tensor, later: Sequence[nn.Module], state: DecoderState) -> Tensor:
        *blocks, snake, last = later
        for block in blocks:
            x = block(x, state)
        return last(x, state, snake).squeeze(2).clamp(-1, 1)  # type: ignore[no-any-return]

    def new_state(self) -> DecoderState:
        return DecoderState(self.config)
