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


def prove_speech(
    path: str | Path,
    pair: ModelPair,
    precision: str,
    sentence: Sentence = Sentence(),  # noqa: B008 - it is frozen
    cancel: Cancel | None = None,
    report: Report = no_report,
) -> Check:
    """Speak one sentence both ways on the CPU, one model in memory at a time, and compare codes and samples.

    Base speaks with the voice alone, its weights left out. Raises `ModelError`, `RequestError` or `Cancelled`.
    """
    assert pair.custom_voice is not None
    what = f"speech {precision}"
    voice = load_voice(path)
    alone = replace(voice, special_rows=None, tables=None, delta=None)
    base = speak_whole(load_model(pair.base, "cpu", precision, cancel, report), alone, sentence, cancel, report)
    try:
        custom = speak_whole(
            load_model(pair.custom_voice, "cpu", precision, cancel, report), voice, sentence, cancel, report
        )
    except VoiceError as error:
        return Check(what, False, str(error).removeprefix(f"{path}: "))
    return Check(what, base.equals(custom) and len(base.codes) > 0, _said(base, custom))


def _said(base: Spoken, custom: Spoken) -> str:
    if base.equals(custom):
        return f"{base.codes.size} codes and {len(base.samples):,} samples equal Base's"
    frames = min(len(base.codes), len(custom.codes))
    equal = (base.codes[:frames] == custom.codes[:frames]).all(axis=1) if frames else np.empty(0, bool)
    if len(base.codes) == len(custom.codes) and equal.all():
        return f"the {frames} frames of codes equal Base's, the samples do not"
    first = int(np.argmin(equal)) if not equal.all() else frames
    return f"codes differ from Base's from frame {first} on ({len(base.codes)} and {len(custom.codes)} frames)"
