"""Stage `speaker`: the speaker encoder, from clips of continuous speakers to where they lie.

An x-vector has to tell pitch, formant warp and voice of a speaker that was never heard; so the encoder learns to tell
those (and one speaker of a batch from the others), from clips with noise, a room, a tilted spectrum and any level. It
then gives every training utterance its x-vector once.
"""

from __future__ import annotations

import argparse
import random
import time
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from built_in_model import dimensions
from built_in_model.flite import RATE
from built_in_model.modules import parameter_count, prepare
from built_in_model.paths import CODES, RUNS, Curve, wait_while_quiet
from built_in_model.speech import SLOTS, Shard, frames_of, shards
from built_in_model.training import save_state
from engine.audio.mel import mel_tensor
from engine.files import atomic_write
from engine.model.speaker_encoder import SpeakerEncoder

PATH = RUNS / "speaker.pt"
VOICES = ("slt", "rms", "awb")
CLIP, LONGEST = 36_000, 72_000  # samples heard in training, and when an utterance gets its x-vector
_SPEAKERS, _SAME = 8, 2  # of a batch; clips of each
_TEMPERATURE = 0.1
_ROW_SIZE = 0.35  # root mean square of an x-vector's entries, about that of the rows it is added to


class Trainee(nn.Module):
    """The engine's encoder and what is read off its x-vector while it learns."""

    def __init__(self) -> None:
        super().__init__()
        config = dimensions.model().speaker_encoder_config
        assert config is not None
        self.encoder = SpeakerEncoder(config)
        self.place = nn.Linear(config.enc_dim, 2 + len(VOICES))
        prepare(self.encoder, torch.Generator().manual_seed(0))

    def forward(self, mel: Tensor) -> tuple[Tensor, Tensor]:
        """x-vectors [batch, width]; log pitch, warp and voice scores [batch, 2 + voices]."""
        vectors = self.encoder(mel, lambda: None)
        return vectors, self.place(vectors)


def spoilt(clip: npt.NDArray[np.floating], r: np.random.Generator) -> npt.NDArray[np.float32]:
    """The clip as some microphone in some room might hear it."""
    count = len(clip)
    if r.random() < 0.5:
        tilt = r.uniform(-6, 6) * np.linspace(-1, 1, count // 2 + 1) + 3 * np.sin(
            np.linspace(0, r.uniform(1, 9), count // 2 + 1)
        )
        clip = np.fft.irfft(np.fft.rfft(clip) * 10 ** (tilt / 20), count)
    if r.random() < 0.4:
        length = int(r.uniform(0.05, 0.3) * RATE)
        tail = r.standard_normal(length) * np.exp(-6 * np.arange(length) / length) * r.uniform(0.01, 0.06)
        tail[0] = 1
        clip = np.fft.irfft(np.fft.rfft(clip, count + length) * np.fft.rfft(tail, count + length))[:count]
    if r.random() < 0.5:
        clip = clip + r.standard_normal(count) * 10 ** r.uniform(-4, -2)
    return np.asarray(clip * 10 ** r.uniform(-0.7, 0.5), np.float32).clip(-1, 1)


def loss_of(trainee: Trainee, mel: Tensor, lines: list[dict[str, Any]]) -> dict[str, Tensor]:
    vectors, read = trainee(mel)
    pitch = torch.tensor([np.log(m["pitch_hz"] / 140) for m in lines], dtype=torch.float32)
    warp = torch.tensor([m["warp"] - 1 for m in lines], dtype=torch.float32)
    voice = torch.tensor([VOICES.index(m["voice"]) for m in lines])
    unit = F.normalize(vectors, dim=1)
    alike = unit @ unit.T / _TEMPERATURE - 1e4 * torch.eye(len(unit))
    partner = torch.arange(len(unit)).view(-1, _SAME).flip(1).reshape(-1)
    return {
        "pitch": 10 * F.mse_loss(read[:, 0], pitch),
        "warp": 100 * F.mse_loss(read[:, 1], warp),
        "voice": 0.3 * F.cross_entropy(read[:, 2:], voice),
        "same": 0.3 * F.cross_entropy(alike, partner),
        "size": (vectors.pow(2).mean(1).clamp(min=1e-6).sqrt() / _ROW_SIZE).log().square().mean(),
    }


def measured_pitches(shard: Shard) -> dict[int, float]:
    """The median pitch in Hz of each speaker's plain utterances; flite's rms obeys no pitch it is asked for."""
    pitch, at, heard = np.load(CODES / f"features{shard.index:04d}.npz")["pitch"], 0, dict[int, list[float]]()
    for line in shard.lines:
        voiced = pitch[at : at + frames_of(line) * SLOTS]
        at += frames_of(line) * SLOTS
        if line["style"] == "plain":
            heard.setdefault(line["speaker"], []).extend(voiced[voiced > 0].tolist())
    return {speaker: float(np.median(values)) for speaker, values in heard.items() if values}


def _by_speaker(found: list[Shard]) -> list[list[tuple[Shard, int]]]:
    groups: dict[int, list[tuple[Shard, int]]] = {}
    for shard in found:
        pitches = measured_pitches(shard)
        for number, line in enumerate(shard.lines):
            line["pitch_hz"] = pitches.get(line["speaker"], line["pitch_hz"])
            if line["style"] not in ("whisper", "excited", "low") and line["count"] > CLIP:
                groups.setdefault(line["speaker"], []).append((shard, number))
    return [group for group in groups.values() if len(group) >= _SAME]


def train(minutes: float) -> Trainee:
    trainee, curve, r, numbers = Trainee(), Curve("speaker"), random.Random(0), np.random.default_rng(0)
    if PATH.exists():
        trainee.load_state_dict(torch.load(PATH, map_location="cpu"))
    print(f"{parameter_count(trainee.encoder):.2f} M parameters")
    optimiser = torch.optim.AdamW(trainee.parameters(), 2e-3, weight_decay=1e-3)
    ready = [s for s in shards() if (CODES / f"features{s.index:04d}.npz").exists()]
    groups, begun, step = _by_speaker(ready), time.monotonic(), 0
    while (done := (time.monotonic() - begun) / 60 / minutes) < 1:
        wait_while_quiet()
        optimiser.param_groups[0]["lr"] = 2e-3 * min(1, (step + 1) / 40) * max(0.02, 1 - done)
        chosen = [pick for group in r.sample(groups, _SPEAKERS) for pick in r.sample(group, _SAME)]
        lines = [shard.lines[number] for shard, number in chosen]
        clips = []
        for (shard, _), line in zip(chosen, lines, strict=True):
            at = line["first"] + r.randint(0, line["count"] - CLIP)
            clips.append(spoilt(shard.samples[at : at + CLIP].astype(np.float32) / 32767, numbers))
        losses = loss_of(trainee, mel_tensor(torch.from_numpy(np.stack(clips))), lines)
        optimiser.zero_grad()
        torch.stack(list(losses.values())).sum().backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(trainee.parameters(), 2.0)
        optimiser.step()
        step += 1
        if step % 25 == 0:
            curve.log(step=step, minutes=done * minutes, **{k: float(v.detach()) for k, v in losses.items()})
    save_state(trainee.state_dict(), PATH)
    return trainee


def load() -> Trainee:
    trainee = Trainee()
    trainee.load_state_dict(torch.load(PATH, map_location="cpu"))
    return trainee.requires_grad_(False)


@torch.inference_mode()
def give_vectors(trainee: Trainee) -> None:
    """An x-vector for every utterance, a file a shard."""
    for shard in shards():
        path = CODES / f"vectors{shard.index:04d}.npy"
        if not path.exists():
            wait_while_quiet()
            rows = []
            for line in shard.lines:
                samples = shard.samples[line["first"] : line["first"] + min(line["count"], LONGEST)]
                mel = mel_tensor(torch.from_numpy(samples.astype(np.float32) / 32767)[None])
                rows.append(trainee.encoder(mel, lambda: None)[0].numpy())
            with atomic_write(path) as file:
                np.save(file, np.stack(rows))


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="speaker", description=__doc__)
    parser.add_argument("--minutes", type=float, default=4, help="0: only give x-vectors to what has none")
    asked = parser.parse_args(arguments)
    torch.manual_seed(0)
    torch.set_num_threads(1)
    give_vectors(train(asked.minutes) if asked.minutes else load())
    return 0
