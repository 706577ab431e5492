"""Stage `gates`: each gate of the built-in model prints its figure, its bar, and whether it is reached.

All speech is made by the engine from the exported folders, of sentences and voices that no stage trained on.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

import engine
from built_in_model import books, export, held, judges, sentences
from built_in_model.flite import RATE
from built_in_model.held_out import SENTENCES, VOICES
from built_in_model.paths import Curve
from engine.audio.clip import Clip, read_clip

_STYLES = {
    "slow": "Speak slowly.",
    "fast": "Speak fast.",
    "excited": "Excited.",
    "low": "Low and sad.",
    "whisper": "Whisper.",
}
_STYLED = 8  # sentences said in each style
_ENDS = 100
_HUMAN = Path("../shared/data/librivox")

FloatArray = npt.NDArray[np.float32]


@dataclass(frozen=True)
class Figure:
    """What a gate measured. `bar` is what to reach, `most` whether the figure may at most or must at least be it."""

    gate: str
    value: float
    bar: float
    most: bool
    note: str = ""

    @property
    def reached(self) -> bool:
        return self.value <= self.bar if self.most else self.value >= self.bar


class Bench:
    """The two models under judgement, loaded when first needed."""

    def __init__(self, folder: Path, count: int) -> None:
        self.folder, self.count = folder, count

    @cache  # noqa: B019 - one bench lives as long as the command
    def model(self, kind: str) -> Any:
        return engine.load_model(self.folder / kind, device="cpu", precision="fp32")

    @cache  # noqa: B019
    def voice(self, number: int) -> Any:
        return self.model("base").clone(Clip(held.clip(number), f"voice {number}", RATE, 1))

    def say(self, kind: str, text: str, **options: Any) -> tuple[FloatArray, str]:
        """Samples, and how they ended."""
        chunks = list(self.model(kind).speak(engine.SpeechRequest(text, language="english", seed=1, **options)))
        return np.concatenate([c.samples for c in chunks]), chunks[-1].reason


def word_error(pairs: Iterator[tuple[str, FloatArray]]) -> float:
    """Of all words together."""
    wrong = total = 0
    for text, samples in pairs:
        heard = judges.heard(samples)
        errors, count = judges.word_errors(text, heard)
        wrong, total = wrong + errors, total + count
        print(f"  {errors}/{count} {text} | {heard}", flush=True)
    return wrong / total


def codec(bench: Bench) -> Iterator[Figure]:
    """Resynthesis of the teacher's speech."""

    @torch.inference_mode()
    def pairs() -> Iterator[tuple[str, FloatArray]]:
        for number, line in enumerate(held.lines()[: bench.count]):
            codes = held.codes(number)
            whole = torch.zeros(len(codes), books.BOOKS, dtype=torch.int64)
            whole[:, : books.EFFECTIVE] = codes
            yield line["text"], bench.model("base").codec.new_stream().push(whole)

    yield Figure("codec: word error", word_error(pairs()), 0.15, most=True)


def teacher(bench: Bench) -> Iterator[Figure]:
    """The teacher's own speech, for comparison."""
    pairs = ((line["text"], held.said(n)) for n, line in enumerate(held.lines()[: bench.count]))
    yield Figure("teacher: word error", word_error(pairs), 0.06, most=True)


def voiced(bench: Bench) -> Iterator[Figure]:
    """Whether it is speech at all, whatever it says."""
    said = [bench.say("base", t, voice=bench.voice(i))[0] for i, t in enumerate(SENTENCES[: len(VOICES)])]
    share = statistics.mean(judges.speech_share(s) for s in said)
    yield Figure("share that is speech", share, 0.8, most=False)


def presets(bench: Bench) -> Iterator[Figure]:
    names = bench.model("custom_voice").summary.speakers
    pairs = (
        (t, bench.say("custom_voice", t, speaker=names[i % len(names)])[0])
        for i, t in enumerate(SENTENCES[: bench.count])
    )
    yield Figure("preset voices: word error", word_error(pairs), 0.25, most=True)


def clones(bench: Bench) -> Iterator[Figure]:
    pairs = (
        (t, bench.say("base", t, voice=bench.voice(i % len(VOICES)))[0]) for i, t in enumerate(SENTENCES[: bench.count])
    )
    yield Figure("cloned voices: word error", word_error(pairs), 0.35, most=True)


def likeness(bench: Bench) -> Iterator[Figure]:
    """Each clone against the references of all twelve voices, and its pitch against its own reference's."""
    clips = [held.clip(n) for n in range(len(VOICES))]
    references = np.stack([judges.voice_of(c) for c in clips])
    nearest, pitches = 0, list[tuple[float, float]]()
    for n, clip in enumerate(clips):
        said = np.concatenate([bench.say("base", t, voice=bench.voice(n))[0] for t in SENTENCES[2 * n : 2 * n + 3]])
        cosines = references @ judges.voice_of(said)
        nearest += int(cosines.argmax()) == n
        pitches.append((judges.pitch_of(clip)[0], judges.pitch_of(said)[0]))
        print(f"  {VOICES[n]}: own {cosines[n]:.3f}, best other {np.delete(cosines, n).max():.3f}, pitch {pitches[-1]}")
    heard, made = (np.argsort(np.argsort([p[i] for p in pitches])).astype(float) for i in (0, 1))
    correlation = np.corrcoef(np.stack((heard, made)))[0][1]
    yield Figure("clones nearest to their own reference, of 12", nearest, 10, most=False)
    yield Figure("rank correlation of pitch", float(correlation), 0.8, most=False)


def style(bench: Bench) -> Iterator[Figure]:
    texts, speaker = SENTENCES[:_STYLED], bench.model("custom_voice").summary.speakers[0]

    def said(instruct: str | None) -> tuple[float, float, float, float]:
        sounds = [bench.say("custom_voice", t, speaker=speaker, instruct=instruct)[0] for t in texts]
        pitched = [judges.pitch_of(s) for s in sounds]
        error = word_error(iter(zip(texts, sounds, strict=True)))
        return (
            sum(map(len, sounds)),
            statistics.median(p for p, _ in pitched),
            statistics.mean(v for _, v in pitched),
            error,
        )

    length, pitch, voiced, error = said(None)
    results = {name: said(wording) for name, wording in _STYLES.items()}
    yield Figure("slow: times as long", results["slow"][0] / length, 1.25, most=False)
    yield Figure("fast: times as long", results["fast"][0] / length, 0.85, most=True)
    yield Figure("excited: times as high", results["excited"][1] / pitch, 1.15, most=False)
    yield Figure("low: times as high", results["low"][1] / pitch, 0.88, most=True)
    yield Figure("whisper: share of the voicing", results["whisper"][2] / max(voiced, 1e-3), 0.5, most=True)
    worst = max(results, key=lambda name: results[name][3])
    yield Figure("styles: word error above plain", results[worst][3] - error, 0.15, most=True, note=worst)


def human(bench: Bench) -> Iterator[Figure]:
    """A person's clip: its words are said, at about its pitch."""
    for path in sorted(p for p in _HUMAN.rglob("*") if p.suffix in (".wav", ".flac", ".mp3", ".ogg")):
        clip = read_clip(path)
        voice = bench.model("base").clone(clip)
        sounds = [bench.say("base", t, voice=voice)[0] for t in SENTENCES[:5]]
        error = word_error(iter(zip(SENTENCES[:5], sounds, strict=True)))
        pitch, wanted = judges.pitch_of(np.concatenate(sounds))[0], judges.pitch_of(clip.samples)[0]
        yield Figure(f"{path.name}: word error", error, 0.35, most=True)
        yield Figure(
            f"{path.name}: pitch off by", abs(pitch / max(wanted, 1) - 1), 0.25, most=True, note=f"{wanted:.0f} Hz"
        )


def ends(bench: Bench) -> Iterator[Figure]:
    r = random.Random(77)
    texts = [sentences.draw(r) for _ in range(_ENDS)]
    reached = sum(bench.say("base", t, voice=bench.voice(i % len(VOICES)))[1] == "end" for i, t in enumerate(texts))
    yield Figure(f"end reached, of {_ENDS}", reached, 0.99 * _ENDS, most=False)


def speed(bench: Bench) -> Iterator[Figure]:
    bench.say("base", SENTENCES[0], voice=bench.voice(0))
    request = engine.SpeechRequest(SENTENCES[12], voice=bench.voice(0), seed=1)
    begun, cpu, first, samples = time.monotonic(), time.process_time(), 0.0, 0
    for chunk in bench.model("base").speak(request):
        first = first or time.monotonic() - begun
        samples += len(chunk.samples)
    yield Figure("real-time factor, one thread", (time.process_time() - cpu) / (samples / RATE), 0.5, most=True)
    yield Figure("first sound, in seconds", first, 1.0, most=True)


def size(bench: Bench) -> Iterator[Figure]:
    total = sum(p.stat().st_size for p in bench.folder.rglob("*") if p.is_file())
    yield Figure("megabytes of the pair", total / 1e6, 40, most=True)


GATES: dict[str, Callable[[Bench], Iterator[Figure]]] = {
    gate.__name__: gate for gate in (size, speed, teacher, codec, voiced, clones, presets, likeness, style, human, ends)
}


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="gates", description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*GATES, []], help="all of them when none is named")
    parser.add_argument("--folder", type=Path, default=export.FOLDER)
    parser.add_argument("--count", type=int, default=len(SENTENCES), help="sentences of the word-error gates")
    asked = parser.parse_args(arguments)
    torch.set_num_threads(1)
    bench, curve, missed = Bench(asked.folder, asked.count), Curve("gates"), 0
    for name in asked.names or GATES:
        for figure in GATES[name](bench):
            missed += not figure.reached
            sign = "at most" if figure.most else "at least"
            print(
                f"{figure.gate}: {figure.value:.3f} ({sign} {figure.bar:g}) {'reached' if figure.reached else 'MISSED'}"
            )
            curve.log(
                gate=figure.gate, value=float(figure.value), bar=figure.bar, reached=figure.reached, note=figure.note
            )
    return 1 if missed else 0
