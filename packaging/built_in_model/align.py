"""Which letter is being spoken when: phones aligned to letters by a monotone model that the data itself teaches."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from built_in_model.features import PHONES

LETTERS = " abcdefghijklmnopqrstuvwxyz'.,?"
_FARTHEST = 8  # letters a phone may lie beyond the one before
_SILENT = PHONES.index("pau")

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


def letters_of(text: str) -> Ints:
    """Each character's number in `LETTERS`; what is not there counts as a blank."""
    return np.array([max(0, LETTERS.find(c)) for c in text.lower()])


def align(letters: Ints, phones: Ints, emit: Floats, move: Floats) -> Ints:
    """[phones]: the most likely letter of each, never going back."""
    count = len(letters)
    scores = np.full(count, -1e9)
    scores[:_FARTHEST] = move[: min(_FARTHEST, count)]
    scores += emit[phones[0], letters]
    steps = np.zeros((len(phones), count), np.int64)
    for i, phone in enumerate(phones[1:], start=1):
        candidates = np.full((_FARTHEST, count), -1e9)
        for d in range(min(_FARTHEST, count)):
            candidates[d, d:] = scores[: count - d] + move[d]
        steps[i] = candidates.argmax(0)
        scores = candidates.max(0) + emit[phone, letters]
    place = int((scores - 0.3 * np.arange(count)[::-1]).argmax())
    path = np.zeros(len(phones), np.int64)
    for i in range(len(phones) - 1, -1, -1):
        path[i] = place
        place -= int(steps[i, place])
    return path


def learn(pairs: Sequence[tuple[Ints, Ints]], rounds: int = 4) -> tuple[Floats, Floats]:
    """Log emissions [phones, letters] and log moves, from (letters, phones) of many texts."""
    emissions = np.full((len(PHONES), len(LETTERS)), 0.5)
    for letters, phones in pairs:
        places = np.linspace(0, len(letters) - 1, len(phones))
        for reach in (-1, 0, 1):
            near = np.clip(np.round(places).astype(int) + reach, 0, len(letters) - 1)
            np.add.at(emissions, (phones, letters[near]), 1.0)
    moves = np.array([0.3, 1.0, 0.6, 0.3, 0.12, 0.05, 0.02, 0.01])
    for turn in range(rounds + 1):
        blanks = [i for i, c in enumerate(LETTERS) if not c.isalpha()]
        voiced = [i for i in range(len(PHONES)) if i != _SILENT]
        emissions[np.ix_(voiced, blanks)] *= 0.02
        emit = np.log(emissions / emissions.sum(0, keepdims=True))
        move = np.log(moves / moves.sum())
        if turn == rounds:
            break
        emissions, moves = np.full_like(emissions, 0.1), np.full_like(moves, 1.0)
        for letters, phones in pairs:
            path = align(letters, phones, emit, move)
            np.add.at(emissions, (phones, letters[path]), 1.0)
            np.add.at(moves, np.diff(path), 1.0)
    return emit, move
