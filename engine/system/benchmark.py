"""Ten seconds of a model at work: how long until it is loaded, until the first sound, and how fast it speaks."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from engine.audio.clip import SAMPLE_RATE
from engine.errors import WriteError
from engine.progress import Cancel, Progress, Report, no_report
from engine.speech.request import SpeechRequest
from engine.system.measured import keep_speed

if TYPE_CHECKING:
    from engine.model.model import Model

SECONDS = 10.0
_TEXT = "The quick brown fox jumps over the lazy dog, and then it rests in the shade of the old tree by the river."
_LONGEST_FRAMES = 2000


@dataclass(frozen=True)
class BenchmarkResult:
    """`realtime_factor` is seconds of work per second of speech, the first sound not counted in."""

    model: str
    placement: str
    load_seconds: float
    first_sound_seconds: float
    realtime_factor: float
    speech_seconds: float

    @property
    def text(self) -> str:
        return (
            f"{self.model}, {self.placement}: loaded in {self.load_seconds:.1f} s, first sound after "
            f"{self.first_sound_seconds:.2f} s, then {self.realtime_factor:.2f} s of work per second of speech"
        )


def benchmark(
    folder: str | Path,
    precision: str = "auto",
    cancel: Cancel | None = None,
    report: Report = no_report,
    seconds: float = SECONDS,
) -> BenchmarkResult:
    """Load the model in `folder` and let it speak for `seconds` of wall time; the speed of a real model is kept
    (`engine.system.measured`). Raises `ModelError` or `Cancelled`."""
    from engine.model.model import load_model

    began = time.perf_counter()
    model = load_model(folder, precision=precision, cancel=cancel, report=report)
    loaded = time.perf_counter() - began
    result = _speak(model, loaded, cancel or Cancel(), report, seconds)
    if not model.summary.is_test_model:
        with suppress(WriteError):  # it is told all the same
            keep_speed(model.summary.size_label, result.placement, result.realtime_factor)
    return result


def _speak(model: Model, loaded: float, cancel: Cancel, report: Report, seconds: float) -> BenchmarkResult:
    speaker = model.summary.speakers[0] if model.summary.kind == "custom_voice" else None
    instruct = "A calm low voice." if model.summary.kind == "voice_design" else None
    request = SpeechRequest(_TEXT, speaker=speaker, instruct=instruct, seed=1, max_new_tokens=_LONGEST_FRAMES)
    began = time.perf_counter()
    first = after = 0.0
    samples = first_samples = 0
    for chunk in model.speak(request, cancel):
        after = time.perf_counter() - began
        samples += len(chunk.samples)
        if not first:
            first, first_samples = after, samples
        report(Progress("speaking", min(after, seconds), seconds, "s"))
        if after > seconds:
            break
    rest = (samples - first_samples) / SAMPLE_RATE
    factor = (after - first) / rest if rest > 0 else after / (samples / SAMPLE_RATE)
    return BenchmarkResult(model.summary.label, model.placement.label, loaded, first, factor, samples / SAMPLE_RATE)
