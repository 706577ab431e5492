"""Stage `books`: the codebooks, fitted once to features, without a network.

A code frame is four slots of 20 ms. Book 0 says which phones its slots hold; it is all that the words need. Book 1 is
the pitch of the slots. Books 2 .. 6 describe what the envelope adds to the mean of its book-0 entry: each covers some
principal components of its own, so a wrong code spoils its components only and no code depends on one before it.
Books 7 .. 15 are empty: one entry, the zero vector.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor

from built_in_model.features import BANDS, PHONES
from built_in_model.kmeans import kmeans, nearest
from built_in_model.paths import CODES
from built_in_model.speech import SLOTS
from built_in_model.training import save_state

ENTRIES, EFFECTIVE, BOOKS = 512, 7, 16
COMPONENTS = (2, 3, 5, 7, 10)  # of the envelope, that books 2 .. 6 cover
INNER = 80  # width of a codebook vector
_PHONE_WIDTH, _NAME_WEIGHT = 10, 0.5
_VOICED_WEIGHT, _SEMITONE_WEIGHT = 1.0, 0.35
_REFERENCE_HZ = 140.0
_PITCH_TURNS = (0.5, 1.0, 2.0, 4.0)  # periods of sines over an octave that describe the pitch to the decoder
_ROUNDS = 15
PATH = CODES / "books.pt"


@dataclass(frozen=True, eq=False)
class Features:
    """`mel` [frames, 4 * bands], `phones` int64 and `pitch` in Hz or 0 [frames, 4], `frames` of each utterance."""

    mel: Tensor
    phones: Tensor
    pitch: Tensor
    frames: list[int]

    @classmethod
    def load(cls, paths: list[Path]) -> Features:
        files = [np.load(path) for path in paths]
        mel = torch.cat([torch.from_numpy(f["mel"]).float() for f in files]).view(-1, SLOTS * BANDS)
        phones = torch.cat([torch.from_numpy(f["phones"]).long() for f in files]).view(-1, SLOTS)
        pitch = torch.cat([torch.from_numpy(f["pitch"]) for f in files]).view(-1, SLOTS)
        return cls(mel, phones, pitch, [int(n) for f in files for n in f["frames"]])


def phone_vectors(mel: Tensor, phones: Tensor) -> Tensor:
    """[phones, width]: how each phone sounds on average, and its name."""
    slots, said = mel.view(-1, BANDS), phones.view(-1)
    means = torch.stack(
        [slots[said == i].mean(0) if bool((said == i).any()) else slots.mean(0) for i in range(len(PHONES))]
    )
    centred = means - means.mean(0)
    _, _, axes = torch.linalg.svd(centred, full_matrices=False)
    sound = centred @ axes[:_PHONE_WIDTH].T
    sound = sound / sound.pow(2).sum(1).mean().sqrt()
    return torch.cat([sound, _NAME_WEIGHT * torch.eye(len(PHONES))], 1)


def pitch_points(pitch: Tensor) -> Tensor:
    """[frames, 8]: which slots are voiced, and their pitch in weighted semitones; unvoiced ones have the mean."""
    voiced = pitch > 0
    semitones = 12 * torch.log2(pitch.clamp(min=40) / _REFERENCE_HZ)
    mean = (semitones * voiced).sum(1, keepdim=True) / voiced.sum(1, keepdim=True).clamp(min=1)
    filled = torch.where(voiced, semitones, mean) * voiced.any(1, keepdim=True)
    return torch.cat([voiced * _VOICED_WEIGHT, filled * _SEMITONE_WEIGHT], 1)


def fit(features: Features, seed: int = 0) -> dict[str, Any]:
    """All that `assign` and the decoder need."""
    g = torch.Generator().manual_seed(seed)
    vectors = phone_vectors(features.mel, features.phones)
    patterns, counts = torch.unique(features.phones, dim=0, return_counts=True)
    first = kmeans(vectors[patterns].flatten(1), counts.float() ** 0.7, ENTRIES, _ROUNDS, g)
    codes = nearest(vectors[features.phones].flatten(1), first)
    sizes = torch.bincount(codes, minlength=ENTRIES).float()
    means = torch.zeros(ENTRIES, features.mel.shape[1]).index_add_(0, codes, features.mel)
    means = (means + 5 * features.mel.mean(0)) / (sizes + 5)[:, None]
    rest = features.mel - means[codes]
    _, axes = torch.linalg.eigh(rest.T @ rest)
    axes = axes.flip(1)[:, : sum(COMPONENTS)]
    parts = (rest @ axes).split(COMPONENTS, dim=1)
    even = torch.ones(len(rest))
    return {
        "vectors": vectors,
        "first": first,
        "means": means,
        "axes": axes,
        "pitch": kmeans(pitch_points(features.pitch), even, ENTRIES, _ROUNDS, g),
        "parts": [kmeans(part.contiguous(), even, ENTRIES, _ROUNDS, g) for part in parts],
    }


def assign(books: dict[str, Any], features: Features) -> Tensor:
    """Codes int64 [frames, EFFECTIVE]."""
    first = nearest(books["vectors"][features.phones].flatten(1), books["first"])
    parts = ((features.mel - books["means"][first]) @ books["axes"]).split(COMPONENTS, dim=1)
    pitched = nearest(pitch_points(features.pitch), books["pitch"])
    rest = [nearest(part, centres) for part, centres in zip(parts, books["parts"], strict=True)]
    return torch.stack([first, pitched, *rest], 1)


def tables(books: dict[str, Any]) -> Tensor:
    """[EFFECTIVE, ENTRIES, INNER]: the codebook vectors that a decoder starts from, about of unit size."""
    out = torch.zeros(EFFECTIVE, ENTRIES, INNER)
    out[0] = torch.cat([_principal(books["means"], 48), _principal(books["first"], INNER - 48)], 1)
    place = 0
    for book, centres in enumerate(books["parts"], start=2):
        out[book, :, place : place + centres.shape[1]] = centres / books["parts"][0].std()
        place += centres.shape[1]
    semitones = books["pitch"][:, SLOTS:] / _SEMITONE_WEIGHT
    angles = torch.cat([2 * torch.pi / 12 * turns * semitones.mean(1, keepdim=True) for turns in _PITCH_TURNS], 1)
    described = torch.cat([books["pitch"][:, :SLOTS], semitones / 8, angles.sin(), angles.cos()], 1)
    out[1, :, place : place + described.shape[1]] = described
    return out


def _principal(points: Tensor, width: int) -> Tensor:
    centred = points - points.mean(0)
    _, sizes, axes = torch.linalg.svd(centred, full_matrices=False)
    found: Tensor = centred @ axes[:width].T / (sizes[0] / len(points) ** 0.5)
    return found


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="books", description=__doc__)
    parser.add_argument("--shards", type=int, default=8, help="to fit to")
    asked = parser.parse_args(arguments)
    torch.set_num_threads(1)
    features = Features.load(sorted(CODES.glob("features????.npz"))[: asked.shards])
    books = fit(features)
    save_state(books, PATH)
    codes = assign(books, features)
    share = torch.bincount(codes[:, 0], minlength=ENTRIES) / len(codes)
    perplexity = float(torch.exp(-(share * share.clamp(min=1e-9).log()).sum()))
    print(f"{len(codes)} frames; book 0 has a perplexity of {perplexity:.0f}")
    return 0
