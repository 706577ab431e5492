"""Stage by stage against the official implementation, on random tiny checkpoints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import engine
from engine.audio.mel import mel_tensor
from engine.model.code_predictor import CodePredictor
from engine.progress import Cancel
from engine.speech.generate import generate_frames
from engine.speech.stream import decode_whole
from tests.engine.goldens import FOLDER, Case, cases
from tests.sounds import snr_db, voiced

BASES = ("tiny-base", "tiny-mtp-base")


@pytest.mark.parametrize("case", cases(), ids=str)
def test_generation_equals_the_official_results(case: Case, model, clip):
    """Ids equal, prompt rows within 2e-6, prefill within 1e-4, every code equal, greedy and sampled."""
    loaded = model(case.model)
    wanted, request = case.arrays(), case.request(case.voice(loaded, clip))
    assert loaded.tokenizer.assistant_turn(request.text) == case.facts["input_ids"]
    with torch.inference_mode():
        plan = loaded.plan(request)
        talker = plan.speaker.talker
        assert plan.prompt.rows.shape == wanted["prompt_embeds"].shape
        assert (plan.prompt.rows - wanted["prompt_embeds"]).abs().max() <= 2e-6
        assert (plan.prompt.trailing - wanted["trailing_text"]).abs().max() <= 2e-6
        assert (plan.prompt.pad - wanted["tts_pad_embed"]).abs().max() <= 2e-6
        hidden = talker(plan.prompt.rows[None], talker.new_cache(1, 8))[0]
        assert (hidden - wanted["prefill_hidden"]).abs().max() <= 1e-4
        assert (talker.logits(hidden[-1:]) - wanted["talker_logits"][:1]).abs().max() <= 1e-4
        settings = replace(loaded.loop_settings(request), eos_id=case.eos_id)
        generator = torch.Generator().manual_seed(request.seed or 0)
        frames = list(generate_frames(plan.speaker, plan.prompt, settings, generator, Cancel()))
    assert torch.equal(torch.stack(frames).int(), wanted["codes"])


@pytest.mark.parametrize("case", [c for c in cases() if "wave" in c.arrays()], ids=str)
def test_speech_equals_the_official_sound(case: Case, model, clip):
    loaded = model(case.model)
    request = case.request(case.voice(loaded, clip))
    chunks = list(loaded.speak(request))
    sound = np.concatenate([chunk.samples for chunk in chunks])
    assert snr_db(case.arrays()["wave"].numpy(), sound) > 100
    assert [chunk.last for chunk in chunks] == [False] * (len(chunks) - 1) + [True]


@pytest.mark.parametrize("name", ["tiny-custom", "tiny-mtp-custom"])
def test_predictor_logits(name: str, model):
    """All 15 heads of the first frame, fed with the official codes."""
    loaded = model(name)
    case = next(c for c in cases() if str(c) == f"{name}/custom")
    wanted = case.arrays()
    with torch.inference_mode():
        plan = loaded.plan(case.request(None))
        hidden = plan.speaker.talker(plan.prompt.rows[None], plan.speaker.talker.new_cache(1, 8))[:, -1]
        codes = wanted["codes"][0].long()
        seen: list[torch.Tensor] = []

        def forced(logits: torch.Tensor) -> torch.Tensor:
            seen.append(logits[0])
            return codes[len(seen)][None]

        predictor: CodePredictor = plan.speaker.predictor
        predictor(hidden, plan.speaker.embeddings.codec[codes[:1]], predictor.new_cache(1), forced)
    assert (torch.stack(seen) - wanted["predictor_logits"]).abs().max() <= 1e-4


@pytest.mark.parametrize("name", BASES)
def test_speaker_vector(name: str, model, clip):
    wanted = load_file(FOLDER / name / "speaker.safetensors")
    mel = mel_tensor(torch.from_numpy(clip.samples)[None])[0]
    assert mel.shape == wanted["mel"].shape
    assert (mel - wanted["mel"]).abs().max() < 1e-4
    found, official = model(name).clone(clip).x_vector, wanted["x_vector"].numpy()
    assert np.linalg.norm(found - official) <= 1e-5 * np.linalg.norm(official)


@pytest.mark.parametrize("name", BASES)
def test_codec_decodes_the_official_sound(name: str, model):
    codec, wanted = model(name).codec, load_file(FOLDER / name / "codec-decode.safetensors")
    sound = decode_whole(codec.codebooks, codec.decoder, wanted["codes_20"].long())
    assert snr_db(wanted["wave_20"].numpy(), sound) > 100


@pytest.mark.parametrize("frames", [1, 4, 8, 25, 300])
@pytest.mark.parametrize("name", BASES)
def test_streamed_sound_equals_sound_in_one_piece(name: str, frames: int, model):
    codec = model(name).codec
    codes = load_file(FOLDER / name / "codec-decode.safetensors")["codes_640"].long()
    whole = decode_whole(codec.codebooks, codec.decoder, codes)
    with torch.inference_mode():
        stream = codec.new_stream()
        pieces = [stream.push(part) for part in codes.split(frames)]
    assert len(whole) == len(codes) * codec.samples_per_frame
    assert np.abs(np.concatenate(pieces) - whole).max() <= 1e-5


@pytest.mark.parametrize("name", BASES)
def test_codec_encodes_the_official_codes(name: str, model):
    codec = model(name).codec
    for key, wanted in load_file(FOLDER / name / "codec-encode.safetensors").items():
        seconds = float(key.removeprefix("codes_").removesuffix("s"))
        assert torch.equal(codec.encode(voiced(seconds)).int(), wanted)


@pytest.mark.parametrize("rate", [16_000, 44_100, 48_000])
def test_resampling_equals_the_official_front_end(rate: int):
    wanted = load_file(FOLDER / "tiny-base" / "resample.safetensors")[f"from_{rate}"].numpy()
    found = engine.clip_from_samples(voiced(0.25, rate), rate).samples
    assert found.shape == wanted.shape
    assert np.abs(found - wanted).max() <= 1e-6
