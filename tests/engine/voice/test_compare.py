"""Comparing voice files: WDELTA is Base, the others are beside it; the picture shows what the numbers say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import av
import numpy as np
import pytest
import soundfile

import engine
import resources
from engine.audio.measure import cosine, mel_correlation
from engine.audio.picture import write_comparison_picture, write_mel_picture
from engine.cli.main import main
from engine.errors import ModelError, VoiceError
from engine.voice.compare import Compared, compare_files
from engine.voice.files import save_voice
from engine.voice.pair import ModelPair
from engine.voice.spoken import Sentence, Spoken, speak_whole
from engine.voice.voice import Voice
from tests.conftest import Checkpoints
from tests.engine.voice.test_files import a_voice

BASE, CUSTOM = resources.path("test_model", "base"), resources.path("test_model", "custom_voice")
CLIP = resources.path("sample", "sample_clip.flac")
SHORT = Sentence("Two words.", max_new_tokens=16)
TIERS = {"light": "voice.bin", "standard": "voice.qvoice", "wdelta": "heavy.qvoice"}


@pytest.fixture(scope="module")
def voice() -> Voice:
    return engine.load_model(BASE, "cpu", "fp32").clone(engine.read_clip(CLIP), language="english", name="Sam")


@pytest.fixture(scope="module")
def files(voice: Voice, tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("tiers")
    for tier, name in TIERS.items():
        save_voice(voice, folder / name, tier, ModelPair(BASE, CUSTOM))
    return [folder / name for name in TIERS.values()]


@pytest.fixture(scope="module")
def found(files: list[Path]) -> tuple[Compared, ...]:
    return compare_files(files, ModelPair(BASE, CUSTOM), sentence=SHORT)


def test_only_wdelta_is_base(found: tuple[Compared, ...], files: list[Path]) -> None:
    assert [one.tier for one in found] == list(TIERS)
    assert [one.identical for one in found] == [False, False, True]
    assert [one.file_bytes for one in found] == [path.stat().st_size for path in files]
    assert found[2].mel_correlation == pytest.approx(1.0)
    assert found[2].cosine == found[2].direct_cosine
    assert all(one.mel_correlation is not None and one.mel_correlation < 0.99 for one in found[:2])
    assert all(0 < one.load_seconds < 60 for one in found)
    assert found[0].direct is found[2].direct  # one voice, one sound


def test_the_figures_are_those_of_the_sounds(found: tuple[Compared, ...], voice: Voice) -> None:
    base = engine.load_model(BASE, "cpu", "fp32")
    direct = speak_whole(base, voice, replace(SHORT, language="english"))
    assert direct.equals(found[0].direct)
    light = found[0].spoken
    heard = base.clone(engine.clip_from_samples(light.samples, engine.SAMPLE_RATE)).x_vector
    assert found[0].cosine == pytest.approx(cosine(heard, voice.x_vector), abs=1e-6)
    assert found[0].mel_correlation == pytest.approx(mel_correlation(light.samples, direct.samples), abs=1e-6)
    assert found[0].seconds == len(light.samples) / 24_000


def test_with_a_clip_base_clones_it(voice: Voice, files: list[Path], tmp_path: Path) -> None:
    """Another vector in the file than the clip's: not equal to Base any more, and told against the clip."""
    other = tmp_path / "other.qvoice"
    save_voice(replace(voice, x_vector=voice.x_vector[::-1].copy()), other, "wdelta", ModelPair(BASE, CUSTOM))
    clip = engine.read_clip(CLIP)
    same, different = compare_files([files[2], other], ModelPair(BASE, CUSTOM), clip, SHORT)
    assert (same.identical, different.identical) == (True, False)
    assert different.direct.equals(same.direct)
    alone = compare_files([other], ModelPair(BASE, CUSTOM), sentence=SHORT)[0]
    assert alone.identical
    assert alone.cosine != different.cosine


def test_in_context_files_are_compared_with_base_in_context(tmp_path: Path) -> None:
    model = engine.load_model(BASE, "cpu", "fp32")
    clip = engine.read_clip(CLIP, 0.0, 2.0)
    path = tmp_path / "context.qvoice"
    save_voice(model.clone(clip, "Two words."), path, "wdelta", ModelPair(BASE, CUSTOM))
    own = compare_files([path], ModelPair(BASE, CUSTOM), sentence=SHORT)[0]
    cloned = compare_files([path], ModelPair(BASE, CUSTOM), clip, SHORT)[0]
    assert own.identical
    assert cloned.identical
    assert not own.direct.equals(speak_whole(model, replace(model.clone(clip)), SHORT))


def test_sounds_too_short_to_tell() -> None:
    none = Spoken(np.zeros(0, np.float32), np.empty((0, 0), np.int32))
    from engine.voice.compare import _likeness

    assert _likeness(none.samples, none.samples) is None


def test_what_does_not_fit(files: list[Path], checkpoints: Checkpoints, tmp_path: Path) -> None:
    with pytest.raises(VoiceError, match="Choose the models of the voice's size"):
        compare_files(files, ModelPair(checkpoints.folder("tiny-base"), checkpoints.folder("tiny-custom")))
    with pytest.raises(ModelError, match="is a base model; the CustomVoice"):
        compare_files(files, ModelPair(BASE, BASE))
    with pytest.raises(VoiceError, match="no such file"):
        compare_files([tmp_path / "none.bin"], ModelPair(BASE, CUSTOM))


def _pixels(path: Path) -> np.ndarray:
    with av.open(str(path)) as container:
        return next(container.decode(video=0)).to_ndarray(format="rgb24")


def test_the_picture(tmp_path: Path) -> None:
    """Equal mels have a black difference; where they differ, it is bright, and nowhere else."""
    mel = np.random.default_rng(1).uniform(-11, 0, (128, 30)).astype(np.float32)
    other = mel[:, :20].copy()
    other[0, 4] += 20
    path = tmp_path / "c.png"
    write_comparison_picture(path, [(mel, mel), (mel[:, :20], other)], pixels_per_band=1)
    image = _pixels(path)
    assert image.shape == (128 * 2 + 8, 30 * 3 + 16, 3)
    first, second = image[:128], image[136:]
    assert np.array_equal(first[:, :30], first[:, 38:68])
    darkest = first[:, 76:]
    assert (darkest == darkest[0, 0]).all()
    difference = second[:, 76:].astype(int) - darkest
    where = np.argwhere(difference.any(axis=2))
    assert where.tolist() == [[127, 4]]  # the lowest band is the last row
    write_mel_picture(tmp_path / "m.png", mel)
    assert _pixels(tmp_path / "m.png").shape == (256, 60, 3)


def test_the_command(files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    words = ["compare", str(files[0]), str(files[2]), "--text", "Two words.", "--max-new-tokens", "16"]
    assert main([*words, "--out", str(out), "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert [file["identical"] for file in facts["files"]] == [False, True]
    names = ["1_voice.wav", "1_base.wav", "2_heavy.wav", "2_base.wav", "comparison.png"]
    assert facts["written"] == names
    assert sorted(path.name for path in out.iterdir()) == sorted(names)
    heavy, base = (soundfile.read(out / name, dtype="float32")[0] for name in names[2:4])
    assert np.array_equal(heavy, base)
    assert len(heavy) / 24_000 == pytest.approx(facts["files"][1]["seconds"], abs=1e-3)
    assert main(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].endswith("different")
    assert lines[2].endswith("identical")
    assert main([*words, "--cv", str(CUSTOM)]) == 1
    assert "Give both with --base and --cv" in capsys.readouterr().err


def test_a_voice_of_another_size_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "wide.bin"
    save_voice(a_voice(1024), path)
    assert main(["compare", str(path)]) == 1
    assert len(capsys.readouterr().err.splitlines()) == 1
