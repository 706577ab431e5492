"""Stage `listen`: a quick ear on the decoder alone, from its checkpoint: word error of the unseen set resynthesised."""

from __future__ import annotations

import argparse

import numpy as np
import soundfile
import torch

from built_in_model import held, judges
from built_in_model.decoder import PARTS, averaged, resampled
from built_in_model.paths import RUNS, Curve

_RATES = {"2k": 2000, "8k": 8000, "24k": 24_000}


def upsampled(samples: torch.Tensor, rate: int) -> torch.Tensor:
    """To 24 kHz, for the judges."""
    count = samples.shape[1] * 24_000 // rate
    higher: torch.Tensor = torch.fft.irfft(torch.fft.rfft(samples), count) * (24_000 / rate)
    return higher


@torch.inference_mode()
def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="listen", description=__doc__)
    parser.add_argument("--part", choices=PARTS[1:], default="24k")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--name", default="decoder")
    parser.add_argument("--teacher", action="store_true", help="judge the teacher's own speech instead")
    asked = parser.parse_args(arguments)
    torch.set_num_threads(1)
    student, rate = averaged(RUNS / f"{asked.name}.pt"), _RATES[asked.part]
    wrong = total = 0
    for number, line in enumerate(held.lines()[: asked.count]):
        if asked.teacher:
            made = upsampled(resampled(torch.from_numpy(held.said(number))[None], rate), rate)
        else:
            made = upsampled(
                student.waveform(student.low_rate(held.codes(number)[None]), asked.part).clamp(-1, 1), rate
            )
        samples = made[0].numpy().astype(np.float32)
        soundfile.write(held.FOLDER / f"made{number:02d}.wav", samples, 24_000)
        text = judges.heard(samples)
        errors, count = judges.word_errors(line["text"], text)
        wrong, total = wrong + errors, total + count
        pitch = judges.pitch_of(samples)
        print(
            f"{errors}/{count} {line['text']} | {text} | "
            f"{line['pitch_hz']:.0f} -> {pitch[0]:.0f} Hz, {pitch[1]:.2f} voiced"
        )
    Curve("listen").log(part=asked.part, word_error=wrong / total, sentences=asked.count, teacher=asked.teacher)
    return 0
