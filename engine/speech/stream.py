"""Codes in, sound out: a stream whose pieces join without a seam, whatever their size."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from engine.model.codebooks import Codebooks
from engine.model.codec_decoder import CodecDecoder


class CodecStream:
    """One stream through the codec's decoder, which it shares with others; the state is its own."""

    def __init__(self, codebooks: Codebooks, decoder: CodecDecoder) -> None:
        self._codebooks, self._decoder = codebooks, decoder
        self._state = decoder.new_state()

    def push(self, codes: Tensor) -> npt.NDArray[np.float32]:
        """Sound float32 [frames * samples_per_frame] of the next `codes` int64 [frames, codebooks]."""
        if not len(codes):
            return np.empty(0, np.float32)
        latents = self._codebooks.latents(codes[None])
        sound: npt.NDArray[np.float32] = self._decoder(latents, self._state)[0].numpy()
        return sound


def decode_whole(codebooks: Codebooks, decoder: CodecDecoder, codes: Tensor) -> npt.NDArray[np.float32]:
    """The sound of all `codes` int64 [frames, codebooks] in one piece."""
    with torch.inference_mode():
        return CodecStream(codebooks, decoder).push(codes)
