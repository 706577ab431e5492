"""The value of each tensor: noise seeded by the tensor's name, scaled so that activations stay near 1."""

from __future__ import annotations

import math
import re
import zlib

import torch

_FINE_TUNE_STEP = 0.0138  # of a tensor's rms: about 87 % of the bf16 values change, as in the released pairs

# First match wins: how a tensor is made, and its gain.
_RULES: list[tuple[str, str, float]] = [
    (r"codebook\.initialized$", "ones", 1),
    (r"cluster_usage$", "usage", 1),
    (r"(embedding_sum|embed_sum)$", "codebook", 1),
    (r"[qk]_norm\.weight$", "near one", 1.3),
    (r"layer_scale\.scale$", "near one", 0.5),
    (r"\.gamma$", "near one", 0.3),
    (r"norm\.weight$", "near one", 1),
    (r"\.(alpha|beta)$", "plain", 0.25),
    (r"\.bias$", "plain", 0.1),
    (r"^talker\.model\.text_embedding", "plain", 1),
    (r"^talker\.model\.codec_embedding", "plain", 0.6),
    (r"^talker\.code_predictor\.model\.codec_embedding", "plain", 0.4),
    (r"^talker\..*o_proj", "fan-in", 0.7),
    (r"^talker\..*down_proj", "fan-in", 0.9),
    (r"linear_fc2", "fan-in", 1.5),
    (r"(codec_head|lm_head)", "fan-in", 2.5),
    (r"^speaker_encoder\.blocks\.0\.conv", "fan-in", 0.4),
    (r"^speaker_encoder\.asp\.conv", "fan-in", 2.0),
    (r"^speaker_encoder\.fc", "fan-in", 1),
    (r"^speaker_encoder\.", "fan-in", 1.2),
    (r"transformer\..*[qk]_proj", "fan-in", 1.2),
    (r"^decoder\.quantizer\..*output_proj", "fan-in", 0.7),
    (r"^decoder\.upsample\.\d+\.0\.", "transposed", 1.2),
    (r"^decoder\.decoder\.0\.conv", "fan-in", 0.8),
    (r"block\.1\.conv\.weight$", "transposed or residual", 0.9),
    (r"^decoder\..*conv1\.conv", "fan-in", 0.7),
    (r"^decoder\..*conv2\.conv", "fan-in", 0.35),
    (r"^decoder\.decoder\.\d+\.conv", "fan-in", 0.1),
    (r"^encoder\.encoder\.layers\.0\.conv", "fan-in", 6.0),
    (r"^encoder\.encoder\..*block\.3", "fan-in", 0.6),
    (r"^encoder\.encoder\.", "fan-in", 1.3),
    (r"^encoder\.downsample", "fan-in", 1.2),
    (r"", "fan-in", 1),
]


def tensor(name: str, shape: tuple[int, ...], seed: int) -> torch.Tensor:
    """The float32 value of tensor `name` in a Base checkpoint made with `seed`."""
    how, gain = next((how, gain) for pattern, how, gain in _RULES if re.search(pattern, name))
    if how == "ones":
        return torch.ones(shape)
    if how == "usage":
        return _usage(shape[0], name, seed)
    noise = torch.randn(shape, generator=_generator(name, seed))
    if how == "codebook":
        usage = _usage(shape[0], name.rpartition(".")[0] + ".cluster_usage", seed)
        return noise * _book_gain(name) * usage.clamp(min=1e-5)[:, None]
    if how == "near one":
        return gain * (1 + 0.1 * noise)
    if how == "plain":
        return gain * noise
    if how == "transposed":
        return noise * gain / math.sqrt(shape[0])  # kernel equals stride: each output meets one tap
    if how == "transposed or residual":
        if name.startswith("encoder."):
            return noise * 1.3 / math.sqrt(math.prod(shape[1:]))
        return noise * gain / math.sqrt(shape[0] * 2)  # kernel is twice the stride: two taps
    return noise * gain / math.sqrt(math.prod(shape[1:]))


def stepped(value: torch.Tensor, name: str, seed: int) -> torch.Tensor:
    """bf16 `value` after a small random step, as a fine-tune of the same weights has taken."""
    noise = torch.randn(value.shape, generator=_generator(f"step {name}", seed))
    wide = value.float()
    return (wide + noise * (_FINE_TUNE_STEP * wide.pow(2).mean().sqrt())).to(torch.bfloat16)


def _generator(name: str, seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed * 1_000_003 + zlib.crc32(name.encode()))


def _usage(size: int, name: str, seed: int) -> torch.Tensor:
    usage = torch.exp(torch.randn(size, generator=_generator(name, seed)) * 1.2 + 2)
    usage[::97] = 0.0  # entries never used: a reader must clamp the divisor
    return usage


def _book_gain(name: str) -> float:
    """Later stages of a residual quantiser hold smaller vectors."""
    stage = int(re.search(r"layers\.(\d+)\.", name).group(1))  # type: ignore[union-attr]
    if name.startswith("encoder."):
        return 0.9**stage
    return 1.0 if "rvq_first" in name else 1.0 / (1 + 0.3 * stage)
