"""The official codec arithmetic, kept for comparison: chunks with context, and the cut in front."""

from __future__ import annotations

import hashlib
import json

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

import engine
from engine.audio.mel import mel_filters
from engine.parity.clip import CLIP_SECONDS, TRANSCRIPT, as_float, digest, reference_samples
from engine.speech.stream import decode_chunked, decode_whole, official_cut
from tests.engine.parity.conftest import GOLDENS
from tests.sounds import snr_db, voiced

SAMPLES = 1920  # of a frame of the released codec


@pytest.fixture(scope="module")
def decoded(model):
    """The official codes, our sound of them in official chunks, and in one piece."""
    codec, wanted = model("tiny-base").codec, load_file(GOLDENS / "tiny-base" / "codec-decode.safetensors")
    codes = wanted["codes_640"].long()
    chunked = decode_chunked(codec.codebooks, codec.decoder, codes)
    return wanted, chunked, decode_whole(codec.codebooks, codec.decoder, codes)


@pytest.mark.parametrize("frame", [300, 600, 640])
def test_the_seams_are_the_official_ones(frame: int, decoded):
    wanted, chunked, _ = decoded
    around = chunked[(frame - 1) * SAMPLES : (frame + 1) * SAMPLES]
    assert snr_db(wanted[f"wave_640_around_{frame}"].numpy(), around) > 100


def test_chunks_are_heard_only_after_the_first(decoded):
    _, chunked, whole = decoded
    assert len(chunked) == len(whole) == 640 * SAMPLES
    assert np.abs(chunked - whole)[: 300 * SAMPLES].max() <= 1e-5
    assert np.abs(chunked - whole)[300 * SAMPLES : 301 * SAMPLES].max() > 2e-5


@pytest.mark.parametrize("count", [1, 25, 299, 300, 301, 325, 326])
def test_every_length_gives_its_samples(count: int, model, decoded):
    codec, codes = model("tiny-base").codec, decoded[0]["codes_640"].long()[:count]
    sound = decode_chunked(codec.codebooks, codec.decoder, codes)
    assert len(sound) == count * SAMPLES
    ours = decode_whole(codec.codebooks, codec.decoder, codes)
    assert (np.abs(sound - ours).max() <= 1e-5) == (count <= 300)


def test_the_official_cut_is_whole_frames_or_one_sample_short():
    """Four lengths in a hundred leave the reference's last sample in front; none leaves more, none takes speech."""
    pairs = [(before, before + new) for before in range(1, 200) for new in range(1, 400)]
    left = np.array([before * SAMPLES - official_cut(before, frames, frames * SAMPLES) for before, frames in pairs])
    assert set(left.tolist()) == {0, 1}
    assert 0.02 < left.mean() < 0.06


@pytest.mark.parametrize(("before", "new", "left"), [(39, 23, 0), (39, 35, 1), (39, 38, 1), (1, 48, 1), (156, 40, 0)])
def test_some_official_cuts(before: int, new: int, left: int):
    assert before * SAMPLES - official_cut(before, before + new, (before + new) * SAMPLES) == left


def test_nothing_is_cut_without_a_reference():
    assert official_cut(0, 0, 0) == official_cut(0, 50, 50 * SAMPLES) == 0


def test_speech_is_cut_at_whole_frames(model, clip):
    """What `speak` gives where the official cut is one sample short."""
    loaded = model("tiny-base")
    voice = loaded.clone(clip, TRANSCRIPT, quiet_end=False)
    request = engine.SpeechRequest("Hello there.", voice=voice, sampling=engine.Sampling.greedy(), max_new_tokens=36)
    chunks = list(loaded.speak(request))
    assert voice.codes is not None
    codes = torch.cat([torch.from_numpy(chunk.codes).long() for chunk in chunks if len(chunk.codes)])
    both = torch.cat((torch.from_numpy(voice.codes).long(), codes))
    whole = decode_whole(loaded.codec.codebooks, loaded.codec.decoder, both)
    sound = np.concatenate([chunk.samples for chunk in chunks])
    assert len(sound) == len(codes) * SAMPLES
    assert np.abs(sound - whole[len(voice.codes) * SAMPLES :]).max() <= 1e-5


@pytest.mark.parametrize(("seconds", "rate"), [(CLIP_SECONDS, 24_000), (0.08, 24_000), (0.25, 44_100)])
def test_the_recording_is_that_of_the_tests(seconds: float, rate: int):
    assert np.array_equal(as_float(reference_samples(seconds, rate)), voiced(seconds, rate))


def test_the_recording_is_that_of_the_results():
    facts = json.loads((GOLDENS / "tiny-base" / "reference.json").read_text(encoding="utf-8"))
    wanted = facts["cases"]["speaker"]
    assert digest(reference_samples(wanted["clip_seconds"])) == wanted["clip_sha256"]


def test_mel_filters_are_librosas_bit_for_bit():
    """SHA-256 of what `librosa.filters.mel` (0.11.0) gives the official code; x-vectors then are the official ones."""
    official = "634664518adebcf0e280349d8e199250cb2e195d4216f2e7ab725a2d585f4e02"
    assert hashlib.sha256(mel_filters().tobytes()).hexdigest() == official
