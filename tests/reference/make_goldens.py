"""Make reference results with the official package, for `qvoice parity MODEL GOLDENS`.

In the project's environment or one of its own:

    pip install -e ".[reference]"             # transformers==4.57.3 and what else the package imports
    pip install --no-deps qwen-tts==0.1.1     # its own list of dependencies would pull in much that is not used
    python -m tests.reference.make_goldens MODEL GOLDENS
    qvoice parity MODEL GOLDENS

Greedy unless a case is named "sampled"; float32 on the CPU. `--short` keeps statistics instead of arrays.
"""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import torch
import transformers
from safetensors.torch import save_file

from engine.parity.clip import CLIP_SECONDS, TRANSCRIPT, as_float, digest, reference_samples
from engine.parity.goldens import Statistics
from tests.reference import official

TEXT = "Hello there, how are you doing today?"
LONG = "The quick brown fox jumps over the lazy dog, and then it sleeps until the evening comes."
CHINESE = "今天天气很好，我们去公园走走吧。"
INSTRUCT = "Speak slowly and softly, with a sad tone."
GREEDY = {"do_sample": False, "subtalker_dosample": False}
OFF_BY_ONE_FRAMES = 35  # with the clip's 39, the official cut in front is one sample short
OVER_ONE_CHUNK_FRAMES = 270  # with the clip's; the official codec decodes 300 at a time


class Goldens:
    """The folder being written: a safetensors file a case, or statistics of every array in `reference.json`."""

    def __init__(self, folder: Path, short: bool) -> None:
        self._folder, self._short = folder, short
        self._cases: dict[str, Any] = {}
        folder.mkdir(parents=True, exist_ok=True)

    def add(self, name: str, arrays: dict[str, torch.Tensor], **facts: Any) -> None:
        arrays = {key: value.detach().clone().contiguous() for key, value in arrays.items()}
        if self._short:
            facts |= {key: _short(value) for key, value in arrays.items()}
        else:
            save_file(arrays, self._folder / f"{name}.safetensors")
        self._cases[name] = facts
        print(name, {key: tuple(value.shape) for key, value in arrays.items()}, flush=True)

    def close(self, **facts: Any) -> None:
        text = json.dumps(facts | {"cases": self._cases}, indent=1, ensure_ascii=False)
        text = re.sub(r"\[[^\[\]{}]*\]", lambda found: " ".join(found[0].split()), text)  # a list of numbers a line
        (self._folder / "reference.json").write_text(text + "\n", encoding="utf-8")


def _short(value: torch.Tensor) -> Any:
    if not value.is_floating_point():
        return value.tolist()
    facts = vars(Statistics.of(value))
    return facts | {side: [round(number, 6) for number in facts[side]] for side in ("head", "tail")}


class Caller:
    """Calls of one official method, each recorded as a case. `usual` are arguments a case need not repeat."""

    def __init__(self, tts: Any, recorder: official.Recorder, goldens: Goldens, method: str, **usual: Any) -> None:
        self._call, self._recorder, self._goldens = getattr(tts, method), recorder, goldens
        self._method, self._usual = method, GREEDY | usual

    def __call__(
        self, name: str, *, seed: int | None = None, wave: bool = False, prompt: Any = None, **arguments: Any
    ) -> torch.Tensor:
        """Codes int32 [frames, 16]. `prompt` is a clone prompt, which is not written down."""
        arguments = self._usual | arguments
        self._recorder.reset()
        if seed is not None:
            torch.manual_seed(seed)
        waves, _rate = self._call(**arguments, **({} if prompt is None else {"voice_clone_prompt": prompt}))
        sound = torch.from_numpy(waves[0])
        arrays = self._recorder.arrays() | ({"wave": sound} if wave else {})
        self._goldens.add(
            name, arrays, method=self._method, arguments=arguments, seed=seed, **self._recorder.ids,
            margin=None if arguments["do_sample"] else self._recorder.margin,
            samples=len(sound), wave_rms=float(np.sqrt(np.mean(np.square(waves[0])))),
        )  # fmt: skip
        return self._recorder.codes


def custom_voice_cases(call: Caller, few: bool, obeys_style: bool) -> None:
    codes = call("custom", wave=True)
    call("custom-sampled", seed=1234, do_sample=True, subtalker_dosample=True)
    call("custom-streaming-text", non_streaming_mode=False, text=LONG)
    call("custom-dialect", text=CHINESE, speaker="Eric", language="Chinese")
    if few:
        return
    call("custom-auto", language="Auto")
    call("custom-dialect-auto", text=CHINESE, speaker="dylan", language="auto")
    call("custom-dialect-english", speaker="eric", language="English")
    call("custom-one-token", text="a")
    call("custom-no-penalty", repetition_penalty=1.0)
    first = codes[:, 0].tolist()
    new = (code for i, code in enumerate(first) if i >= 4 and code not in first[:i])
    call("custom-eos", eos_token_id=next(new))
    call("custom-eos-held-back", eos_token_id=first[0])
    call(
        "custom-sampled-top-p", seed=7, do_sample=True, subtalker_dosample=True, top_k=20, top_p=0.8, temperature=1.2,
        subtalker_top_k=5, subtalker_top_p=0.9, subtalker_temperature=0.5,
    )  # fmt: skip
    call("custom-instruct" if obeys_style else "custom-instruct-ignored", instruct=INSTRUCT)


def design_cases(call: Caller) -> None:
    call("design", wave=True)
    call("design-auto-no-instruct", instruct="", language=None)


def clone_cases(call: Caller, tts: Any, few: bool) -> None:
    clip = (as_float(reference_samples(CLIP_SECONDS)), 24000)
    vector = tts.create_voice_clone_prompt(clip, None, x_vector_only_mode=True)
    in_context = tts.create_voice_clone_prompt(clip, TRANSCRIPT)
    call("clone-x-vector", prompt=vector)
    call("clone-icl", prompt=in_context, wave=True)
    if few:
        return
    call("clone-x-vector-whole-text", prompt=vector, non_streaming_mode=True)
    call("clone-icl-whole-text", prompt=in_context, non_streaming_mode=True)
    call("clone-icl-long-text", prompt=in_context, text=f"{LONG} {LONG}", language="auto")


def long_cases(call: Caller, tts: Any) -> None:
    """Lengths at which the official sound is not a plain decode cut at a frame."""
    prompt = tts.create_voice_clone_prompt((as_float(reference_samples(CLIP_SECONDS)), 24000), TRANSCRIPT)
    call("clone-icl-cut-one-short", prompt=prompt, wave=True, max_new_tokens=OFF_BY_ONE_FRAMES + 1)
    call("clone-icl-over-one-chunk", prompt=prompt, wave=True, max_new_tokens=OVER_ONE_CHUNK_FRAMES + 1)


def part_cases(goldens: Goldens, tts: Any, few: bool) -> None:
    """Speaker encoder, codec encoder, resampling."""
    samples = reference_samples(CLIP_SECONDS)
    prompt = tts.create_voice_clone_prompt((as_float(samples), 24000), None, x_vector_only_mode=True)
    mel = official.log_mel(torch.from_numpy(as_float(samples)))
    arrays = {"mel": mel, "x_vector": prompt[0].ref_spk_embedding}
    goldens.add("speaker", arrays, clip_seconds=CLIP_SECONDS, clip_sha256=digest(samples))
    codec = tts.model.speech_tokenizer
    codes = {}
    for seconds in (3.1, 12.3) if few else (3.1, 0.08, 0.5, 12.3):
        encoded = codec.encode(as_float(reference_samples(seconds)), sr=24000)
        codes[f"codes_{seconds}s"] = encoded.audio_codes[0].to(torch.int32)
    goldens.add("codec-encode", codes)
    if not few:
        goldens.add("resample", {f"from_{rate}": _resampled(rate) for rate in (16000, 44100, 48000)})


def _resampled(rate: int) -> torch.Tensor:
    import librosa

    clip = as_float(reference_samples(0.25, rate))
    return torch.from_numpy(librosa.resample(y=clip, orig_sr=rate, target_sr=24000))


def decode_case(goldens: Goldens, tts: Any, few: bool) -> None:
    """The codec on codes that no model made, also over the seams of the chunked decode."""
    codec = tts.model.speech_tokenizer
    pattern = torch.arange(640)[:, None] * 7919 + torch.arange(16)[None] * 104729
    codes = (pattern * (pattern % 31 + 1)) % codec.model.config.decoder_config.codebook_size
    arrays = {"codes_20": codes[:20].int(), "wave_20": _decoded(codec, codes[:20])}
    if not few:
        frames = _decoded(codec, codes).reshape(len(codes), -1)
        arrays |= {"codes_640": codes.int(), "rms_640": frames.pow(2).mean(1).sqrt()}
        arrays |= {f"wave_640_around_{n}": frames[n - 1 : n + 1].flatten() for n in (300, 600, 640)}
    goldens.add("codec-decode", arrays)


def _decoded(codec: Any, codes: torch.Tensor) -> torch.Tensor:
    waves, _rate = codec.decode([{"audio_codes": codes}])
    return torch.from_numpy(waves[0])


def make(tts: Any, goldens: Goldens, cases: str, tokens: int) -> None:
    """All cases that this kind of model has."""
    kind, few = tts.model.tts_model_type, cases == "few"
    recorder = official.Recorder(tts)
    usual = {"text": TEXT, "language": "english", "max_new_tokens": tokens}
    if kind == "custom_voice":
        call = Caller(tts, recorder, goldens, "generate_custom_voice", speaker="ryan", **usual)
        custom_voice_cases(call, few, tts.model.tts_model_size != "0b6")
    elif kind == "voice_design":
        design_cases(Caller(tts, recorder, goldens, "generate_voice_design", instruct=INSTRUCT, **usual))
    else:
        call = Caller(tts, recorder, goldens, "generate_voice_clone", **usual)
        if cases == "long":
            long_cases(call, tts)
            return
        part_cases(goldens, tts, few)
        clone_cases(call, tts, few)
        decode_case(goldens, tts, few)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.reference.make_goldens", description=__doc__.split("\n")[0])
    parser.add_argument("model", metavar="MODEL", type=Path)
    parser.add_argument("goldens", metavar="GOLDENS", type=Path)
    parser.add_argument("--cases", choices=["all", "few", "long"], default="all", help="long: of a Base model only")
    parser.add_argument("--short", action="store_true", help="statistics instead of arrays")
    parser.add_argument("--max-new-tokens", metavar="N", type=int, default=24, help="N - 1 frames a case")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    tts = official.load(arguments.model)
    goldens = Goldens(arguments.goldens, arguments.short)
    make(tts, goldens, arguments.cases, arguments.max_new_tokens)
    goldens.close(
        model_type=tts.model.tts_model_type, model_size=tts.model.tts_model_size, torch=torch.__version__,
        transformers=transformers.__version__, package="qwen-tts 0.1.1", threads=arguments.threads,
    )  # fmt: skip


if __name__ == "__main__":
    main()
