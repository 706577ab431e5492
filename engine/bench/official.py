"""The official package, loaded for comparing: it is installed in an environment of its own (docs/parity.md).

Import this before anything of transformers: the stand-ins must be there first.
"""

from __future__ import annotations

import json
import os
import sys
import time
import types
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

os.environ.setdefault("HF_HUB_OFFLINE", "1")

import torch
from transformers import AutoModel, LogitsProcessorList, MimiModel  # noqa: F401 - before the stand-ins

# What only the 25 Hz tokenizer uses; empty modules stand in for them.
for _absent in ("sox", "onnxruntime", "torchaudio", "torchaudio.compliance", "torchaudio.compliance.kaldi"):
    sys.modules.setdefault(_absent, types.ModuleType(_absent))
sys.modules["torchaudio"].compliance = sys.modules["torchaudio.compliance"]  # type: ignore[attr-defined]
sys.modules["torchaudio.compliance"].kaldi = sys.modules["torchaudio.compliance.kaldi"]  # type: ignore[attr-defined]

from qwen_tts import Qwen3TTSModel  # noqa: E402

from engine.parity.clip import TRANSCRIPT, as_float, reference_samples  # noqa: E402
from engine.speech.budget import FRAMES_PER_SECOND  # noqa: E402

_CLIP_SECONDS = 3.1
_RATE = 24000
# Files that the official loader asks for and old snapshots lack; nothing in them changes a number.
_NEEDED: dict[str, dict[str, Any]] = {
    "preprocessor_config.json": {"processor_class": "Qwen3TTSProcessor", "padding_side": "left", "padding_value": 0.0},
    "speech_tokenizer/preprocessor_config.json": {
        "feature_extractor_type": "EncodecFeatureExtractor", "feature_size": 1, "sampling_rate": 24000,
        "chunk_length_s": None, "overlap": None, "padding_side": "right", "padding_value": 0.0,
        "return_attention_mask": True,
    },
}  # fmt: skip


def load(folder: Path) -> Any:
    """The official model of `folder`: float32, CPU, attention "sdpa"."""
    with _complete(folder) as complete:
        return Qwen3TTSModel.from_pretrained(str(complete))


@contextmanager
def _complete(folder: Path) -> Iterator[Path]:
    """`folder` itself, or links to its files beside those that it lacks."""
    lacking = [name for name in _NEEDED if not (folder / name).exists()]
    if not lacking:
        yield folder
        return
    with TemporaryDirectory(prefix="qvoice-official-") as staging:
        for path in folder.rglob("*"):
            link = Path(staging) / path.relative_to(folder)
            if path.is_dir():
                link.mkdir(parents=True, exist_ok=True)
            else:
                link.parent.mkdir(parents=True, exist_ok=True)
                link.symlink_to(path.resolve())
        for name in lacking:
            (Path(staging) / name).write_text(json.dumps(_NEEDED[name]), encoding="utf-8")
        yield Path(staging)


class Official:
    """The other side of the bench, in float32 with a thread for each core; as `own.Own`."""

    def __init__(self, folder: Path, text: str, frames: int, threads: int) -> None:
        torch.set_num_threads(threads)
        began = time.perf_counter()
        self._tts = load(folder)
        self.loaded = {"load_seconds": time.perf_counter() - began, "threads": torch.get_num_threads()}
        self._call = self._call_of(text)
        self._frames = frames

    def speak(self) -> dict[str, Any]:
        """The whole way from text to samples. There is no sound before the last."""
        torch.manual_seed(1)
        began, working = time.perf_counter(), time.process_time()
        waves, rate = self._call(max_new_tokens=self._frames + 1)
        took, worked = time.perf_counter() - began, time.process_time() - working
        seconds = max(1 / FRAMES_PER_SECOND, len(waves[0]) / rate)
        return {
            "first_sound_seconds": took,
            "realtime_factor": took / seconds,
            "cpu_realtime_factor": worked / seconds,
        }

    def _call_of(self, text: str) -> Any:
        kind = self._tts.model.config.tts_model_type
        if kind == "custom_voice":
            speaker = next(iter(self._tts.model.config.talker_config.spk_id))
            return lambda **rest: self._tts.generate_custom_voice(text=text, speaker=speaker, language="auto", **rest)
        if kind == "voice_design":
            return lambda **rest: self._tts.generate_voice_design(text=text, instruct="", language="auto", **rest)
        clip = (as_float(reference_samples(_CLIP_SECONDS)), _RATE)
        prompt = self._tts.create_voice_clone_prompt(ref_audio=clip, ref_text=TRANSCRIPT, x_vector_only_mode=True)
        return lambda **rest: self._tts.generate_voice_clone(
            text=text, language="auto", voice_clone_prompt=prompt, **rest
        )
