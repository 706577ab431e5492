"""The engine's modules made ready to be trained: initial values, and parts that can learn."""

from __future__ import annotations

from typing import Any

import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from engine.model.codec_decoder import CodecDecoder, ConvNeXt, ResidualUnit, SnakeBeta
from engine.model.layers import Attention, LayerScale, Normer, RMSNorm, Rotary, visible

_BRANCH = 0.1  # of residual branches at the start


class _Snake(torch.autograd.Function):
    """x + sin^2(a x) / b, that keeps x only: half the memory traffic of autograd's own."""

    @staticmethod
    def forward(ctx: Any, x: Tensor, a: Tensor, b: Tensor) -> Tensor:
        ctx.save_for_backward(x, a, b)
        return torch.addcmul(x, torch.sin(x * a).square_(), 1 / b)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        (g,) = grads
        x, a, b = ctx.saved_tensors
        phase = x * a
        slope = torch.sin(2 * phase).mul_(g)
        of_x = torch.addcmul(g, slope, a / b)
        of_a = slope.mul_(x).sum((0, 1)) / b
        of_b = -phase.sin_().square_().mul_(g).sum((0, 1)) / b**2
        return of_x, of_a, of_b


class TrainedSnake(SnakeBeta):
    """The engine's SnakeBeta with a hand-written gradient."""

    def forward(self, x: Tensor) -> Tensor:
        a, b = self.alpha.exp(), self.beta.exp() + 1e-9
        out: Tensor = _Snake.apply(x, a, b)  # type: ignore[no-untyped-call]
        return out


class TrainedNormer(Normer):
    """torch's own norm, whose gradient is one step."""

    def __call__(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, x.shape[-1:], None, self._eps) * self._weight


class TrainedNorm(RMSNorm):
    """The engine's norm, which goes by its weight as it is now; the engine's own keeps what it first saw."""

    def forward(self, x: Tensor) -> Tensor:
        return F.rms_norm(x, x.shape[-1:], self.weight, self.eps)


class TrainedAttention(Attention):
    """The engine's attention, whose joined norm weights are made anew at every step."""

    def head_weights(self) -> Tensor:
        """[heads + kv_heads, head_dim]: each query head's norm weight, then each key head's."""
        assert self.q_norm is not None
        assert self.k_norm is not None
        c = self.config
        heads = self.q_norm.weight.expand(c.num_attention_heads, -1)
        return torch.cat((heads, self.k_norm.weight.expand(c.num_key_value_heads, -1)))

    def _head_norm(self) -> Normer:
        return TrainedNormer(self.head_weights(), self.config.rms_norm_eps)


class OpenCache:
    """A key-value cache for training: every pass is a whole sequence, nothing is kept."""

    def append(self, layer: int, keys: Tensor, values: Tensor) -> tuple[Tensor, Tensor]:
        return keys, values

    def view(self, rotary: Rotary, rows: Tensor, window: int | None) -> tuple[Tensor, Tensor, Tensor | None]:
        """As `KeyValueCache.view`, of rows that begin at position 0."""
        cos, sin = rotary.at(0, rows.shape[1], rows)
        return cos, sin, visible(rows.shape[1], self, window, rows.device)  # type: ignore[arg-type]

    def past(self) -> int:
        return 0

    def first_row(self) -> int:
        return 0

    def reset(self) -> None:
        """Nothing is kept."""


def prepare(module: nn.Module, generator: torch.Generator) -> nn.Module:
    """Give every parameter its initial value, and swap in the parts above."""
    for part in module.modules():
        if type(part) is SnakeBeta:
            part.__class__ = TrainedSnake
        if type(part) is Attention:
            part.__class__ = TrainedAttention
        if type(part) is RMSNorm:
            part.__class__ = TrainedNorm
        for name, parameter in part.named_parameters(recurse=False):
            parameter.data = _initial(part, name, parameter.data, generator)
    for part in module.modules():
        if isinstance(part, ResidualUnit):
            _shrink(part.conv2)
        if isinstance(part, CodecDecoder):
            _shrink(part.decoder[-1])
    return module


def _shrink(convolution: nn.Module) -> None:
    """So that a residual unit starts near the identity, and sound near silence."""
    convolution.get_parameter("conv.weight").data *= _BRANCH


def _initial(part: nn.Module, name: str, value: Tensor, g: torch.Generator) -> Tensor:
    if isinstance(part, LayerScale) or (isinstance(part, ConvNeXt) and name == "gamma"):
        return torch.full(value.shape, _BRANCH)
    if isinstance(part, RMSNorm | nn.LayerNorm) and name == "weight":
        return torch.ones(value.shape)
    if value.ndim < 2:
        return torch.zeros(value.shape)
    if isinstance(part, nn.Embedding):
        return torch.randn(value.shape, generator=g) * 0.02
    fan = value[0].numel()
    if isinstance(part, nn.ConvTranspose1d):
        fan = value.shape[0] * value.shape[2] // part.stride[0]
    drawn: Tensor = torch.randn(value.shape, generator=g) * fan**-0.5
    return drawn


def ready(device: str) -> None:
    """One thread on a CPU, beside others at work; TF32 products on a GPU, where the time goes into launching them."""
    if device == "cpu":
        torch.set_num_threads(1)
    else:
        torch.set_float32_matmul_precision("high")
        torch.backends.cudnn.allow_tf32 = True


def parameter_count(*modules: nn.Module) -> float:
    """In millions."""
    return sum(p.numel() for m in modules for p in m.parameters()) / 1e6


class Average:
    """A moving average of parameters, which sounds better than any single step."""

    def __init__(self, parameters: list[nn.Parameter], decay: float = 0.999) -> None:
        self._decay, self._parameters, self._steps = decay, parameters, 0
        self.values = [p.detach().clone() for p in parameters]

    @torch.no_grad()
    def load(self, values: list[Tensor], steps: int) -> None:
        """Go on from the `values` that `steps` steps gave."""
        for value, kept in zip(self.values, values, strict=True):
            value.copy_(kept)
        self._steps = steps

    @torch.no_grad()
    def update(self) -> None:
        self._steps += 1
        decay = min(self._decay, (1 + self._steps) / (10 + self._steps))
        torch._foreach_lerp_(self.values, [p.detach() for p in self._parameters], 1 - decay)


def wear(module: nn.Module, average: list[Tensor]) -> None:
    """Put the averaged values in the place of the module's own, for good: it is not trained any more."""
    for parameter, value in zip(module.parameters(), average, strict=True):
        parameter.data = value
    module.requires_grad_(False)
