"""A loaded model: what it clones, says, refuses, and how it stops."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

import engine
from engine.audio.reference import end_quietly
from engine.speech.budget import budget_tokens, expected_seconds
from tests.sounds import voiced


def speak(model: engine.Model, **asked) -> np.ndarray:
    request = engine.SpeechRequest(**({"text": "Hello there.", "max_new_tokens": 12, "seed": 3} | asked))
    return np.concatenate([chunk.samples for chunk in model.speak(request)])


def test_the_same_seed_gives_the_same_sound(model) -> None:
    custom = model("tiny-mtp-custom")
    first = speak(custom, speaker="ryan")
    assert np.array_equal(first, speak(custom, speaker="Ryan"))
    other = speak(custom, speaker="ryan", seed=4)
    assert len(other) != len(first) or not np.array_equal(first, other)


def test_a_seed_is_drawn_and_told_where_none_is_given(model) -> None:
    custom = model("tiny-custom")
    request = engine.SpeechRequest("Hello.", speaker="ryan", max_new_tokens=8)
    chunks = list(custom.speak(request))
    again = np.concatenate([c.samples for c in custom.speak(replace(request, seed=chunks[0].seed))])
    assert np.array_equal(again, np.concatenate([c.samples for c in chunks]))


@pytest.mark.usefixtures("never_ends")
def test_progress_codes_and_samples_agree(model) -> None:
    custom = model("tiny-custom")
    chunks = list(custom.speak(engine.SpeechRequest("Hello.", speaker="ryan", seed=1, max_new_tokens=30)))
    for chunk in chunks:
        assert len(chunk.samples) == len(chunk.codes) * custom.codec.samples_per_frame
    assert chunks[-1].progress.done == sum(len(chunk.codes) for chunk in chunks) == 29
    assert chunks[-1].reason == "limit"


@pytest.mark.usefixtures("never_ends")
def test_cancelling_between_frames(model) -> None:
    custom = model("tiny-custom")
    cancel = engine.Cancel()
    heard = []
    with pytest.raises(engine.Cancelled):  # noqa: PT012 - the point is when it comes
        for chunk in custom.speak(engine.SpeechRequest("Hello.", speaker="ryan", seed=1, max_new_tokens=400), cancel):
            heard.append(chunk)
            cancel.cancel()
    assert len(heard) == 1


def test_cancelling_a_clone(model, clip) -> None:
    cancel, stages = engine.Cancel(), []

    def report(progress: engine.Progress) -> None:
        stages.append(progress.stage)
        cancel.cancel()

    with pytest.raises(engine.Cancelled):
        model("tiny-base").clone(clip, cancel=cancel, report=report)
    assert stages == ["speaker vector"]


def test_clone_with_a_transcript_speaks_in_context(model, clip) -> None:
    base = model("tiny-base")
    seen: list[engine.Progress] = []
    voice = base.clone(clip, "This is what was said.", "english", "Test", report=seen.append)
    assert voice.in_context
    assert voice.codes.shape == (-(-len(end_quietly(clip).samples) // base.codec.samples_per_frame), 16)
    assert voice.reference_seconds == pytest.approx(3.1)
    assert seen[-1].fraction == 1.0
    with_context = speak(base, voice=voice)
    without = speak(base, voice=voice, in_context=False)
    assert len(with_context) != len(without) or not np.array_equal(with_context, without)


@pytest.mark.parametrize("size", ["tiny", "tiny-mtp"])
def test_tiers_on_the_custom_voice_model(model, checkpoints, clip, tmp_path: Path, size: str) -> None:
    """Light and Standard differ from Base; WDELTA is Base, sample for sample."""
    base, custom = model(f"{size}-base"), model(f"{size}-custom")
    voice = base.clone(clip, language="english", name="Test")
    pair = engine.ModelPair(checkpoints.folder(f"{size}-base"), checkpoints.folder(f"{size}-custom"))
    direct = speak(base, voice=voice, language="english")
    spoken, rows = {}, {}
    for tier, name in (("light", "v.bin"), ("standard", "v.qvoice"), ("wdelta", "w.qvoice")):
        engine.save_voice(voice, tmp_path / name, tier, pair)
        loaded = engine.load_voice(tmp_path / name)
        spoken[tier] = speak(custom, voice=loaded, language="english")
        rows[tier] = custom.plan(engine.SpeechRequest("Hello.", voice=loaded, rescale=False)).prompt.rows
    assert np.array_equal(spoken["wdelta"], direct)
    assert not np.array_equal(spoken["light"], direct)
    of_base = base.plan(engine.SpeechRequest("Hello.", voice=voice)).prompt.rows
    assert torch.equal(rows["wdelta"], of_base)
    assert 0 < (rows["standard"] - of_base).norm() < (rows["light"] - of_base).norm()  # it brings part of Base along
    after = speak(custom, speaker="ryan")  # the model's own weights are as they were
    assert np.array_equal(after, speak(engine.load_model(checkpoints.folder(f"{size}-custom")), speaker="ryan"))


def test_a_cloned_vector_takes_a_presets_norm_on_request(model, clip) -> None:
    voice = model("tiny-base").clone(clip)
    custom = model("tiny-custom")
    preset = custom.config.talker_config.spk_id["ryan"]
    wanted = float(custom.speaker.embeddings.codec[preset].norm())
    request = engine.SpeechRequest("Hello.", voice=voice)

    def speaker_row(rescale: bool) -> np.ndarray:
        plan = custom.plan(replace(request, rescale=rescale))
        return (plan.prompt.rows[6] - plan.prompt.pad).numpy()  # after the role (3) and the prefix of auto (3)

    assert np.linalg.norm(speaker_row(rescale=True)) == pytest.approx(wanted, rel=1e-4)
    assert np.allclose(speaker_row(rescale=False), voice.x_vector, atol=1e-5)


def test_style_is_left_out_where_the_model_ignores_it(model) -> None:
    small, large = model("tiny-custom"), model("tiny-mtp-custom")
    asked = engine.SpeechRequest("Hello.", speaker="ryan", instruct="sad and slow")
    assert "0.6B" in small.plan(asked).notes[0]
    assert large.plan(asked).notes == ()
    assert len(large.plan(asked).prompt.rows) > len(large.plan(replace(asked, instruct="")).prompt.rows)


@pytest.mark.parametrize(
    ("name", "asked", "words"),
    [
        ("tiny-custom", {"text": "  \n "}, "no text"),
        ("tiny-custom", {"language": "klingon"}, "klingon"),
        ("tiny-custom", {"language": "sichuan_dialect"}, "Choose auto"),
        ("tiny-custom", {"speaker": "nobody"}, "nobody"),
        ("tiny-custom", {"speaker": None}, "needs a speaker"),
        ("tiny-base", {"speaker": "ryan"}, "clone a voice instead"),
        ("tiny-base", {"speaker": None, "in_context": True}, "with a transcript"),
    ],
)
def test_requests_that_cannot_be_spoken(model, name: str, asked: dict, words: str) -> None:
    with pytest.raises(engine.RequestError, match=words) as caught:
        speak(model(name), **({"speaker": "ryan"} | asked))
    assert "\n" not in str(caught.value)


def test_a_voice_of_another_size_is_refused(model, clip) -> None:
    voice = model("tiny-base").clone(clip, name="Mario")
    with pytest.raises(engine.VoiceError, match=r"Mario was made for models of width 64.*has 96"):
        speak(model("tiny-mtp-custom"), voice=voice)


def test_models_that_cannot_clone_say_so(model, clip) -> None:
    with pytest.raises(engine.ModelError, match="Base model"):
        model("tiny-custom").clone(clip)
    with pytest.raises(engine.ClipError, match="too little"):
        model("tiny-base").clone(engine.clip_from_samples(voiced(0.01), engine.SAMPLE_RATE))


def test_a_base_without_a_reference_speaks(model) -> None:
    assert len(speak(model("tiny-base"))) > 0


def test_the_length_budget_follows_the_text() -> None:
    assert budget_tokens("Huh?") == 101  # eight seconds
    assert budget_tokens("word " * 400) > 4 * 12.5 * 100
    assert expected_seconds("今天天气很好") > 3 * expected_seconds("abcdef")


def broken(source: Path, folder: Path, change) -> Path:
    shutil.copytree(source, folder)
    change(folder)
    return folder


def _drop(name: str):
    return lambda folder: (folder / name).unlink()


def _cut(name: str):
    def change(folder: Path) -> None:
        data = (folder / name).read_bytes()
        (folder / name).write_bytes(data[: len(data) // 2])

    return change


def _set(key: str, value: object):
    def change(folder: Path) -> None:
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        config["talker_config"][key] = value
        (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")

    return change


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (_drop("config.json"), "config.json"),
        (_drop("vocab.json"), "vocab.json"),
        (_drop("merges.txt"), "merges.txt"),
        (_drop("model.safetensors"), "model.safetensors"),
        (_drop("speech_tokenizer/config.json"), "config.json"),
        (_drop("speech_tokenizer/model.safetensors"), "model.safetensors"),
        (_cut("model.safetensors"), "cut short"),
        (_cut("speech_tokenizer/model.safetensors"), "cut short"),
        (_cut("config.json"), "not valid JSON"),
        (_set("hidden_size", "wide"), "hidden_size"),
        (_set("hidden_size", 80), r"talker\.\S+ is \(.*asks for"),
        (_set("num_hidden_layers", 9), "layers.3"),
    ],
)
def test_broken_model_folders(checkpoints, tmp_path: Path, change, words: str) -> None:
    folder = broken(checkpoints.folder("tiny-base"), tmp_path / "model", change)
    with pytest.raises(engine.ModelError, match=words) as caught:
        engine.load_model(folder)
    assert "\n" not in str(caught.value)


def test_what_is_no_folder(tmp_path: Path) -> None:
    with pytest.raises(engine.ModelError, match="not a folder"):
        engine.load_model(tmp_path / "nothing")


def test_a_sharded_checkpoint_loads(checkpoints, model, tmp_path: Path) -> None:
    from safetensors.torch import load_file, save_file

    folder = tmp_path / "sharded"
    shutil.copytree(checkpoints.folder("tiny-custom"), folder)
    tensors = load_file(folder / "model.safetensors")
    (folder / "model.safetensors").unlink()
    names = sorted(tensors)
    weight_map = {}
    for part, chosen in enumerate((names[::2], names[1::2])):
        file = f"model-{part + 1:05d}-of-00002.safetensors"
        save_file({name: tensors[name] for name in chosen}, folder / file)
        weight_map |= dict.fromkeys(chosen, file)
    (folder / "model.safetensors.index.json").write_text(json.dumps({"weight_map": weight_map}), encoding="utf-8")
    assert np.array_equal(speak(engine.load_model(folder), speaker="ryan"), speak(model("tiny-custom"), speaker="ryan"))


def test_loading_reports_and_cancels(checkpoints) -> None:
    seen: list[engine.Progress] = []
    engine.load_model(checkpoints.folder("tiny-base"), report=seen.append)
    assert seen[-1].fraction == 1.0
    cancel = engine.Cancel()
    cancel.cancel()
    with pytest.raises(engine.Cancelled):
        engine.load_model(checkpoints.folder("tiny-base"), cancel=cancel)


def test_the_shipped_test_model_is_what_its_command_writes(tmp_path: Path) -> None:
    import resources
    from tests.checkpoints import write_checkpoint

    for kind in ("base", "custom_voice"):
        written = write_checkpoint("tiny-mtp", kind, tmp_path / kind)
        for file in (path for path in written.rglob("*") if path.is_file()):
            shipped = resources.path("test_model", kind, *file.relative_to(written).parts)
            assert shipped.read_bytes() == file.read_bytes(), file.name
