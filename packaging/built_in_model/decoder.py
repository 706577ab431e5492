"""Stage `decoder`: codes to waveform, with the codes fixed.

Trained from slow to fast, each part on from the one before: `envelope` (the low-rate half alone predicts the log-mel,
no waveform), then waveforms of 2 kHz, 8 kHz and 24 kHz: the blocks before the last cost a fraction of it, and that is
where pitch and formants are learnt. The heads of the parts before the last are dropped when the model is exported.
"""

from __future__ import annotations

import random
import time
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
import torch.nn.functional as F  # noqa: N812 - the name everyone knows it by
from torch import Tensor, nn

from built_in_model import books, dimensions
from built_in_model.features import BANDS, mel_bands
from built_in_model.flite import RATE
from built_in_model.modules import Average, parameter_count, prepare, ready, wear
from built_in_model.paths import CODES, RUNS, Curve, Means, wait_while_quiet
from built_in_model.speech import FRAME, SLOTS, Shard, shards
from built_in_model.training import Pace, add_anneal, run_options, save_state
from engine.model.codec_decoder import CausalConv, CodecDecoder, DecoderState, SnakeBeta

PARTS = ("envelope", "2k", "8k", "24k")
RATES = {"2k": 2000, "8k": 8000, "24k": RATE}  # of a part, in Hz
_BLOCKS = {"2k": 2, "8k": 3, "24k": 4}
# (window, mel bands) of the spectra compared, in samples of the part's rate
_SPECTRA = {
    "2k": ((64, 20), (128, 32), (256, 48)),
    "8k": ((96, 16), (192, 32), (384, 48), (768, 80)),
    "24k": ((256, 20), (512, 40), (1024, 80), (2048, 128)),
}
_SAVE_SECONDS, _LOG_STEPS = 90.0, 50
CONTEXT, CROP = 16, 8  # frames: seen by the low-rate half, made into sound


class Student(nn.Module):
    """The engine's decoder with its codebooks as parameters, and the heads of the parts."""

    def __init__(self, tables: Tensor) -> None:
        super().__init__()
        config = dimensions.codec().decoder_config
        generator = torch.Generator().manual_seed(0)
        self.tables = nn.Parameter(tables.clone())
        self.decoder = cast("CodecDecoder", prepare(CodecDecoder(config), generator))
        self.envelope = nn.Linear(config.latent_dim, BANDS)
        widths = [config.decoder_dim >> n for n in (2, 3)]
        heads = [nn.ModuleList([SnakeBeta(width), CausalConv(width, 1, 7)]) for width in widths]
        self.heads = nn.ModuleDict(dict(zip(("2k", "8k"), heads, strict=True)))
        prepare(self.heads, generator)
        for head in self.heads.values():
            cast("CausalConv", cast("nn.ModuleList", head)[1]).conv.weight.data *= 0.1

    def latents(self, codes: Tensor) -> Tensor:
        """Codes int64 [batch, frames, EFFECTIVE] -> [batch, frames, 2 * INNER]."""
        rows = [table[codes[:, :, i]] for i, table in enumerate(self.tables)]
        return torch.cat((rows[0], torch.stack(rows[1:]).sum(0)), 2)

    def low_rate(self, codes: Tensor) -> Tensor:
        """[batch, 4 * frames, latent]: all before the waveform's blocks."""
        d, state = self.decoder, self.decoder.new_state()
        x = d.pre_conv(self.latents(codes), state)
        x = d.pre_transformer(x, state.window)
        for upsampler, convnext in cast("list[tuple[nn.Module, nn.Module]]", d.upsample):
            x = convnext(upsampler(x, state), state)
        return cast("Tensor", x)

    def waveform(self, rows: Tensor, part: str) -> Tensor:
        """[batch, samples] at the part's rate, from `rows` of the low-rate half."""
        first, *blocks = self.decoder.decoder
        state = DecoderState(self.decoder.config)
        x = first(rows, state)
        for block in blocks[: _BLOCKS[part]]:
            x = block(x, state)
        snake, last = cast("nn.ModuleList", self.heads[part]) if part in self.heads else blocks[-2:]
        return cast("Tensor", last(x, state, snake)[:, :, 0])


class SpectralLoss(nn.Module):
    """Differences of log-mel, of magnitudes and of log magnitudes over several window lengths."""

    def __init__(self, part: str) -> None:
        super().__init__()
        self.shapes = _SPECTRA[part]
        for fft, bands in self.shapes:
            filters = mel_bands(RATE * fft // RATES[part], bands, 30.0, RATES[part] / 2)
            self.register_buffer(f"mel{fft}", filters[:, : fft // 2 + 1])
            self.register_buffer(f"window{fft}", torch.hann_window(fft))

    def forward(self, made: Tensor, wanted: Tensor) -> tuple[Tensor, Tensor]:
        """Mean log-mel difference, mean of the rest."""
        mel = rest = made.new_zeros(())
        for fft, _ in self.shapes:
            filters, window = getattr(self, f"mel{fft}"), getattr(self, f"window{fft}")
            both = torch.stft(torch.cat((made, wanted)), fft, fft // 4, window=window, return_complex=True)
            size = (both.real.square() + both.imag.square() + 1e-7).sqrt() / fft**0.5
            ours, theirs = size.chunk(2)
            a, b = torch.log(filters @ size + 1e-3).chunk(2)
            mel = mel + F.l1_loss(a, b)
            rest = (
                rest
                + (ours - theirs).norm() / theirs.norm()
                + 0.5 * F.l1_loss((ours + 1e-3).log(), (theirs + 1e-3).log())
            )
        return mel / len(self.shapes), rest / len(self.shapes)


class Pool:
    """Random pieces of the training set: codes, envelopes, samples."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)
        self._shards: dict[int, tuple[Shard, Tensor, Tensor, list[tuple[int, int]]]] = {}
        self.refresh()

    def refresh(self) -> None:
        """Take in what has been made since."""
        for shard in shards():
            path = CODES / f"codes{shard.index:04d}.npz"
            if shard.index in self._shards or not path.exists():
                continue
            file = np.load(path)
            mel = np.load(CODES / f"features{shard.index:04d}.npz")["mel"]
            starts = np.concatenate(([0], np.cumsum(file["frames"])))
            places = [(i, int(starts[i])) for i, n in enumerate(file["frames"]) if n > CONTEXT]
            codes = torch.from_numpy(file["codes"].astype(np.int64))
            self._shards[shard.index] = (shard, codes, torch.from_numpy(mel).view(len(codes), SLOTS, BANDS), places)

    def draw(self, count: int, frames: int) -> tuple[Tensor, Tensor, list[tuple[Shard, int]]]:
        """Codes [count, frames, EFFECTIVE], envelopes [count, 4 * frames, bands], where each piece's samples begin."""
        codes, mels, sources = list[Tensor](), list[Tensor](), list[tuple[Shard, int]]()
        while len(codes) < count:
            shard, all_codes, all_mels, places = self._random.choice(list(self._shards.values()))
            number, start = self._random.choice(places)
            room = int(shard.lines[number]["count"]) // FRAME - frames
            if room < 0:
                continue
            first = self._random.randint(0, room)
            codes.append(all_codes[start + first : start + first + frames])
            mels.append(all_mels[start + first : start + first + frames].flatten(0, 1))
            sources.append((shard, int(shard.lines[number]["first"]) + first * FRAME))
        return torch.stack(codes), torch.stack(mels).float(), sources


def samples_of(sources: list[tuple[Shard, int]], skip: int, frames: int) -> Tensor:
    """[count, samples] of the pieces, from frame `skip` of each on."""
    rows = [s.samples[at + skip * FRAME : at + (skip + frames) * FRAME] for s, at in sources]
    return torch.from_numpy(np.stack(rows).astype(np.float32) / 32767)


def resampled(samples: Tensor, rate: int, source_rate: int = RATE) -> Tensor:
    """`samples` [batch, n] at `source_rate` brought to `rate`."""
    if rate == source_rate:
        return samples
    made: Tensor = torch.fft.irfft(torch.fft.rfft(samples), samples.shape[1] * rate // source_rate)
    return made * (rate / source_rate)


class Training:
    """One run: the student, its optimiser, what is on disk."""

    def __init__(self, name: str, rate: float, device: str) -> None:
        self.path, self.rate, self.device = RUNS / f"{name}.pt", rate, torch.device(device)
        fitted = torch.load(books.PATH)
        self.student = Student(books.tables(fitted)).to(self.device)
        self.parameters = list(self.student.parameters())
        self.optimiser = torch.optim.AdamW(self.parameters, rate, betas=(0.8, 0.98), weight_decay=1e-4)
        self.average = Average(self.parameters)
        self.steps, self.seconds = dict.fromkeys(PARTS, 0), 0.0
        if self.path.exists():
            self._load(torch.load(self.path, map_location=self.device))

    def _load(self, state: dict[str, Any]) -> None:
        self.student.load_state_dict(state["student"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.steps, self.seconds = state["steps"], state["seconds"]
        self.average.load(state["average"], sum(self.steps.values()))

    def save(self) -> None:
        state = {
            "student": self.student.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "average": self.average.values,
            "steps": self.steps,
            "seconds": self.seconds,
        }
        save_state(state, self.path)

    def step(self, loss: Tensor, rate: float) -> None:
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(self.parameters, 1.0)
        self.optimiser.step()
        self.average.update()


def envelope_loss(student: Student, mel: Tensor, rows: Tensor) -> Tensor:
    return F.l1_loss(student.envelope(rows), mel)


def train(run: Training, part: str, steps: int, batch: int, curve: Curve, minutes: float, anneal: bool) -> None:
    """Train `part` up to `steps` steps in all, or as long as `minutes`."""
    pool, student = Pool(seed=run.steps[part]), run.student
    spectral = SpectralLoss(part).to(run.device) if part != "envelope" else None
    means = Means()
    pace = Pace(run.rate, run.steps[part], steps, minutes, warm=60, anneal=anneal)
    saved, cpu = time.monotonic(), time.process_time()
    while pace.goes_on(run.steps[part]):
        wait_while_quiet()
        rate = pace.rate_at(run.steps[part])
        parts: dict[str, Tensor] = {}
        if spectral is None:
            codes, mel, _ = pool.draw(batch, 32)
            parts["envelope"] = envelope_loss(student, mel.to(run.device), student.low_rate(codes.to(run.device)))
        else:
            codes, mel, sources = pool.draw(batch, CONTEXT)
            rows = student.low_rate(codes.to(run.device))
            skip = int(torch.randint(0, CONTEXT - CROP + 1, ()))
            wanted = resampled(samples_of(sources, skip, CROP), RATES[part]).to(run.device)
            made = student.waveform(rows[:, skip * SLOTS : (skip + CROP) * SLOTS], part)
            parts["mel"], parts["rest"] = spectral(made, wanted)
            parts["envelope"] = 0.2 * envelope_loss(student, mel.to(run.device), rows)
        run.step(cast("Tensor", sum(parts.values())), rate)
        run.steps[part] += 1
        means.add({name: float(value.detach()) for name, value in parts.items()})
        if run.steps[part] % _LOG_STEPS == 0:
            run.seconds += time.process_time() - cpu
            cpu = time.process_time()
            curve.log(part=part, step=run.steps[part], cpu_min=run.seconds / 60, **means.take())
        if time.monotonic() - saved > _SAVE_SECONDS:
            run.save()
            pool.refresh()
            saved = time.monotonic()
    run.seconds += time.process_time() - cpu
    run.save()


def averaged(path: Path = RUNS / "decoder.pt") -> Student:
    """The student of a run with its averaged weights."""
    state = torch.load(path, map_location="cpu")
    student = Student(torch.zeros_like(state["student"]["tables"]))
    wear(student, state["average"])
    return student


def main(arguments: list[str]) -> int:
    parser = run_options("decoder", __doc__, minutes=600, rate=1e-3)
    parser.add_argument("--name", default="decoder")
    parser.add_argument("--parts", nargs="+", default=["envelope:600", "2k:1500", "8k:4000", "24k:100000"])
    parser.add_argument("--batch", type=int, default=6)
    add_anneal(parser)
    asked = parser.parse_args(arguments)
    torch.manual_seed(0)
    ready(asked.device)
    run, curve = Training(asked.name, asked.rate, asked.device), Curve(asked.name)
    print(f"{parameter_count(run.student.decoder):.2f} M parameters in the decoder")
    for part, _, steps in (item.partition(":") for item in asked.parts):
        train(run, part, int(steps), asked.batch, curve, asked.minutes, asked.anneal)
    return 0
