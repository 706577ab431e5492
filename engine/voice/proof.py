"""The proof by speech: Base with a voice, and CustomVoice with its WDELTA file, say the same, sample for sample."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from engine.errors import VoiceError
from engine.model.model import load_model
from engine.progress import Cancel, Report, no_report
from engine.voice.files import load_voice
from engine.voice.spoken import Sentence, Spoken, speak_whole
from engine.voice.verify import Check

if TYPE_CHECKING:
    from engine.voice.pair import ModelPair
    from engine.voice.voice import Voice


def prove_speech(
    path: str | Path,
    pair: ModelPair,
    precision: str,
    sentence: Sentence = Sentence(),  # noqa: B008 - it is frozen
    cancel: Cancel | None = None,
    report: Report = no_report,
) -> tuple[Check, ...]:
    """Speak one sentence both ways on the CPU, one model in memory at a time, and compare codes and samples.

    Base speaks with the voice alone, its weights left out; by its vector and, where it has codes and a transcript,
    in context too. Raises `ModelError`, `RequestError` or `Cancelled`.
    """
    assert pair.custom_voice is not None
    voice = load_voice(path)
    modes = {f"{precision} x-vector": False} | ({f"{precision} in context": True} if voice.in_context else {})
    sentences = [replace(sentence, in_context=in_context) for in_context in modes.values()]

    def speak(folder: Path, speaking: Voice) -> list[Spoken]:
        model = load_model(folder, "cpu", precision, cancel, report)
        return [speak_whole(model, speaking, one, cancel, report) for one in sentences]

    direct = speak(pair.base, replace(voice, special_rows=None, tables=None, delta=None))
    try:
        rebuilt = speak(pair.custom_voice, voice)
    except VoiceError as error:
        return tuple(Check(f"speech {mode}", False, str(error).removeprefix(f"{path}: ")) for mode in modes)
    return tuple(
        Check(f"speech {mode}", base.equals(custom) and len(base.codes) > 0, _said(base, custom))
        for mode, base, custom in zip(modes, direct, rebuilt, strict=True)
    )


def _said(base: Spoken, custom: Spoken) -> str:
    if base.equals(custom):
        return f"{base.codes.size} codes and {len(base.samples):,} samples equal Base's"
    frames = min(len(base.codes), len(custom.codes))
    equal = (base.codes[:frames] == custom.codes[:frames]).all(axis=1) if frames else np.empty(0, bool)
    if len(base.codes) == len(custom.codes) and equal.all():
        return f"the {frames} frames of codes equal Base's, the samples do not"
    first = int(np.argmin(equal)) if not equal.all() else frames
    return f"codes differ from Base's from frame {first} on ({len(base.codes)} and {len(custom.codes)} frames)"
