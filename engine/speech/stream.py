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
        sound: npt.NDArray[np.float32] = self._decoder(latents, self._state)[0].cpu().numpy()
        return sound


def decode_whole(codebooks: Codebooks, decoder: CodecDecoder, codes: Tensor) -> npt.NDArray[np.float32]:
    """The sound of all `codes` int64 [frames, codebooks] in one piece."""
    with torch.inference_mode():
        return CodecStream(codebooks, decoder).push(codes)


def decode_chunked(
    codebooks: Codebooks, decoder: CodecDecoder, codes: Tensor, chunk: int = 300, context: int = 25
) -> npt.NDArray[np.float32]:
    """The sound of `codes` as the official code makes it, to compare with: `chunk` frames at a time, each started
    afresh with up to `context` frames before it, whose sound is cut away. Up to `chunk` frames it is `decode_whole`.
    """
    parts = []
    for start in range(0, len(codes), chunk):
        before = min(context, start)
        piece = codes[start - before : start + chunk]
        sound = decode_whole(codebooks, decoder, piece)
        parts.append(sound[before * (len(sound) // len(piece)) :])
    return np.concatenate(parts)


def official_cut(reference_frames: int, frames: int, samples: int) -> int:
    """How many samples the official wrapper cuts from the front of reference and speech decoded together.

    Its quotient of floats falls one sample short at some lengths, so that the reference's last sample stays.
    `Model.speak` cuts whole frames instead: it streams, and `frames` is known only when the speech has ended.
    """
    return int(reference_frames / max(frames, 1) * samples)
