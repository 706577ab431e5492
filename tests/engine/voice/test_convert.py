"""Converting voice files: down without a model, up with the pair, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.cli.main import main
from engine.errors import ModelError, VoiceError
from engine.voice import delta
from engine.voice.convert import convert_voice
from engine.voice.files import load_voice, save_voice
from engine.voice.inspect import inspect_voice
from engine.voice.pair import ModelPair
from engine.voice.voice import Tier
from tests.conftest import Checkpoints
from tests.engine.voice import build
from tests.engine.voice.test_files import a_voice, assert_equal


@pytest.fixture
def pair(checkpoints: Checkpoints) -> ModelPair:
    return ModelPair(checkpoints.folder("tiny-base"), checkpoints.folder("tiny-custom"))


@pytest.fixture
def heavy(pair: ModelPair, tmp_path: Path) -> Path:
    path = tmp_path / "heavy.qvoice"
    save_voice(a_voice(), path, "wdelta", pair)
    return path


@pytest.mark.parametrize("tier", ["light", "standard", "wdelta"])
def test_down_is_what_saving_in_that_tier_writes(pair: ModelPair, tmp_path: Path, tier: Tier) -> None:
    heavy, direct, out = (tmp_path / f"{name}.qvoice" for name in ("heavy", "direct", "out"))
    voice = a_voice(language=None)  # its id is the test model's own, which only a pair can tell
    save_voice(voice, heavy, "wdelta", pair)
    save_voice(voice, direct, tier, pair)
    assert convert_voice(heavy, out, tier) == tier
    assert out.read_bytes() == direct.read_bytes()
    assert_equal(load_voice(out), load_voice(direct))


def test_up_and_down_again_is_the_same_file(pair: ModelPair, tmp_path: Path) -> None:
    light = tmp_path / "light.qvoice"
    save_voice(a_voice(), light, "light")
    before = light.read_bytes()
    assert convert_voice(light, tmp_path / "up.qvoice", "wdelta", pair) == "wdelta"
    assert load_voice(tmp_path / "up.qvoice").tier == "wdelta"
    assert convert_voice(tmp_path / "up.qvoice", tmp_path / "down.qvoice", "light") == "light"
    assert (tmp_path / "down.qvoice").read_bytes() == before == light.read_bytes()


def test_the_c_engines_file_goes_down_and_up(micro_file: Path, micro_pair: ModelPair, tmp_path: Path) -> None:
    standard, again = tmp_path / "standard.qvoice", tmp_path / "again.qvoice"
    convert_voice(micro_file, standard, "standard")
    assert standard.read_bytes() == micro_file.read_bytes()[:66420]  # up to its WDLT
    convert_voice(standard, again, "wdelta", micro_pair)
    one, other = load_voice(micro_file).delta, load_voice(again).delta
    assert one is not None
    assert other is not None
    custom = delta.tensors_by_name(micro_pair.custom_voice_tensors)
    weights, wanted = delta.apply(other, custom), delta.apply(one, custom)
    assert list(weights) == list(wanted)
    for name, array in wanted.items():
        np.testing.assert_array_equal(weights[name], array)


def test_onto_itself(heavy: Path, pair: ModelPair) -> None:
    convert_voice(heavy, heavy, in_context=False)
    voice = load_voice(heavy)
    assert (voice.codes, voice.tier, voice.transcript) == (None, "wdelta", a_voice().transcript)
    assert voice.delta is not None
    weights = delta.apply(voice.delta, delta.tensors_by_name(pair.custom_voice_tensors))
    np.testing.assert_array_equal(
        weights["talker.codec_head.weight"], pair.base_tensors.bits("talker.codec_head.weight")
    )
    assert voice.sidecar == a_voice().sidecar


def test_both_models_replace_damaged_weights(heavy: Path, pair: ModelPair, tmp_path: Path) -> None:
    whole = heavy.read_bytes()
    place = load_voice(heavy).delta
    assert place is not None
    heavy.write_bytes(whole[: place.offset + 200] + bytes(64) + whole[place.offset + 264 :])
    convert_voice(heavy, tmp_path / "copied.qvoice")
    convert_voice(heavy, tmp_path / "new.qvoice", pair=pair)
    assert (tmp_path / "copied.qvoice").read_bytes() != whole
    assert (tmp_path / "new.qvoice").read_bytes() == whole


def test_a_name_other_than_qvoice_makes_it_light(heavy: Path, tmp_path: Path) -> None:
    assert convert_voice(heavy, tmp_path / "voice.bin") == "light"
    assert (tmp_path / "voice.bin").read_bytes() == a_voice().x_vector.tobytes()
    assert load_voice(tmp_path / "voice.bin").transcript == a_voice().transcript  # from its sidecar
    with pytest.raises(VoiceError, match=r'must be named "….qvoice"'):
        convert_voice(heavy, tmp_path / "other.bin", "standard")


def test_a_transcript_makes_codes_speak_in_context(tmp_path: Path) -> None:
    path = tmp_path / "voice.qvoice"
    save_voice(a_voice(transcript=None), path)
    assert not load_voice(path).in_context
    with pytest.raises(VoiceError, match="no transcript of them"):
        convert_voice(path, path, in_context=True)
    convert_voice(path, path, in_context=True, transcript="  Größe 大. ")
    assert_equal(load_voice(path), a_voice(transcript="Größe 大."))
    convert_voice(path, path, transcript="")
    assert_equal(load_voice(path), a_voice(transcript=None))


def test_what_cannot_be_is_said_and_changes_nothing(pair: ModelPair, tmp_path: Path) -> None:
    path, out = tmp_path / "voice.qvoice", tmp_path / "out.qvoice"
    save_voice(replace(a_voice(), codes=None), path)
    out.write_bytes(b"before")
    with pytest.raises(VoiceError, match="holds no codes"):
        convert_voice(path, out, in_context=True)
    with pytest.raises(VoiceError, match="needs the Base and the CustomVoice model"):
        convert_voice(path, out, "wdelta")
    with pytest.raises(VoiceError, match="needs the Base and the CustomVoice model"):
        convert_voice(path, out, "wdelta", ModelPair(pair.base))
    with pytest.raises(VoiceError, match="the standard tier needs the Base model"):
        convert_voice(path, out, "standard")
    with pytest.raises(ModelError, match="the Base model is needed"):
        convert_voice(path, out, "standard", ModelPair(pair.custom_voice or Path()))
    save_voice(a_voice(), path)
    with pytest.raises(VoiceError, match="has room for codes"):
        convert_voice(path, tmp_path / "out.bin", in_context=True)
    assert out.read_bytes() == b"before"
    assert {file.name for file in tmp_path.iterdir()} == {"voice.qvoice", "voice.qvoice.json", "out.qvoice"}


def test_weights_without_tables_need_base(tmp_path: Path) -> None:
    path = tmp_path / "hole.qvoice"
    path.write_bytes(build.head() + build.meta() + build.wdlt(build.load_only_records()))
    with pytest.raises(VoiceError, match="the wdelta tier needs the Base model it was made with"):
        convert_voice(path, tmp_path / "out.qvoice")
    assert convert_voice(path, tmp_path / "out.qvoice", "light") == "light"


def test_the_command(heavy: Path, pair: ModelPair, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.qvoice"
    assert main(["convert", str(heavy), "-o", str(out), "--tier", "light", "--in-context", "off", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["dropped"] == ["codes", "TPAD", "WOVR", "WDLT"]
    assert (facts["added"], facts["from_tier"], facts["tier"]) == ([], "wdelta", "light")
    assert facts["bytes"] == out.stat().st_size == inspect_voice(out).file_size
    models = ["--base", str(pair.base), "--cv", str(pair.custom_voice)]
    assert main(["convert", str(out), "-o", str(out), "--tier", "wdelta", *models]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0].startswith(f"Wrote {out} (wdelta, {out.stat().st_size:,} bytes) from {out} (light)")
    assert said[1:] == ["Added: TPAD, WOVR, WDLT"]


def test_the_command_refuses_in_one_line(heavy: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out.bin"
    assert main(["convert", str(heavy), "-o", str(out), "--in-context", "on"]) == 1
    assert main(["convert", str(heavy), "-o", str(out), "--cv", str(tmp_path)]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert lines == [
        f"qvoice: {out}: only a .qvoice file has room for codes. Choose such a name.",
        f"qvoice: {tmp_path}: the Base model of its size is needed too. Give it with --base.",
    ]
    assert not out.exists()
