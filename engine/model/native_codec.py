"""The codec on the kernels of `engine/kernels`: their layers in the place of torch's, once the weights are there."""

from __future__ import annotations

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from engine.model.codec_decoder import SNAKE_EPS, CausalConv, CausalUpsample, SnakeBeta
from engine.model.codec_encoder import Elu, PaddedConv
from engine.model.row_conv import RowConv, elu, snake
from engine.model.tails import Tails


class NativeSnake(nn.Module):
    """As `SnakeBeta`; `out` is where to put it."""

    def __init__(self, of: SnakeBeta) -> None:
        super().__init__()
        self._alpha, self._gain = of.alpha.detach().exp(), 1 / (of.beta.detach().exp() + SNAKE_EPS)

    def forward(self, x: Tensor, out: Tensor | None = None) -> Tensor:
        return snake(x, self._alpha, self._gain, torch.empty_like(x) if out is None else out)


class NativeElu(Elu):
    """As `Elu`; `out` is where to put it."""

    def forward(self, x: Tensor, out: Tensor | None = None) -> Tensor:
        return elu(x, torch.empty_like(x) if out is None else out)


class NativeConv(nn.Module):
    """As `CausalConv`, or with a stride: `down` inputs in a row are one input with all their channels, `up` outputs in
    a row are one output with all theirs."""

    def __init__(
        self, weight: Tensor, bias: Tensor, dilation: int = 1, down: int = 1, up: int = 1, *, reverse: bool = False
    ) -> None:
        super().__init__()
        self._conv, self._down, self._up = RowConv(weight, bias, dilation, reverse=reverse), down, up

    def forward(
        self, x: Tensor, state: Tails, act: NativeSnake | NativeElu | None = None, plus: Tensor | None = None
    ) -> Tensor:
        joined = self._joined(x, state, act)
        if x.shape[1] % self._down:
            joined = F.pad(joined, (0, 0, 0, -x.shape[1] % self._down))
        out = self._conv(joined.reshape(len(x), -1, self._conv.inputs), plus)
        return out.view(len(x), -1, self._conv.outputs // self._up)

    def _joined(self, x: Tensor, state: Tails, act: NativeSnake | NativeElu | None) -> Tensor:
        """As `Tails.extend` of act(x), which is computed into its place."""
        reach = self._conv.reach * self._down
        if act is None or reach == 0:
            return state.extend(self, x if act is None else act(x), reach)
        joined = x.new_empty(len(x), reach + x.shape[1], x.shape[2])
        joined[:, :reach] = state.tail(self, x, reach)
        act(x, out=joined[:, reach:])
        state.keep(self, joined, reach)
        return joined


class NativeRows(nn.Module):
    """As `nn.Linear`, over rows [batch, n, inputs]."""

    def __init__(self, of: nn.Linear) -> None:
        super().__init__()
        self._conv = RowConv(of.weight.detach()[:, :, None], None if of.bias is None else of.bias.detach())

    def forward(self, x: Tensor) -> Tensor:
        return self._conv(x)


def make_native(module: nn.Module) -> None:
    """Put the kernels in the place of the layers of a codec's half, which lie on the CPU in float32.

    It has those layers' parameters no longer.
    """
    for path, part in list(module.named_modules()):
        made = _native(part)
        if made is not None:
            module.set_submodule(path, made)
    for parameter in module.parameters():
        parameter.data = parameter.data.clone()  # nothing holds on to the file, which was mapped


def _native(part: nn.Module) -> nn.Module | None:
    match part:
        case SnakeBeta():
            return NativeSnake(part)
        case Elu():
            return NativeElu()
        case CausalConv() if part.conv.groups == 1:
            return NativeConv(*_parameters(part.conv), part.conv.dilation[0])
        case CausalUpsample():
            return _upsample(part)
        case PaddedConv():
            return _padded(part)
        case nn.Linear():
            return NativeRows(part)
    return None


def _parameters(conv: nn.Module) -> tuple[Tensor, Tensor]:
    return conv.get_parameter("weight").detach(), conv.get_parameter("bias").detach()


def _upsample(part: CausalUpsample) -> NativeConv:
    """Output t * stride + j is the sum over i of input t - i through the weights [:, :, i * stride + j]."""
    weight, bias = _parameters(part.conv)
    inputs, outputs, kernel = weight.shape
    taps = part.reach + 1
    whole = weight if kernel == taps * part.stride else F.pad(weight, (0, taps * part.stride - kernel))
    steps = whole.view(inputs, outputs, taps, part.stride)
    return NativeConv(steps.permute(3, 1, 0, 2), bias.repeat(part.stride), up=part.stride, reverse=True)


def _padded(part: PaddedConv) -> NativeConv | None:
    """None where a stride does not part the kernel evenly."""
    weight, bias = _parameters(part.conv)
    (dilation,) = part.conv.dilation
    outputs, inputs, kernel = weight.shape
    if kernel % part.stride or (part.stride > 1 and dilation > 1):
        return None
    steps = weight.view(outputs, inputs, -1, part.stride).permute(0, 3, 1, 2).flatten(1, 2)
    return NativeConv(steps, bias, dilation, down=part.stride)
