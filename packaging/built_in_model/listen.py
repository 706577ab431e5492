"""Stage `listen`: a quick ear on the decoder alone, from its checkpoint: word error of the unseen set resynthesised."""

from __future__ import annotations

import argparse

import numpy as np
import soundfile
import torch

from built_in_model import held, judges
from built_in_model.decoder import PARTS, RATES, averaged, resampled
from built_in_model.flite import RATE
from built_in_model.paths import RUNS, Curve


@torch.inference_mode()
def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="listen", description=__doc__)
    parser.add_argument("--part", choices=PARTS[1:], default="24k")
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--name", default="decoder")
    parser.add_argument("--teacher", action="store_true", help="judge the teacher's own speech instead")
    asked = parser.parse_args(arguments)
    torch.set_num_threads(1)
    student, rate = averaged(RUNS / f"{asked.name}.pt"), RATES[asked.part]
    wrong = total = 0
    for number, line in enumerate(held.lines()[: asked.count]):
        if asked.teacher:
            made = resampled(torch.from_numpy(held.said(number))[None], rate)
        else:
            made = student.waveform(student.low_rate(held.codes(number)[None]), asked.part).clamp(-1, 1)
        samples = resampled(made, RATE, rate)[0].numpy().astype(np.float32)
        soundfile.write(held.FOLDER / f"made{number:02d}.wav", samples, RATE)
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
