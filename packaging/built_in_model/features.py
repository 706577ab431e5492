"""Stage `features`: per slot of 20 ms a log-mel envelope, pitch, and the phone that is spoken."""

from __future__ import annotations

import argparse
import functools
import math
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from built_in_model.flite import MANNERS, RATE
from built_in_model.paths import CODES, wait_while_quiet
from built_in_model.speech import FRAME, SLOT, SLOTS, Shard, frames_of, shards
from engine.files import atomic_write

BANDS = 32
_FFT, _FLOOR = 1024, 1e-3
_PITCH_WINDOW, _PITCH_FFT = 1440, 4096
_VOICED, _AUDIBLE = 0.42, 0.004
_REACH = 1.7  # of the mean pitch, either way, that the pitch of an utterance is looked for in
PHONES = [
    "pau", "aa", "ae", "ah", "ao", "aw", "ax", "ay", "b", "ch", "d", "dh", "eh", "er", "ey", "f", "g", "hh", "ih",
    "iy", "jh", "k", "l", "m", "n", "ng", "ow", "oy", "p", "r", "s", "sh", "t", "th", "uh", "uw", "v", "w", "y", "z",
    "zh",
]  # fmt: skip
UNVOICED = frozenset(["pau", "ch", "f", "hh", "k", "p", "s", "sh", "t", "th"])


@functools.cache
def mel_bands(fft: int, bands: int, lowest_hz: float = 0.0, highest_hz: float = 12_000.0) -> Tensor:
    """Triangles on the mel scale, [bands, fft // 2 + 1], each of unit sum."""

    def mel(hz: float) -> float:
        return 2595 * math.log10(1 + hz / 700)

    marks = torch.linspace(mel(lowest_hz), mel(highest_hz), bands + 2)
    corners = 700 * (10 ** (marks / 2595) - 1)
    bins = torch.arange(fft // 2 + 1) * (RATE / fft)
    rising = (bins - corners[:-2, None]) / (corners[1:-1] - corners[:-2])[:, None]
    falling = (corners[2:, None] - bins) / (corners[2:] - corners[1:-1])[:, None]
    triangles = torch.minimum(rising, falling).clamp(min=0)
    return triangles / triangles.sum(1, keepdim=True).clamp(min=1e-6)


def _windows(samples: Tensor, length: int) -> Tensor:
    """[slots, length]: windows around the ends of the slots."""
    count = len(samples) // SLOT
    padded = torch.nn.functional.pad(samples, (length // 2 - SLOT, length // 2))
    return padded.unfold(0, length, SLOT)[:count]


def log_mel(samples: Tensor) -> Tensor:
    """[slots, bands] of `samples` [n]: the envelope at the end of each slot."""
    spectra = torch.fft.rfft(_windows(samples, _FFT) * torch.hann_window(_FFT)).abs()
    return torch.log((spectra @ mel_bands(_FFT, BANDS).T / 16).clamp(min=_FLOOR))


def pitch(samples: Tensor, expected_hz: float) -> Tensor:
    """[slots] in Hz, 0 where nothing is voiced, within a factor of what is expected."""
    windows = _windows(samples, _PITCH_WINDOW)
    windows = windows - windows.mean(1, keepdim=True)
    power = torch.fft.rfft(windows * torch.hann_window(_PITCH_WINDOW), _PITCH_FFT).abs().pow(2)
    power[:, int(1200 * _PITCH_FFT / RATE) :] = 0  # low harmonics only
    both = torch.fft.irfft(power)
    lags = both[:, : _PITCH_FFT // 2] / both[:, :1].clamp(min=1e-9)
    first, last = int(RATE / (expected_hz * _REACH)), int(RATE * _REACH / expected_hz)
    taper = 1 - torch.arange(first, last) / _PITCH_WINDOW * 0.2
    peaks, places = (lags[:, first:last] * taper).max(dim=1)
    voiced = (peaks > _VOICED) & (windows.pow(2).mean(1).sqrt() > _AUDIBLE)
    return torch.where(voiced, RATE / (places + first).float(), torch.zeros(()))


def slot_phones(line: dict[str, Any]) -> npt.NDArray[np.int64]:
    """[slots]: the phone spoken in the middle of each slot."""
    ends = np.array([end for _, end in line["phones"]])
    names = np.array([PHONES.index(name) for name, _ in line["phones"]])
    centres = (np.arange(frames_of(line) * SLOTS) + 0.5) * SLOT / RATE
    found: npt.NDArray[np.int64] = names[np.minimum(np.searchsorted(ends, centres), len(names) - 1)]
    return found


def of_utterance(samples: Tensor, line: dict[str, Any]) -> tuple[Tensor, Tensor, Tensor]:
    """Log-mel [slots, bands], pitch [slots] in Hz or 0, phones int64 [slots] of `samples`, whole frames of `line`."""
    manner, said = MANNERS[line["style"]], torch.from_numpy(slot_phones(line))
    found = pitch(samples, line["pitch_hz"] * manner.pitch)
    found[torch.tensor([name in UNVOICED for name in PHONES])[said] | manner.whispered] = 0
    return log_mel(samples), found, said


def measure(shard: Shard) -> dict[str, npt.NDArray[Any]]:
    """All slots of a shard, one utterance after the other."""
    mels, pitches, phones, counts = [], [], [], []
    for number, line in enumerate(shard.lines):
        samples = torch.from_numpy(shard.utterance(number))
        mel, found, said = of_utterance(samples, line)
        mels.append(mel.numpy().astype(np.float16))
        pitches.append(found.numpy())
        phones.append(said.numpy().astype(np.int8))
        counts.append(len(samples) // FRAME)
    return {
        "mel": np.concatenate(mels),
        "pitch": np.concatenate(pitches),
        "phones": np.concatenate(phones),
        "frames": np.array(counts),
    }


def main(arguments: list[str]) -> int:
    argparse.ArgumentParser(prog="features", description=__doc__).parse_args(arguments)
    CODES.mkdir(parents=True, exist_ok=True)
    torch.set_num_threads(1)
    for shard in shards():
        path = CODES / f"features{shard.index:04d}.npz"
        if not path.exists():
            wait_while_quiet()
            with atomic_write(path) as file:
                np.savez(file, **cast("dict[str, Any]", measure(shard)))
            print(f"features of shard {shard.index}", flush=True)
    return 0
