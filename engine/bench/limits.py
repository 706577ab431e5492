"""What this processor can do at best: bytes it reads and operations it computes a second; and what a frame needs."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

import torch
from torch import nn
from torch.utils.flop_counter import FlopCounterMode

from engine.model.codec_decoder import CodecDecoder

if TYPE_CHECKING:
    from engine.model.codec import Codec
    from engine.speech.generate import Speaker

_READ_NUMBERS = 96 << 20  # of 4 bytes: far beyond any cache
_MATRIX = 1024
_TURNS = 4


def read_bytes_per_second() -> float:
    """From memory, with as many threads as torch computes with now; the best of several turns."""
    block = torch.ones(_READ_NUMBERS)
    return block.nbytes / min(_seconds(block.sum) for _ in range(_TURNS))


def operations_per_second() -> float:
    """In float32 (a multiplication and an addition are two), likewise."""
    one = torch.ones(_MATRIX, _MATRIX)
    return 2 * _MATRIX**3 / min(_seconds(lambda: one @ one) for _ in range(_TURNS))


def bytes_per_frame(speaker: Speaker) -> tuple[int, int]:
    """Weights that talker and code predictor read for a frame: the predictor reads its stack once a code."""
    predictor = speaker.predictor
    stack = linear_bytes(predictor.model)
    others = linear_bytes(predictor) - stack
    return linear_bytes(speaker.talker), stack * len(predictor.lm_head) + others


def linear_bytes(module: nn.Module) -> int:
    """Weights of all linear layers of `module`, packed or not."""
    total = 0
    for part in module.modules():
        packed = getattr(part, "packed_bytes", None)
        total += part.weight.nbytes if packed is None and isinstance(part, nn.Linear) else packed or 0
    return total


def codec_operations_per_frame(codec: Codec, frames: int = 8) -> float:
    """Of the codec's decoder, counted by torch on one without weights: it does not see what the kernels compute."""
    config = codec.config.decoder_config
    with torch.device("meta"), FlopCounterMode(display=False) as counter:
        decoder = CodecDecoder(config)
        decoder(torch.zeros(1, frames, config.codebook_dim), decoder.new_state())
    return float(counter.get_total_flops()) / frames


def _seconds(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began
