"""What voice files of one pair are worth: each speaks one sentence with one seed, beside Base cloned directly."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.audio.clip import SAMPLE_RATE, Clip, clip_from_samples
from engine.audio.delivery import DeliveryChange, delivery_change
from engine.audio.measure import cosine, mel_correlation
from engine.errors import ClipError
from engine.model.model import Model, load_model
from engine.progress import Cancel, Report, no_report
from engine.voice.files import load_voice
from engine.voice.format import sized
from engine.voice.source import refusal
from engine.voice.spoken import Sentence, Spoken, speak_whole
from engine.voice.voice import Tier, Voice

if TYPE_CHECKING:
    from engine.voice.pair import ModelPair
    from engine.voice.voice import FloatArray


@dataclass(frozen=True, eq=False)
class Compared:
    """One file, spoken by CustomVoice (`spoken`), beside what Base says with the same voice (`direct`).

    Cosines are of the sound's speaker vector and the reference's: the clip's if there was one, else the file's own;
    None where the sound is too short to tell.
    """

    path: Path
    tier: Tier
    file_bytes: int
    load_seconds: float  # reading the file and having its weights and tables ready
    spoken: Spoken
    direct: Spoken
    cosine: float | None
    direct_cosine: float | None
    mel_correlation: float | None
    style_change: DeliveryChange | None = None  # what a style prompt does to it; None where none was tried

    @property
    def seconds(self) -> float:
        return len(self.spoken.samples) / SAMPLE_RATE

    @property
    def identical(self) -> bool:
        """Codes and samples equal Base's."""
        return self.spoken.equals(self.direct)


@dataclass(frozen=True, eq=False)
class _Heard:
    path: Path
    voice: Voice
    load_seconds: float
    spoken: Spoken
    style_change: DeliveryChange | None


def compare_files(
    paths: Sequence[str | Path],
    pair: ModelPair,
    clip: Clip | None = None,
    sentence: Sentence = Sentence(),  # noqa: B008 - it is frozen
    cancel: Cancel | None = None,
    report: Report = no_report,
    style: str = "",
) -> tuple[Compared, ...]:
    """Compare voice files for the models of `pair`, which are in memory one at a time, on the CPU in float32.

    Base speaks with each file's own vector (and codes), or, with `clip`, with what it clones from that. Without a
    language in `sentence` the first that a file tells is used for all. With a `style` prompt, and a model that obeys
    one, each file says the sentence a second time with it. Raises `VoiceError` for a file that cannot be
    read or is of another size, `ModelError`, `ClipError`, `RequestError` or `Cancelled`.
    """
    _ = pair.custom_voice_tensors  # a pair that does not match is refused before anything is loaded
    assert pair.custom_voice is not None
    voices = [load_voice(path) for path in paths]
    for path, voice in zip(paths, voices, strict=True):
        if voice.width != pair.width:
            sizes = f"the voice is of {sized(voice.width)}, {pair.base.name} of {sized(pair.width)}"
            raise refusal(Path(path), f"{sizes}. Choose the models of the voice's size.")
    custom = load_model(pair.custom_voice, "cpu", "fp32", cancel, report)
    sentence = _in_one_language(sentence, voices, custom)
    custom.plan(sentence.request(Voice(voices[0].x_vector), custom))  # the first one brings in more than its voice
    style = style if custom.summary.obeys_style else ""
    heard = [_hear(Path(path), custom, sentence, style, cancel, report) for path in paths]
    del custom
    base = load_model(pair.base, "cpu", "fp32", cancel, report)
    reference = _Reference(base, clip, sentence, cancel, report)
    return tuple(_compare(one, reference) for one in heard)


def _in_one_language(sentence: Sentence, voices: Sequence[Voice], model: Model) -> Sentence:
    if sentence.language:
        return sentence
    told = (voice.language for voice in voices if voice.language in model.summary.languages)
    return replace(sentence, language=next(told, None) or "auto")


def _hear(path: Path, custom: Model, sentence: Sentence, style: str, cancel: Cancel | None, report: Report) -> _Heard:
    started = time.monotonic()
    voice = load_voice(path)
    custom.plan(sentence.request(voice, custom))  # applies what the file brings, and keeps it
    load_seconds = time.monotonic() - started
    spoken = speak_whole(custom, voice, sentence, cancel, report)
    change = None
    if style:
        styled = speak_whole(custom, voice, replace(sentence, instruct=style), cancel, report)
        change = delivery_change(spoken.samples, styled.samples)
    return _Heard(path, voice, load_seconds, spoken, change)


class _Reference:
    """Base, and what it has said already: files of one voice share one cloning and one sound."""

    def __init__(
        self, base: Model, clip: Clip | None, sentence: Sentence, cancel: Cancel | None, report: Report
    ) -> None:
        self._base, self._clip, self._sentence, self._cancel, self._report = base, clip, sentence, cancel, report
        self._cloned: dict[str | None, Voice] = {}
        self._said: dict[tuple[object, ...], Spoken] = {}

    def voice(self, voice: Voice) -> Voice:
        """What Base would have of `voice`: cloned from the clip, or the file's own vector and codes alone."""
        transcript = voice.transcript if voice.in_context else None
        if self._clip is None:
            codes = voice.codes if voice.in_context else None
            return Voice(voice.x_vector, voice.name, voice.language, transcript, codes)
        if transcript not in self._cloned:
            self._cloned[transcript] = self._base.clone(
                self._clip, transcript, cancel=self._cancel, report=self._report
            )
        return self._cloned[transcript]

    def speak(self, voice: Voice) -> Spoken:
        codes = b"" if voice.codes is None else voice.codes.tobytes()
        key = (voice.x_vector.tobytes(), codes, voice.transcript)
        if key not in self._said:
            self._said[key] = speak_whole(self._base, voice, self._sentence, self._cancel, self._report)
        return self._said[key]

    def cosine(self, voice: Voice, samples: FloatArray) -> float | None:
        """Of the speaker heard in `samples` and `voice`."""
        try:
            spoken = self._base.clone(clip_from_samples(samples, SAMPLE_RATE, "speech"), cancel=self._cancel)
        except ClipError:
            return None
        return cosine(spoken.x_vector, voice.x_vector)


def _compare(heard: _Heard, reference: _Reference) -> Compared:
    voice = reference.voice(heard.voice)
    direct = reference.speak(voice)
    return Compared(
        path=heard.path,
        tier=heard.voice.tier,
        file_bytes=heard.path.stat().st_size,
        load_seconds=heard.load_seconds,
        spoken=heard.spoken,
        direct=direct,
        cosine=reference.cosine(voice, heard.spoken.samples),
        direct_cosine=reference.cosine(voice, direct.samples),
        mel_correlation=_likeness(heard.spoken.samples, direct.samples),
        style_change=heard.style_change,
    )


def _likeness(one: FloatArray, other: FloatArray) -> float | None:
    try:
        likeness = mel_correlation(one, other)
    except ClipError:
        return None
    return likeness if np.isfinite(likeness) else None
