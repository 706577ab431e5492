"""The unseen set that the gates use: each held-out sentence by a held-out voice, and a reference clip of each voice."""

from __future__ import annotations

import json
import random
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from built_in_model import books, features, sentences
from built_in_model.flite import MANNERS, RATE, Speaker, speak
from built_in_model.held_out import SENTENCES, VOICES
from built_in_model.paths import WORK
from built_in_model.speech import FRAME, frames_of

FOLDER = WORK / "held"
_CLIP_SECONDS = 9.0

FloatArray = npt.NDArray[np.float32]


def make() -> None:
    """Write the set, once."""
    if (FOLDER / "lines.json").exists():
        return
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines: list[dict[str, Any]] = []
    for number, text in enumerate(SENTENCES):
        speaker = Speaker(*VOICES[number % len(VOICES)])
        samples, phones = speak(text, speaker, MANNERS["plain"], FOLDER / "scratch.wav")
        np.save(FOLDER / f"said{number:02d}.npy", samples)
        lines.append({"text": text, "voice": number % len(VOICES), "pitch_hz": speaker.pitch_hz, "style": "plain",
                      "count": len(samples), "phones": phones})  # fmt: skip
    r = random.Random(5)
    for number, voice in enumerate(VOICES):
        parts: list[FloatArray] = []
        while sum(len(p) for p in parts) < _CLIP_SECONDS * RATE:
            parts.append(speak(sentences.draw(r), Speaker(*voice), MANNERS["plain"], FOLDER / "scratch.wav")[0])
        np.save(FOLDER / f"clip{number:02d}.npy", np.concatenate(parts))
    (FOLDER / "scratch.wav").unlink()
    (FOLDER / "lines.json").write_text(json.dumps(lines), encoding="utf-8")


def lines() -> list[dict[str, Any]]:
    make()
    found: list[dict[str, Any]] = json.loads((FOLDER / "lines.json").read_text(encoding="utf-8"))
    return found


def said(number: int) -> FloatArray:
    """The teacher's own speech of sentence `number`."""
    found: FloatArray = np.load(FOLDER / f"said{number:02d}.npy")
    return found


def clip(voice: int) -> FloatArray:
    """The reference clip of held-out voice `voice`."""
    found: FloatArray = np.load(FOLDER / f"clip{voice:02d}.npy")
    return found


def codes(number: int) -> Tensor:
    """The teacher's speech of sentence `number` as codes [frames, EFFECTIVE]."""
    line = lines()[number]
    frames = frames_of(line)
    mel, pitch, phones = features.of_utterance(torch.from_numpy(said(number)[: frames * FRAME]), line)
    slots = books.Features(mel.view(frames, -1), phones.view(frames, -1), pitch.view(frames, -1), [frames])
    return books.assign(torch.load(books.PATH), slots)
