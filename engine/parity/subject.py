"""The model under test, with what several cases share: the reference clip and the voices made of it."""

from __future__ import annotations

from functools import cached_property

import numpy as np
import numpy.typing as npt
import torch

from engine.audio.clip import SAMPLE_RATE, Clip, clip_from_samples
from engine.model.model import Model
from engine.parity import clip as reference
from engine.parity.goldens import Case, Goldens, GoldensError
from engine.speech.request import SamplerSettings, Sampling, SpeechRequest
from engine.speech.stream import decode_chunked, official_cut
from engine.voice.voice import Voice

FloatArray = npt.NDArray[np.float32]


class Subject:
    """Raises `GoldensError` if the results were made for a model of another kind."""

    def __init__(self, model: Model, goldens: Goldens) -> None:
        self.model, self.goldens = model, goldens
        kind = goldens.facts.get("model_type", model.summary.kind)
        if kind != model.summary.kind:
            raise GoldensError(
                f"{goldens.folder} was made with a {kind} model; {model.summary.folder} is {model.summary.kind}. "
                "Choose results of the same model."
            )

    @cached_property
    def clip(self) -> Clip:
        """The reference recording. Raises `GoldensError` if this machine computes it differently."""
        seconds, digest = self.goldens.clip_facts() or (reference.CLIP_SECONDS, None)
        samples = reference.reference_samples(seconds)
        if digest is not None and reference.digest(samples) != digest:
            raise GoldensError(
                f"{self.goldens.folder}: the reference recording computed here is another one "
                "(this machine's sines round differently, or the results are damaged). Make the results again here."
            )
        return clip_from_samples(reference.as_float(samples), SAMPLE_RATE)

    @cached_property
    def voice(self) -> Voice:
        return self.model.clone(self.clip)

    @cached_property
    def voice_in_context(self) -> Voice:
        return self.model.clone(self.clip, reference.TRANSCRIPT, quiet_end=False)

    def request(self, case: Case) -> SpeechRequest:
        """The call that `case` describes, as a request of ours."""
        a = case.facts["arguments"]
        whole = a.get("non_streaming_mode")
        talker = SamplerSettings(a.get("do_sample"), a.get("temperature"), a.get("top_k"), a.get("top_p"))
        names = ("dosample", "temperature", "top_k", "top_p")
        predictor = SamplerSettings(*(a.get(f"subtalker_{name}") for name in names))
        return SpeechRequest(
            a["text"],
            voice=self._voice(case),
            speaker=a.get("speaker"),
            instruct=a.get("instruct"),
            language=a.get("language") or "auto",
            seed=case.facts.get("seed") or 0,
            sampling=Sampling(talker, predictor, a.get("repetition_penalty")),
            max_new_tokens=a.get("max_new_tokens", self.model.checkpoint.generation.max_new_tokens),
            streamed_text=None if whole is None else not whole,
            normalize=False,
        )

    def official_sound(self, codes: torch.Tensor, before: torch.Tensor | None) -> FloatArray:
        """The official decode of `codes`; after `before`, the reference's codes, whose sound is cut as it is there."""
        whole = codes if before is None else torch.cat((before, codes))
        sound = decode_chunked(self.model.codec.codebooks, self.model.codec.decoder, whole)
        return sound[official_cut(len(whole) - len(codes), len(whole), len(sound)) :]

    def kept_samples(self, frames: int, before: int) -> int:
        """How many samples of the reference, `before` frames, the official cut leaves in front of `frames`: 0 or 1."""
        per_frame = self.model.codec.samples_per_frame
        return before * per_frame - official_cut(before, before + frames, (before + frames) * per_frame)

    def _voice(self, case: Case) -> Voice | None:
        if case.facts["method"] != "generate_voice_clone":
            return None
        return self.voice_in_context if "ref_ids" in case.facts else self.voice
