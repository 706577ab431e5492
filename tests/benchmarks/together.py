"""Groups of a long text one by one and at once: time a frame, what the caches take, and whether samples are equal.

    python -m tests.benchmarks.together MODEL --precision fp32 --frames 8

MODEL is a CustomVoice model. The whole way from text to samples; one run after the other in one process, the order
turned round from run to run, medians told. Nothing is asserted.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path

import numpy as np
import torch

import engine

TEXT = "\n\n".join(
    f"Sentence number {word} is one of eight."
    for word in ("one", "two", "three", "four", "five", "six", "seven", "eight")
)


def main() -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(prog="python -m tests.benchmarks.together", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("--precision", default="fp32")
    parser.add_argument("--frames", type=int, default=8, help="of each of the eight groups")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--together", type=int, nargs="+", default=[1, 8])
    arguments = parser.parse_args()
    model = engine.load_model(arguments.model, "cpu", arguments.precision)
    print(
        f"{model.summary.label}, {model.placement.label}, {torch.get_num_threads()} of {os.cpu_count()} cores for torch"
    )
    print(f"rows are the same in company: {model.most_together > 1}")
    measured: dict[int, list[tuple[float, float]]] = {most: [] for most in arguments.together}
    sounds: dict[int, np.ndarray] = {}
    caches: dict[int, int] = {}
    for number in range(arguments.runs):
        for most in arguments.together[:: -1 if number % 2 else 1]:
            measured[most].append(_run(model, most, arguments.frames, sounds))
            caches[most] = model.cache_bytes
    print(f"{'at once':>8} {'ms a frame':>11} {'CPU ms':>8} {'caches MB':>10} {'times as fast':>14}  samples")
    alone = statistics.median(wall for wall, _ in measured[arguments.together[0]])
    for most, runs in measured.items():
        wall, cpu = (1000 * statistics.median(figures) for figures in zip(*runs, strict=True))
        same = np.array_equal(sounds[most], sounds[arguments.together[0]])
        print(
            f"{most:>8} {wall:>11.0f} {cpu:>8.0f} {caches[most] / 1e6:>10.1f} {1000 * alone / wall:>14.2f}  "
            f"{'equal' if same else 'differ'}"
        )


def _run(model: engine.Model, most: int, frames: int, sounds: dict[int, np.ndarray]) -> tuple[float, float]:
    """Wall and CPU seconds a frame."""
    model._most_together = most
    request = engine.SpeechRequest(TEXT, speaker="ryan", language="english", seed=7, max_new_tokens=frames + 1)
    wall, cpu = time.perf_counter(), time.process_time()
    chunks = list(model.read(request))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    made = sum(len(chunk.codes) for chunk in chunks)
    sounds[most] = np.concatenate([chunk.samples for chunk in chunks])
    return wall / made, cpu / made


if __name__ == "__main__":
    main()
