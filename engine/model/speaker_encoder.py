"""ECAPA-TDNN (Desplanques et al. 2020) without batch norm, as the Base models carry it: log-mel in, x-vector out.

Between the layers are rows, [batch, frames, channels]: a convolution is then one product of the frames with their
neighbours beside them, which is how a processor computes fastest.
"""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from engine.model import bare
from engine.model.config import SpeakerEncoderConfig

_VARIANCE_FLOOR = 1e-12


class Conv(nn.Module):
    """A "same" convolution over time with reflected edges."""

    def __init__(self, inputs: int, outputs: int, kernel: int = 1, dilation: int = 1) -> None:
        super().__init__()
        self.conv = bare.Conv1d(inputs, outputs, kernel, dilation=dilation)
        self.edge = dilation * (kernel - 1) // 2

    def forward(self, x: Tensor) -> Tensor:
        if self.edge:
            x = F.pad(x.transpose(1, 2), (self.edge, self.edge), mode="reflect").transpose(1, 2)
            x = x.unfold(1, 2 * self.edge + 1, 1)[..., :: self.conv.dilation[0]].transpose(2, 3).flatten(2)
        weight = self.conv.weight.transpose(1, 2).flatten(1)  # the neighbours' channels after each other
        return F.linear(x, weight, self.conv.bias).relu_()


class Res2Net(nn.Module):
    """Groups of channels, each convolved with the result of the group before it added."""

    def __init__(self, channels: int, groups: int, kernel: int, dilation: int) -> None:
        super().__init__()
        width = channels // groups
        self.blocks = nn.ModuleList(Conv(width, width, kernel, dilation) for _ in range(groups - 1))

    def forward(self, x: Tensor) -> Tensor:
        first, *rest = x.chunk(len(self.blocks) + 1, dim=2)
        out = [first]
        for i, (block, part) in enumerate(zip(self.blocks, rest, strict=True)):
            out.append(block(part if i == 0 else part + out[-1]))
        return torch.cat(out, dim=2)


class SqueezeExcitation(nn.Module):
    """A gate per channel from the mean over time."""

    def __init__(self, channels: int, squeezed: int) -> None:
        super().__init__()
        self.conv1 = bare.Conv1d(channels, squeezed, 1)
        self.conv2 = bare.Conv1d(squeezed, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        mean = x.mean(dim=1, keepdim=True).transpose(1, 2)
        return x * torch.sigmoid(self.conv2(F.relu(self.conv1(mean)))).transpose(1, 2)


class SqueezeBlock(nn.Module):
    """1x1 convolution, Res2Net, 1x1 convolution, gate; plus the input."""

    def __init__(self, config: SpeakerEncoderConfig, index: int) -> None:
        super().__init__()
        inputs, channels = config.enc_channels[index - 1], config.enc_channels[index]
        kernel, dilation = config.enc_kernel_sizes[index], config.enc_dilations[index]
        self.tdnn1 = Conv(inputs, channels)
        self.res2net_block = Res2Net(channels, config.enc_res2net_scale, kernel, dilation)
        self.tdnn2 = Conv(channels, channels)
        self.se_block = SqueezeExcitation(channels, config.enc_se_channels)

    def forward(self, x: Tensor) -> Tensor:
        return self.se_block(self.tdnn2(self.res2net_block(self.tdnn1(x)))) + x  # type: ignore[no-any-return]


class AttentiveStatistics(nn.Module):
    """Weighted mean and standard deviation over time; the weights see the plain ones."""

    def __init__(self, channels: int, attention: int) -> None:
        super().__init__()
        self.tdnn = Conv(3 * channels, attention)
        self.conv = bare.Conv1d(attention, channels, 1)

    def forward(self, x: Tensor) -> Tensor:
        mean, deviation = _statistics(x, 1 / x.shape[1])
        # The plain statistics are the same at every frame, so their part of the product is computed once.
        of_x, of_both = self.tdnn.conv.weight.flatten(1).tensor_split((x.shape[2],), dim=1)
        both = F.linear(torch.cat((mean, deviation), dim=2), of_both, self.tdnn.conv.bias)
        context = (F.linear(x, of_x) + both).relu_()
        weights = torch.softmax(F.linear(torch.tanh(context), self.conv.weight.flatten(1), self.conv.bias), dim=1)
        return torch.cat(_statistics(x, weights), dim=2)


def _statistics(x: Tensor, weights: Tensor | float) -> tuple[Tensor, Tensor]:
    """Weighted mean and standard deviation over the frames, each [batch, 1, channels]."""
    mean = (weights * x).sum(dim=1, keepdim=True)
    variance = (weights * (x - mean).pow(2)).sum(dim=1, keepdim=True)
    return mean, variance.clamp(min=_VARIANCE_FLOOR).sqrt()


class SpeakerEncoder(nn.Module):
    """`speaker_encoder` of a Base model."""

    def __init__(self, config: SpeakerEncoderConfig) -> None:
        super().__init__()
        channels, last = config.enc_channels, config.enc_channels[-1]
        first = Conv(config.mel_dim, channels[0], config.enc_kernel_sizes[0], config.enc_dilations[0])
        squeezed = [SqueezeBlock(config, i) for i in range(1, len(channels) - 1)]
        self.blocks = nn.ModuleList([first, *squeezed])
        self.mfa = Conv(last, last, config.enc_kernel_sizes[-1], config.enc_dilations[-1])
        self.asp = AttentiveStatistics(last, config.enc_attention_channels)
        self.fc = bare.Conv1d(2 * last, config.enc_dim, 1)

    @property
    def shortest(self) -> int:
        """The fewest mel frames the reflected edges allow."""
        return max(part.edge for part in self.modules() if isinstance(part, Conv)) + 1

    def forward(self, mel: Tensor, tick: Callable[[], None]) -> Tensor:
        """`mel` [batch, bands, frames] -> x-vectors [batch, enc_dim], as they are: no length normalisation.

        `tick` is called after each block and may raise, so that a long clip can be given up half-way.
        """
        outputs = [mel.transpose(1, 2)]
        for block in self.blocks:
            outputs.append(block(outputs[-1]))
            tick()
        joined = self.mfa(torch.cat(outputs[2:], dim=2))
        tick()
        return self.fc(self.asp(joined).transpose(1, 2)).squeeze(2)  # type: ignore[no-any-return]
