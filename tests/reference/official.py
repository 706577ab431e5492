"""The official package, loaded for reading its numbers: what passes through one call is recorded by hooks.

Import this before anything of transformers: the stand-ins must be there first.
"""

from __future__ import annotations

from typing import Any

from engine.bench.official import load as load  # first: it makes the stand-ins

# isort: split
import torch
from qwen_tts.core.models.modeling_qwen3_tts import mel_spectrogram
from transformers import LogitsProcessorList

_HEADS = 15
_STEPS = 3


def log_mel(samples: torch.Tensor) -> torch.Tensor:
    """[128, frames] of float32 [n]."""
    settings = {"n_fft": 1024, "num_mels": 128, "sampling_rate": 24000, "hop_size": 256, "win_size": 1024}
    return mel_spectrogram(samples[None], **settings, fmin=0, fmax=12000)[0]


class Recorder:
    """Ids, arrays and codes of one call at a time; `reset` before each."""

    def __init__(self, tts: Any) -> None:
        model, talker = tts.model, tts.model.talker
        self.reset()
        talker.codec_head.register_forward_hook(lambda _module, _args, out: self._talker_logits.append(out[0, -1]))
        talker.model.register_forward_hook(self._see_hidden)
        for head in talker.code_predictor.lm_head:
            head.register_forward_hook(lambda _module, _args, out: self._predictor_logits.append(out[0, -1]))
        _spy(talker, "generate", before=self._see_prompt)
        _spy(model, "generate", before=self._see_ids, after=self._see_codes)
        self._watch_margins()

    def reset(self) -> None:
        """Forget the last call."""
        self.ids: dict[str, list[int]] = {}
        self.margin = float("inf")  # smallest distance of best and second best in a choice
        self.codes = torch.empty(0)
        self._arrays: dict[str, torch.Tensor] = {}
        self._talker_logits: list[torch.Tensor] = []
        self._predictor_logits: list[torch.Tensor] = []

    def arrays(self) -> dict[str, torch.Tensor]:
        """Everything of the last call, by the names that `qvoice parity` reads."""
        out = self._arrays | {"codes": self.codes.to(torch.int32)}
        out["talker_logits"] = torch.stack(self._talker_logits[:_STEPS])
        if self._predictor_logits:
            out["predictor_logits"] = torch.stack(self._predictor_logits[:_HEADS])
        return out

    def _see_hidden(self, _module: Any, _args: Any, out: Any) -> None:
        self._arrays.setdefault("prefill_hidden", out.last_hidden_state[0])

    def _see_prompt(self, arguments: dict[str, Any]) -> None:
        self._arrays["prompt_embeds"] = arguments["inputs_embeds"][0]
        self._arrays["trailing_text"] = arguments["trailing_text_hidden"][0]
        self._arrays["tts_pad_embed"] = arguments["tts_pad_embed"].reshape(-1)

    def _see_ids(self, arguments: dict[str, Any]) -> None:
        for name in ("input_ids", "instruct_ids", "ref_ids"):
            value = (arguments.get(name) or [None])[0]
            if value is not None:
                self.ids[name] = value[0].tolist()

    def _see_codes(self, out: Any) -> None:
        self.codes = out[0][0]

    def _watch_margins(self) -> None:
        plain = LogitsProcessorList.__call__

        def watching(processors: Any, input_ids: Any, scores: Any, **more: Any) -> Any:
            out = plain(processors, input_ids, scores, **more)
            best = out.float().topk(2, dim=-1).values
            self.margin = min(self.margin, float((best[..., 0] - best[..., 1]).min()))
            return out

        LogitsProcessorList.__call__ = watching


def _spy(owner: Any, name: str, before: Any = None, after: Any = None) -> None:
    """Let `before` see the keyword arguments and `after` the result of `owner.name`."""
    plain = getattr(owner, name)

    def watched(*args: Any, **arguments: Any) -> Any:
        if before is not None:
            before(arguments)
        out = plain(*args, **arguments)
        if after is not None:
            after(out)
        return out

    setattr(owner, name, watched)
