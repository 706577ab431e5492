"""The engine's side of the bench: a loaded model, and what is measured on it."""

from __future__ import annotations

import time
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

import torch

import engine
from engine.bench.limits import (
    bytes_per_frame,
    codec_operations_per_frame,
    operations_per_second,
    read_bytes_per_second,
)
from engine.parity.clip import as_float, reference_samples
from engine.progress import Cancel
from engine.speech.budget import FRAMES_PER_SECOND
from engine.speech.generate import generate_frames

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import nn

    from engine.speech.generate import LoopSettings
    from engine.speech.plan import Plan as SpeechPlan

Figures = dict[str, Any]

_CLIP_SECONDS = 30.0
_SPOKEN_CLIP_SECONDS = 3.1
_PIECES = (1, 4, 25)
_GROWTH_FRAMES = (50, 500, 2000, 8000)
_STEPS = 8
_SEED = 1


class Own:
    """`frames` of speech are made in a turn. Times are in milliseconds where a name says `ms`, else in seconds."""

    def __init__(self, folder: Path, precision: str, text: str, frames: int) -> None:
        began = time.perf_counter()
        engine.load_engine()
        imported = time.perf_counter()
        self.model = engine.load_model(folder, "cpu", precision)
        load_seconds = time.perf_counter() - imported
        threads = self.model.threads.choose()
        threads.use()  # for what is measured without speaking
        self.loaded: Figures = {
            "import_seconds": imported - began,
            "load_seconds": load_seconds,
            "threads": threads.count,
            "beside": threads.beside,
            "can_clone": self.model.summary.can_clone,
        }
        self._request = self._request_of(text, frames)

    def speak(self) -> Figures:
        """The whole way from text to samples, as a person gets it."""
        began, first, frames, working = time.perf_counter(), 0.0, 0, time.process_time()
        for chunk in self.model.speak(self._request):
            first = first or time.perf_counter() - began
            frames += len(chunk.codes)
        seconds = max(1, frames) / FRAMES_PER_SECOND
        return {
            "first_sound_seconds": first,
            "realtime_factor": (time.perf_counter() - began) / seconds,
            "cpu_realtime_factor": (time.process_time() - working) / seconds,
        }

    @torch.inference_mode()
    def parts(self) -> Figures:
        """Each part alone, without the codec beside it."""
        plan, settings = self.speech_plan(), self.loop_settings()
        generator = torch.Generator().manual_seed(_SEED)
        with _timed(plan.speaker.talker) as talker, _timed(plan.speaker.predictor) as predictor:
            codes = torch.stack(list(generate_frames(plan.speaker, plan.prompt, settings, generator, Cancel())))
        figures = {"prefill_ms": talker[0], "talker_ms": median(talker[1:]), "predictor_ms": median(predictor)}
        return figures | {f"codec_{piece}_ms": self._codec_ms(codes, piece) for piece in _PIECES}

    def speech_plan(self) -> SpeechPlan:
        return self.model.plan(self._request)

    def loop_settings(self) -> LoopSettings:
        return self.model.loop_settings(self._request)

    def limits(self) -> Figures:
        """What the parts would take if memory or arithmetic were all that held them up."""
        reading, computing = read_bytes_per_second(), operations_per_second()
        talker, predictor = bytes_per_frame(self.model.speaker)
        return {
            "read_gb_per_second": reading / 1e9,
            "gigaflop_per_second": computing / 1e9,
            "talker_limit_ms": 1e3 * talker / reading,
            "predictor_limit_ms": 1e3 * predictor / reading,
            "codec_limit_ms": 1e3 * codec_operations_per_frame(self.model.codec) / computing,
        }

    @torch.inference_mode()
    def growth(self) -> Figures:
        """A talker's step after ever more frames; the rows before it are empty, which takes as long as full ones."""
        talker, figures = self.model.speaker.talker, {}
        row = self.model.speaker.embeddings.codec[:1][None]
        for frames in _GROWTH_FRAMES:
            cache = talker.new_cache(1, capacity=frames + _STEPS + 1)
            cache.length = frames
            with _timed(talker) as times:
                for _ in range(_STEPS):
                    talker(row, cache)
            figures[f"talker_at_{frames}_ms"] = median(times)
        return figures

    def clone(self) -> Figures:
        """Half a minute to a vector, and to codes."""
        clip = engine.clip_from_samples(as_float(reference_samples(_CLIP_SECONDS)), engine.SAMPLE_RATE)
        began = time.perf_counter()
        self.model.clone(clip)
        vector = time.perf_counter()
        self.model.codec.encode(clip.samples)
        return {"clone_vector_seconds": vector - began, "clone_codes_seconds": time.perf_counter() - vector}

    def _request_of(self, text: str, frames: int) -> engine.SpeechRequest:
        voice, speaker = None, None
        if self.model.summary.kind == "base":
            clip = reference_samples(_SPOKEN_CLIP_SECONDS)
            voice = self.model.clone(engine.clip_from_samples(as_float(clip), engine.SAMPLE_RATE))
        elif self.model.summary.kind == "custom_voice":
            speaker = self.model.summary.speakers[0]
        return engine.SpeechRequest(text, voice=voice, speaker=speaker, seed=_SEED, max_new_tokens=frames + 1)

    def _codec_ms(self, codes: torch.Tensor, piece: int) -> float:
        """A frame, in pieces of `piece` frames; the first piece, which warms up, left out."""
        codes = codes.repeat(-(-3 * piece // len(codes)), 1)[: max(len(codes), 3 * piece)]
        stream, times = self.model.codec.new_stream(), []
        for start in range(0, len(codes) - piece + 1, piece):
            began = time.perf_counter()
            stream.push(codes[start : start + piece])
            times.append(1e3 * (time.perf_counter() - began) / piece)
        return median(times[1:])


@contextmanager
def _timed(module: nn.Module) -> Iterator[list[float]]:
    """Milliseconds of each call of `module`."""
    began, times = [0.0], list[float]()

    def before(*_: object) -> None:
        began[0] = time.perf_counter()

    def after(*_: object) -> None:
        times.append(1e3 * (time.perf_counter() - began[0]))

    hooks = [module.register_forward_pre_hook(before), module.register_forward_hook(after)]
    try:
        yield times
    finally:
        for hook in hooks:
            hook.remove()
