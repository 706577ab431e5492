"""The codec of a model folder: one decoder for every stream, and an encoder that is loaded when first needed."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from engine import kernels
from engine.errors import ClipError
from engine.model.checkpoint import Checkpoint
from engine.model.codebooks import Codebooks
from engine.model.codec_decoder import CodecDecoder
from engine.model.codec_encoder import CodecEncoder, Quantizer
from engine.model.native_codec import make_native
from engine.model.weights import Tensors, load_module
from engine.speech.stream import CodecStream


class Codec:
    """Codes to sound and back. Always float32: half precision is heard, and slower on a CPU."""

    def __init__(self, checkpoint: Checkpoint, device: torch.device, tick: Callable[[], None]) -> None:
        self._device = device
        self.config = checkpoint.codec_config
        self._weights = checkpoint.codec_weights
        tensors = Tensors(self._weights)
        with torch.device("meta"):
            self.decoder = CodecDecoder(self.config.decoder_config)
        load_module(self.decoder, tensors, "decoder.", torch.float32, device, tick)
        if device.type == "cpu" and kernels.available():
            make_native(self.decoder)
        self.codebooks = Codebooks(tensors, self.config.decoder_config, device)
        self._encoder: tuple[CodecEncoder, Quantizer] | None = None

    @property
    def samples_per_frame(self) -> int:
        return self.config.decode_upsample_rate

    def new_stream(self) -> CodecStream:
        return CodecStream(self.codebooks, self.decoder)

    @torch.inference_mode()
    def encode(self, samples: npt.NDArray[np.float32], tick: Callable[[], None] = lambda: None) -> Tensor:
        """Codes int64 [ceil(n / samples_per_frame), codebooks] of float32 [n] at 24 kHz. `tick` may raise, half-way."""
        if not len(samples):
            raise ClipError("The clip is empty; there is nothing to encode.")
        encoder, quantizer = self._load_encoder()
        features = encoder(torch.from_numpy(np.ascontiguousarray(samples, np.float32))[None], tick)
        return quantizer.codes(features)[: math.ceil(len(samples) / self.config.encode_downsample_rate)]

    def _load_encoder(self) -> tuple[CodecEncoder, Quantizer]:
        if self._encoder is None:
            tensors = Tensors(self._weights)
            with torch.device("meta"):
                encoder = CodecEncoder(self.config)
            load_module(encoder, tensors, "encoder.", torch.float32, torch.device("cpu"), lambda: None)
            if kernels.available():
                make_native(encoder)
            self._encoder = (encoder, Quantizer(tensors, self.config))
        return self._encoder
