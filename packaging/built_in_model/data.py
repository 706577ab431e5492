"""Stage `data`: speech in shards of int16 samples beside a line of JSON for each utterance."""

from __future__ import annotations

import argparse
import json
import os
import random
from pathlib import Path
from typing import Any

import numpy as np

from built_in_model import sentences
from built_in_model.flite import MANNERS, RATE, Speaker, speak
from built_in_model.held_out import near_held_out
from built_in_model.paths import SPEECH, wait_while_quiet
from engine.files import atomic_write

UTTERANCES, GROUP = 360, 6  # of a shard; that one speaker says
_SHARES = {"plain": 78, "slow": 5, "fast": 5, "excited": 4, "low": 4, "whisper": 4}
# Share, warps and mean pitches of the speakers made of each flite voice.
_RANGES = {
    "slt": (0.50, (0.90, 1.20), (140.0, 260.0)),
    "rms": (0.42, (0.87, 1.13), (78.0, 155.0)),
    "awb": (0.08, (0.92, 1.12), (100.0, 170.0)),
}


def draw_speaker(r: random.Random) -> Speaker:
    """A speaker of the training set; deep voices have long vocal tracts, with some scatter."""
    while True:
        voice = r.choices(list(_RANGES), [share for share, _, _ in _RANGES.values()])[0]
        _, warps, pitches = _RANGES[voice]
        place = r.random()
        warp = warps[0] + (warps[1] - warps[0]) * min(1.0, max(0.0, place + r.gauss(0, 0.2)))
        pitch = pitches[0] * (pitches[1] / pitches[0]) ** place
        if not near_held_out(voice, warp, pitch):
            return Speaker(voice, round(warp, 4), round(pitch, 2), round(r.uniform(0.94, 1.06), 3))


def make_shard(index: int, folder: Path = SPEECH) -> float:
    """Write shard `index`, seeded by its number; returns its hours."""
    r, scratch = random.Random(1000 + index), folder / f".{os.getpid()}.wav"
    sounds, lines, offset = [], list[dict[str, Any]](), 0
    for number in range(UTTERANCES):
        wait_while_quiet()
        if number % GROUP == 0:
            speaker = draw_speaker(r)
        style = r.choices(list(_SHARES), list(_SHARES.values()))[0]
        text = sentences.draw(r)
        samples, phones = speak(text, speaker, MANNERS[style], scratch)
        sounds.append((samples * 32767).astype(np.int16))
        lines.append(
            {
                "text": text,
                "style": style,
                "speaker": index * (UTTERANCES // GROUP) + number // GROUP,
                "voice": speaker.voice,
                "warp": speaker.warp,
                "pitch_hz": speaker.pitch_hz,
                "first": offset,
                "count": len(samples),
                "phones": [[name, round(end, 4)] for name, end in phones],
            }
        )
        offset += len(samples)
    scratch.unlink(missing_ok=True)
    text_lines = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / f"{index:04d}.jsonl").write_text(text_lines, encoding="utf-8")
    with atomic_write(folder / f"{index:04d}.npy") as file:  # last, so that a shard that can be seen is whole
        np.save(file, np.concatenate(sounds))
    return offset / RATE / 3600


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="data", description=__doc__)
    parser.add_argument("--shards", type=int, default=36, help="of 360 utterances, about 17 minutes each")
    parser.add_argument("--step", type=int, default=1, help="with --first: several processes share the work")
    parser.add_argument("--first", type=int, default=0)
    asked = parser.parse_args(arguments)
    SPEECH.mkdir(parents=True, exist_ok=True)
    for index in range(asked.first, asked.shards, asked.step):
        if not (SPEECH / f"{index:04d}.npy").exists():
            print(f"shard {index}: {make_shard(index):.2f} h", flush=True)
    return 0
