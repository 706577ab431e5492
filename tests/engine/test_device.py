"""Where and how precisely a model computes."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import engine
from engine.model.device import choose_placement
from engine.model.rebuilt import speaker_bytes

needs_cuda = pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA GPU on this machine")


def first_hidden(model: engine.Model, **asked) -> np.ndarray:
    """The talker's hidden rows over one prompt, float32."""
    request = engine.SpeechRequest("Hello there.", **({"speaker": "ryan"} | asked))
    with torch.inference_mode():
        plan = model.plan(request)
        talker = plan.speaker.talker
        return talker(plan.prompt.rows[None], talker.new_cache(1, 8))[0].float().cpu().numpy()


def test_automatic_choices_say_why() -> None:
    placement = choose_placement()
    if not torch.cuda.is_available() and not torch.backends.mps.is_available():
        assert (placement.device.type, placement.dtype) == ("cpu", torch.float32)
        assert "no GPU" in placement.reason
    assert placement.reason.endswith(".")
    asked = choose_placement("cpu", "bf16")
    assert asked.label == "CPU · bf16"
    assert "asked for" in asked.reason


def test_what_is_not_here_is_refused() -> None:
    with pytest.raises(engine.ModelError, match="not known"):
        choose_placement("tpu")
    with pytest.raises(engine.ModelError, match="not known"):
        choose_placement("cpu", "int3")
    if not torch.cuda.is_available():
        with pytest.raises(engine.ModelError, match="has no CUDA"):
            choose_placement("cuda")


@pytest.mark.parametrize(
    ("checkpoint", "precision", "largest_error"),
    [
        ("tiny-custom", "bf16", 0.05),
        ("tiny-custom", "fp16", 0.05),
        ("tiny-custom", "int8", 0.1),
        ("tiny-custom", "int4", 0.3),
        ("tiny-mtp-custom", "int8", 0.1),  # its predictor is narrower than its talker: a projection with a bias
        ("tiny-mtp-custom", "int4", 0.3),
    ],
)
def test_fewer_bits_are_near_and_speak(checkpoints, model, checkpoint, precision: str, largest_error: float) -> None:
    folder = checkpoints.folder(checkpoint)
    half = engine.load_model(folder, "cpu", precision)
    assert half.placement.label == f"CPU · {precision}"
    exact, near = first_hidden(model(checkpoint)), first_hidden(half)
    assert 0 < np.linalg.norm(near - exact) / np.linalg.norm(exact) < largest_error
    assert speaker_bytes(half.speaker) < speaker_bytes(model(checkpoint).speaker)
    assert next(half.codec.decoder.parameters()).dtype == torch.float32
    request = engine.SpeechRequest("Hello.", speaker="ryan", seed=1, max_new_tokens=10)
    sound = np.concatenate([chunk.samples for chunk in half.speak(request)])
    assert np.isfinite(sound).all()
    again = np.concatenate([chunk.samples for chunk in half.speak(request)])
    assert np.array_equal(sound, again)


@pytest.mark.parametrize("precision", ["bf16", "int8", "int4"])
def test_wdelta_is_base_in_fewer_bits_too(checkpoints, clip, tmp_path, precision: str) -> None:
    base, custom = (
        engine.load_model(checkpoints.folder(f"tiny-{kind}"), precision=precision) for kind in ("base", "custom")
    )
    voice = base.clone(clip, language="english")
    pair = engine.ModelPair(checkpoints.folder("tiny-base"), checkpoints.folder("tiny-custom"))
    engine.save_voice(voice, tmp_path / "w.qvoice", "wdelta", pair)
    request = {"text": "Hello.", "seed": 2, "max_new_tokens": 10, "language": "english"}
    direct = [c.samples for c in base.speak(engine.SpeechRequest(voice=voice, **request))]
    loaded = engine.load_voice(tmp_path / "w.qvoice")
    rebuilt = [c.samples for c in custom.speak(engine.SpeechRequest(voice=loaded, **request))]
    assert np.array_equal(np.concatenate(direct), np.concatenate(rebuilt))


@needs_cuda
def test_cuda_in_float32_gives_the_same_codes(checkpoints, model) -> None:
    gpu = engine.load_model(checkpoints.folder("tiny-custom"), "cuda", "fp32")
    assert np.abs(first_hidden(gpu) - first_hidden(model("tiny-custom"))).max() < 1e-4
    request = engine.SpeechRequest("Hello.", speaker="ryan", seed=1, max_new_tokens=20)
    on_gpu = np.concatenate([chunk.codes for chunk in gpu.speak(request)])
    on_cpu = np.concatenate([chunk.codes for chunk in model("tiny-custom").speak(request)])
    assert np.array_equal(on_gpu, on_cpu)
