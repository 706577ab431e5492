"""The official results in `tests/data/goldens`, as requests of ours and the arrays to compare with."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file

from engine import Clip, Model, Sampling, SpeechRequest, Voice
from engine.speech.request import SamplerSettings

FOLDER = Path(__file__).parent.parent / "data" / "goldens"
MODELS = ("tiny-custom", "tiny-base", "tiny-design", "tiny-mtp-custom", "tiny-mtp-base")
TRANSCRIPT = "This is what the reference recording says."
CLIP_SECONDS = 3.1


@dataclass(frozen=True)
class Case:
    """One call of the official package: what was asked, and where its arrays are."""

    model: str
    name: str
    facts: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.model}/{self.name}"

    def arrays(self) -> dict[str, torch.Tensor]:
        return load_file(FOLDER / self.model / f"{self.name}.safetensors")

    @property
    def in_context(self) -> bool:
        return "icl" in self.name

    @property
    def eos_id(self) -> int | None:
        return self.facts["arguments"].get("eos_token_id")

    def request(self, voice: Voice | None) -> SpeechRequest:
        a = self.facts["arguments"]
        whole = a.get("non_streaming_mode")
        talker = SamplerSettings(a["do_sample"], a.get("temperature"), a.get("top_k"), a.get("top_p"))
        predictor = SamplerSettings(
            a["subtalker_dosample"],
            a.get("subtalker_temperature"),
            a.get("subtalker_top_k"),
            a.get("subtalker_top_p"),
        )
        return SpeechRequest(
            a["text"],
            voice=voice,
            speaker=a.get("speaker"),
            instruct=a.get("instruct"),
            language=a.get("language") or "auto",
            seed=self.facts["seed"],
            sampling=Sampling(talker, predictor, a.get("repetition_penalty")),
            max_new_tokens=a["max_new_tokens"],
            streamed_text=None if whole is None else not whole,
            normalize=False,
        )

    def voice(self, model: Model, clip: Clip) -> Voice | None:
        if not model.summary.can_clone:
            return None
        return model.clone(clip, TRANSCRIPT if self.in_context else None, quiet_end=False)


def cases() -> list[Case]:
    """Every generation case of every model."""
    out = []
    for model in MODELS:
        reference = json.loads((FOLDER / model / "reference.json").read_text(encoding="utf-8"))
        out += [Case(model, name, facts) for name, facts in reference["cases"].items() if "method" in facts]
    return out
