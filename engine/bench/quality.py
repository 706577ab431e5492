"""How far a precision strays from float32, the same codes being fed to both (teacher forcing)."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from engine.bench.own import Own
from engine.progress import Cancel, Progress, Report, no_report
from engine.speech.generate import generate_frames

if TYPE_CHECKING:
    from engine.bench.run import Plan
    from engine.model.model import Model
    from engine.speech.plan import Plan as SpeechPlan

_EXACT = "fp32"


@dataclass(frozen=True)
class Heard:
    """What a model makes of given codes: states [frames, width] and its likeliest codes int64 [frames, codebooks]."""

    hidden: Tensor
    likeliest: Tensor


def compare(plan: Plan, report: Report = no_report) -> dict[str, dict[str, float]]:
    """By precision: the share of equal first codes and of equal later codes, and the states' ratio in dB."""
    others = [name for name in plan.precisions if name != _EXACT]
    report(Progress(f"quality {_EXACT}", 0, len(others) + 1, "settings"))
    codes, exact = _exact(plan)
    found = {}
    for done, precision in enumerate(others, 1):
        report(Progress(f"quality {precision}", done, len(others) + 1, "settings"))
        own = Own(plan.folder, precision, plan.text, plan.frames)
        found[precision] = _difference(exact, hear(own.model, own.speech_plan(), codes))
        del own
        gc.collect()
    return found


@torch.inference_mode()
def hear(model: Model, plan: SpeechPlan, codes: Tensor) -> Heard:
    """`codes` int64 [frames, codebooks] in place of the model's own."""
    speaker, prompt = plan.speaker, plan.prompt
    first_rows = speaker.embeddings.codec_rows(codes[:, 0].tolist())
    text = torch.stack([prompt.text_row(frame) for frame in range(len(codes))])
    rows = torch.cat((prompt.rows, (first_rows + speaker.predictor.embed(codes[:, 1:]) + text)[:-1]))
    cache = speaker.talker.new_cache(1, capacity=len(rows))
    hidden = speaker.talker(rows[None], cache)[0, -len(codes) :]
    kept = range(model.config.talker_config.code_predictor_config.vocab_size)
    likeliest = [speaker.talker.logits(hidden)[:, kept.start : kept.stop].argmax(dim=1)]
    forced = iter(codes[:, 1:].unbind(dim=1))

    def pick(logits: Tensor) -> Tensor:
        likeliest.append(logits.argmax(dim=1))
        return next(forced)

    speaker.predictor(hidden, first_rows, speaker.predictor.new_cache(len(codes)), pick)
    return Heard(hidden.float(), torch.stack(likeliest, dim=1))


@torch.inference_mode()
def _exact(plan: Plan) -> tuple[Tensor, Heard]:
    """Codes that the model draws in float32, and what it makes of them."""
    own = Own(plan.folder, _EXACT, plan.text, plan.frames)
    speech, settings = own.speech_plan(), own.loop_settings()
    generator = torch.Generator().manual_seed(1)
    codes = torch.stack(list(generate_frames(speech.speaker, speech.prompt, settings, generator, Cancel())))
    return codes, hear(own.model, speech, codes)


def _difference(exact: Heard, other: Heard) -> dict[str, float]:
    same = (exact.likeliest == other.likeliest).float()
    noise = (exact.hidden - other.hidden).square().sum()
    ratio = 10 * torch.log10(exact.hidden.square().sum() / noise)
    return {
        "first_codes_equal": float(same[:, 0].mean()),
        "later_codes_equal": float(same[:, 1:].mean()),
        "states_db": float(ratio),
    }


def lines(found: dict[str, dict[str, Any]]) -> str:
    """A line a precision."""
    head = "against fp32   first codes equal   later codes equal   talker states"
    return "\n".join(
        [head]
        + [
            f"{name:12} {one['first_codes_equal']:19.1%} {one['later_codes_equal']:19.1%} {one['states_db']:12.1f} dB"
            for name, one in found.items()
        ]
    )
