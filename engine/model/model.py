"""A loaded model: it clones, if it is a Base model, and it speaks."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import torch
from torch import Tensor, nn

from engine.audio.clip import Clip
from engine.audio.mel import mel_tensor
from engine.audio.reference import end_quietly
from engine.errors import ClipError, ModelError, RequestError
from engine.model.checkpoint import Checkpoint, ModelSummary
from engine.model.code_predictor import CodePredictor
from engine.model.codec import Codec
from engine.model.config import ModelConfig
from engine.model.device import Placement, choose_placement
from engine.model.embeddings import Embeddings
from engine.model.graphs import Graphs
from engine.model.packed_store import PackedStore
from engine.model.rebuilt import RebuiltSpeakers
from engine.model.row_wise import row_wise_is_better, rows_are_apart
from engine.model.runtime import choose_threads
from engine.model.speaker_encoder import SpeakerEncoder
from engine.model.talker import Talker
from engine.model.tensor_index import TensorIndex
from engine.model.threads import ThreadChooser
from engine.model.weights import Tensors, load_module
from engine.places import packed_cache
from engine.progress import Cancel, Progress, Report, no_report
from engine.speech.ahead import ahead
from engine.speech.budget import budget_tokens
from engine.speech.generate import LoopSettings, Run, Speaker, generate_frames
from engine.speech.guard import Guard
from engine.speech.plan import Plan, make_plan, words_of
from engine.speech.reading import Group, Joiner, SpokenGroup, speak_group, split_request
from engine.speech.request import SpeechChunk, SpeechRequest
from engine.speech.sampling import resolve
from engine.speech.together import MOST_TOGETHER, Together
from engine.system.fitting import fit_placement
from engine.text.tokenizer import TextTokenizer
from engine.version import version
from engine.voice.delta import digest, tensors_by_name
from engine.voice.tensors import CheckpointTensors
from engine.voice.voice import FloatArray, Origin, Voice

_PIECES = (1, 2, 4, 8)  # frames of the first pieces of sound; later ones are as long as the last
_AHEAD_FRAMES = 24  # made before the codec asks for them, at most
_SEED_BITS = 31

T = TypeVar("T")


class Model:
    """Made by `load_model`. One call at a time: `clone` and `speak` share the weights, not their state."""

    def __init__(
        self,
        checkpoint: Checkpoint,
        placement: Placement,
        speaker: Speaker,
        codec: Codec,
        encoder: SpeakerEncoder | None,
    ) -> None:
        self.checkpoint = checkpoint
        self.placement = placement
        self.summary: ModelSummary = checkpoint.summary()
        self.speaker = speaker
        self.codec = codec
        self.encoder = encoder
        self.tokenizer = TextTokenizer(checkpoint.folder, checkpoint.config)
        self.cache_bytes = 0  # what keys and values took, at most, in the last long text
        self._most_together: int | None = None
        self.threads = ThreadChooser((speaker.talker, speaker.predictor))
        self.rebuilt = RebuiltSpeakers(
            checkpoint, lambda tensors, tick, of: _load_speaker(checkpoint.config, tensors, placement, tick, of)
        )

    @property
    def config(self) -> ModelConfig:
        return self.checkpoint.config

    @torch.inference_mode()
    def clone(
        self,
        clip: Clip,
        transcript: str | None = None,
        language: str | None = None,
        name: str = "",
        cancel: Cancel | None = None,
        report: Report = no_report,
        quiet_end: bool = True,
    ) -> Voice:
        """The voice of `clip`; with a `transcript` also its codes, to speak in context.

        The codes are of the clip ended quietly (see `audio/reference.py`), unless `quiet_end` is False: then of the
        clip as it is, as the official code has it.

        Raises `ModelError` on a model that cannot clone, `ClipError` on a clip too short, `Cancelled`.
        """
        cancel = cancel or Cancel()
        if self.encoder is None:
            raise ModelError(f"{self.summary.label} has no speaker encoder. Clone with a Base model.")
        language = self._listed(language)
        words = (transcript or "").strip()
        stages = _Stages(clip, cancel, report, 2 if words else 1)
        x_vector = self._x_vector(clip, stages)
        codes = None
        if words:
            stages.begin("codes")
            reference = end_quietly(clip) if quiet_end else clip
            codes = self.codec.encode(reference.samples, stages.check).numpy().astype(np.int32)
            cancel.check()
        stages.end()
        return Voice(
            x_vector, name, language, words or None, codes, reference_seconds=clip.seconds, origin=self._origin(clip)
        )

    def _origin(self, clip: Clip) -> Origin:
        samples = np.ascontiguousarray(clip.samples, "<f4")
        base = digest(tensors_by_name(CheckpointTensors(self.checkpoint.folder)))
        return Origin(hashlib.sha256(samples.data).hexdigest(), base, version() or None)

    def _listed(self, language: str | None) -> str | None:
        """`language` as the model writes it. Raises `RequestError` for one it does not list."""
        name = (language or "").strip().lower()
        if name and name not in self.summary.languages:
            choice = ", ".join(sorted(self.summary.languages))
            raise RequestError(
                f"{self.summary.label} does not know the language {language!r}. Choose one of: {choice}."
            )
        return name or None

    def _x_vector(self, clip: Clip, stages: _Stages) -> FloatArray:
        assert self.encoder is not None
        stages.begin("speaker vector")
        mel = mel_tensor(torch.from_numpy(np.ascontiguousarray(clip.samples, np.float32))[None])
        if mel.shape[2] < self.encoder.shortest:
            raise ClipError(f"The clip is only {clip.seconds:.2f} s long. Use at least a few seconds of speech.")
        vector: FloatArray = self.encoder(mel, stages.check)[0].numpy().copy()
        if not np.isfinite(vector).all():
            raise ModelError(f"{self.summary.label} made a voice that is not a number. Its weights look damaged.")
        return vector

    @torch.inference_mode()
    def speak(self, request: SpeechRequest, cancel: Cancel | None = None) -> Iterator[SpeechChunk]:
        """Speech for `request`, piece by piece while it is made. Raises `RequestError`, `VoiceError`, `Cancelled`.

        Without `max_new_tokens` a guard ends what has run away; with it, nothing but the official limits does.
        """
        cancel = cancel or Cancel()
        seed = _seed_of(request)
        plan = self.plan(request, cancel)
        settings = self.loop_settings(request)
        generator = torch.Generator().manual_seed(seed)
        frames = self._beside(generate_frames(plan.speaker, plan.prompt, settings, generator, cancel))
        yield from self._say(replace(request, seed=seed), plan, settings, frames, cancel)

    def _say(
        self,
        request: SpeechRequest,
        plan: Plan,
        settings: LoopSettings,
        frames: Generator[Tensor],
        cancel: Cancel,
    ) -> Iterator[SpeechChunk]:
        """Sound from `frames`, piece by piece."""
        seed = _seed_of(request)
        guard = Guard() if request.max_new_tokens is None else None
        stream = self.codec.new_stream()
        total, done = settings.max_new_tokens - 1, 0
        with closing(frames):
            if plan.reference_codes is not None:
                stream.push(plan.reference_codes)  # the codec hears the reference first; its sound is not wanted
            for codes, last in _pieces(_until_looping(frames, guard)):
                cancel.check()
                done += len(codes)
                sound, array = stream.push(codes), codes.numpy().astype(np.int32)
                fault = "" if guard is None else guard.hear_sound(sound)
                last = last or bool(fault)
                reason = (fault or ("limit" if done >= total else "end")) if last else ""
                progress = Progress("speech", done, total, "frames")
                yield SpeechChunk(sound, array, progress, seed, last, reason, plan.notes)
                if last:
                    return

    def _beside(self, frames: Iterator[T]) -> Generator[T]:
        """`frames`, made while the codec computes on other cores, where that is faster; else one after the other."""
        beside = False
        if self.placement.device.type == "cpu":
            threads = self.threads.choose()
            threads.use()
            beside = threads.beside
        yield from ahead(frames, _AHEAD_FRAMES) if beside else frames

    def read(self, request: SpeechRequest, cancel: Cancel | None = None, retries: int = 0) -> Generator[SpeechChunk]:
        """Speech for a text of any length. A short one is spoken as it comes; a long one in groups of sentences.

        Each group is made whole, with up to `retries` other seeds if it runs away, then joined to the one before; a
        chunk is a group. Several groups are computed at once where that is faster (see `together.py`); the samples are
        then those of each group alone. Raises as `speak` does.
        """
        cancel = cancel or Cancel()
        groups = split_request(replace(request, seed=_seed_of(request)))
        if len(groups) == 1 and not retries:
            yield from self.speak(request, cancel)
            return
        joiner, notes = Joiner(), tuple[str, ...]()
        for index, (group, spoken) in enumerate(zip(groups, self._speak_groups(groups, retries, cancel), strict=True)):
            last = index == len(groups) - 1
            if spoken.reason != "end":
                notes += (f"Part {index + 1} of {len(groups)} did not come to an end ({spoken.reason}).",)
            sound = joiner.add(spoken.samples, group.pause_seconds, last=last)
            progress = Progress("speech", index + 1, len(groups), "parts")
            said = (*spoken.notes, *notes)
            yield SpeechChunk(sound, spoken.codes, progress, spoken.seed, last, spoken.reason, said, index, len(groups))

    @property
    def most_together(self) -> int:
        """How many groups of a long text are computed at once: 1 where it would change their samples."""
        if self._most_together is None:
            apart = rows_are_apart((self.speaker.talker, self.speaker.predictor))
            self._most_together = MOST_TOGETHER if apart else 1
        return self._most_together

    @torch.inference_mode()
    def speak_each(
        self, requests: Sequence[SpeechRequest], cancel: Cancel | None = None
    ) -> Generator[tuple[int, SpeechChunk]]:
        """The speech of each of `requests` in order, with its index: what `speak` makes of it, sample for sample, but
        several computed at once where that leaves them so. Raises as `speak` does."""
        cancel = cancel or Cancel()
        seeded = [replace(request, seed=_seed_of(request)) for request in requests]
        with closing(self._together(seeded, cancel)) as together:
            for index, request in enumerate(seeded):
                cancel.check()
                for chunk in self._say(request, *together.plan_of(index), together.frames_of(index), cancel):
                    yield index, chunk
            self.cache_bytes = together.cache_bytes

    def _together(self, requests: Sequence[SpeechRequest], cancel: Cancel) -> Together:
        """Every one of `requests`, which have seeds, as streams of frames; to be closed."""
        rebuilt = {id(request.voice) for request in requests if request.voice is not None and request.voice.delta}
        others = any(request.voice is None or not request.voice.delta for request in requests)
        most = self.most_together if len(rebuilt) + others == 1 else 1  # the weights must be the same for all

        def begin(index: int) -> tuple[Plan, LoopSettings, Run]:
            request = requests[index]
            plan, settings = self.plan(request, cancel), self.loop_settings(request)
            generator = torch.Generator().manual_seed(_seed_of(request))
            return plan, settings, Run(plan.speaker, plan.prompt, settings, generator, alone=most == 1)

        return Together(begin, len(requests), most, cancel, self._beside)

    @torch.inference_mode()
    def _speak_groups(self, groups: list[Group], retries: int, cancel: Cancel) -> Iterator[SpokenGroup]:
        """Every group spoken, in order."""
        with closing(self._together([group.request for group in groups], cancel)) as together:
            for index, group in enumerate(groups):
                cancel.check()

                def speak(asked: SpeechRequest, cancel: Cancel, index: int = index) -> Iterator[SpeechChunk]:
                    if asked.seed != groups[index].request.seed:  # another try, alone
                        return self.speak(asked, cancel)
                    return self._say(asked, *together.plan_of(index), together.frames_of(index), cancel)

                yield speak_group(speak, group.request, index, retries, cancel)
            self.cache_bytes = together.cache_bytes

    @torch.inference_mode()
    def prepare(self, voice: Voice, cancel: Cancel | None = None, report: Report = no_report) -> None:
        """Have the weights ready that `voice` brings, if it brings any, which takes seconds the first time.

        Raises `VoiceError` or `Cancelled`. Without it, the first `speak` with the voice does it.
        """
        self._speaker_of(voice, cancel, report)

    def plan(self, request: SpeechRequest, cancel: Cancel | None = None) -> Plan:
        """The prompt of `request`, and the weights it runs through (a WDELTA voice brings its own)."""
        speaker = self._speaker_of(request.voice, cancel, no_report)
        return make_plan(request, speaker, self.tokenizer, self.config, self.summary)

    def loop_settings(self, request: SpeechRequest) -> LoopSettings:
        defaults = self.checkpoint.generation
        first, rest, penalty = resolve(request.sampling, defaults)
        limit = request.max_new_tokens
        if limit is None:
            limit = min(defaults.max_new_tokens, budget_tokens(words_of(request)))
        return LoopSettings(first, rest, penalty, limit)

    def _speaker_of(self, voice: Voice | None, cancel: Cancel | None, report: Report) -> Speaker:
        """The model's own, or for a WDELTA voice on CustomVoice the one of its weights."""
        if voice is None or voice.delta is None or self.summary.kind != "custom_voice":
            return self.speaker
        return self.rebuilt.of(voice.delta, cancel, report)


class _Stages:
    """Progress of a clone, in seconds of the clip, over as many passes as there are stages."""

    def __init__(self, clip: Clip, cancel: Cancel, report: Report, count: int) -> None:
        self._seconds, self._cancel, self._report, self._count = clip.seconds, cancel, report, count
        self._passed, self._name = -1, ""

    def begin(self, name: str) -> None:
        self._passed, self._name = self._passed + 1, name
        self._tell()

    def end(self) -> None:
        self._passed += 1
        self._tell()

    def check(self) -> None:
        self._cancel.check()

    def _tell(self) -> None:
        self._cancel.check()
        total = self._seconds * self._count
        self._report(Progress(self._name, self._seconds * self._passed, total, "s"))


def _seed_of(request: SpeechRequest) -> int:
    return secrets.randbits(_SEED_BITS) if request.seed is None else request.seed


def _until_looping(frames: Iterator[Tensor], guard: Guard | None) -> Iterator[Tensor]:
    for frame in frames:
        yield frame
        if guard is not None and guard.hear_codes(frame):
            return


def _pieces(frames: Iterator[Tensor]) -> Iterator[tuple[Tensor, bool]]:
    """Frames in pieces for the codec, and whether a piece is the last one (which may be empty)."""
    waiting: list[Tensor] = []
    sizes = iter(_PIECES)
    size = next(sizes)
    for frame in frames:
        if len(waiting) == size:
            yield torch.stack(waiting), False
            waiting, size = [], next(sizes, size)
        waiting.append(frame)
    yield (torch.stack(waiting) if waiting else torch.empty(0, 0, dtype=torch.int64)), True


def load_model(
    folder: str | Path,
    device: str = "auto",
    precision: str = "auto",
    cancel: Cancel | None = None,
    report: Report = no_report,
    bases: Sequence[Path] = (),
) -> Model:
    """Load the model in `folder`. Raises `ModelError` before memory is spent, or `Cancelled`.

    `device` is "auto", "cpu", "cuda" or "mps", `precision` one of `precisions.CHOICES`; what was chosen, and why, is
    in the model's `placement`. `bases` are folders of Base models at hand: what a WDELTA voice would rebuild is taken
    from the one it is equal to (see `rebuilt.py`).
    """
    checkpoint = Checkpoint(folder)
    checkpoint.summary()
    choose_threads()
    placement = fit_placement(checkpoint.folder, choose_placement(device, precision), precision)
    tensors = Tensors(checkpoint.weights)
    steps = len(checkpoint.weights) + len(checkpoint.codec_weights)
    tick = _LoadProgress(cancel or Cancel(), report, steps)
    speaker = _load_speaker(checkpoint.config, tensors, placement, tick, checkpoint.weights)
    codec = Codec(checkpoint, placement.device, tick)
    encoder = None
    if checkpoint.config.speaker_encoder_config is not None:
        with torch.device("meta"):
            encoder = SpeakerEncoder(checkpoint.config.speaker_encoder_config)
        load_module(encoder, tensors, "speaker_encoder.", torch.float32, torch.device("cpu"), tick)
    tick.finish()
    model = Model(checkpoint, placement, speaker, codec, encoder)
    model.rebuilt.bases = tuple(bases)
    return model


def _load_speaker(
    config: ModelConfig,
    tensors: Tensors,
    placement: Placement,
    tick: Callable[[], None],
    of: TensorIndex | None,
) -> Speaker:
    """`of` is the folder whose weights these are: packed ones are then kept from load to load. None: packed for this
    once."""
    store = PackedStore(placement.precision, of, packed_cache()) if placement.packs else None
    with torch.device("meta"):
        talker, predictor = Talker(config.talker_config), CodePredictor(config.talker_config)
    modules: list[tuple[nn.Module, str]] = [(talker, "talker."), (predictor, "talker.code_predictor.")]
    for module, prefix in modules:
        width = config.talker_config.hidden_size
        exact = store is None and placement.device.type == "cpu" and placement.dtype == torch.float32
        row_wise = exact and row_wise_is_better(width, placement.device, placement.dtype)
        load_module(module, tensors, prefix, placement.dtype, placement.device, tick, store, exact, row_wise)
    if store is not None:
        store.keep()
    return Speaker(talker, predictor, Embeddings.load(tensors, config, placement), Graphs(talker, predictor))


class _LoadProgress:
    """Counts tensors as they are loaded, and looks at the cancel token before each."""

    def __init__(self, cancel: Cancel, report: Report, steps: int) -> None:
        self._cancel, self._report, self._steps, self._done = cancel, report, steps, 0

    def __call__(self) -> None:
        self._cancel.check()
        self._done += 1
        self._report(Progress("load", min(self._done, self._steps), self._steps, "tensors"))

    def finish(self) -> None:
        self._report(Progress("load", self._steps, self._steps, "tensors"))
