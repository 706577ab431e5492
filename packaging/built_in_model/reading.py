"""Stage `reading`: does the talker read? Phone errors of its own book 0, without any sound or judge.

Book 0 names the phones of a frame's slots, so what a checkpoint would say can be read off its codes.
"""

from __future__ import annotations

import argparse
from typing import Any

import torch
from torch import Tensor

import engine
from built_in_model import books, export, held
from built_in_model.distance import distance
from built_in_model.features import PHONES
from built_in_model.flite import RATE
from built_in_model.paths import Curve
from engine.audio.clip import Clip

_SHORTEST_SLOTS = 2  # a phone heard for one slot only may be the edge of two others


def phones_of(codes: Tensor, fitted: dict[str, Any]) -> list[str]:
    """What the frames' book-0 codes [frames] say, each run of a phone once, without pauses."""
    entries = fitted["first"].view(books.ENTRIES, 4, -1)[:, :, -len(PHONES) :].argmax(2)
    slots = entries[codes].flatten().tolist()
    runs: list[list[int]] = []
    for slot in slots:
        if runs and runs[-1][0] == slot:
            runs[-1][1] += 1
        else:
            runs.append([slot, 1])
    return [PHONES[phone] for phone, count in runs if count >= _SHORTEST_SLOTS and PHONES[phone] != "pau"]


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="reading", description=__doc__)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--whole", action="store_true", help="give the text as a whole, not frame by frame")
    asked = parser.parse_args(arguments)
    torch.set_num_threads(1)
    model, fitted = engine.load_model(export.FOLDER / "base", device="cpu"), torch.load(books.PATH)
    wrong = total = frames = wanted_frames = 0
    for number, line in enumerate(held.lines()[: asked.count]):
        voice = model.clone(Clip(held.clip(line["voice"]), "held", RATE, 1))
        request = engine.SpeechRequest(line["text"], voice=voice, seed=1, streamed_text=not asked.whole)
        codes = torch.cat([torch.from_numpy(chunk.codes) for chunk in model.speak(request) if len(chunk.codes)]).long()
        truth = held.codes(number)
        wanted, found = phones_of(truth[:, 0], fitted), phones_of(codes[:, 0], fitted)
        errors = distance(wanted, found)
        wrong, total = wrong + errors, total + len(wanted)
        frames, wanted_frames = frames + len(codes), wanted_frames + len(truth)
        print(f"{errors}/{len(wanted)} {line['text']} | {' '.join(found)}", flush=True)
    Curve("reading").log(phone_error=wrong / total, length=frames / wanted_frames, whole=asked.whole)
    return 0
