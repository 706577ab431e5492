"""Verifying voice files: what is whole passes, every kind of damage is found, and speech is the last proof."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from engine.cli.main import main
from engine.errors import ModelError, VoiceError
from engine.voice.files import load_voice, save_voice
from engine.voice.pair import ModelPair
from engine.voice.proof import prove_speech
from engine.voice.records import walk_records
from engine.voice.source import open_source
from engine.voice.spoken import Sentence
from engine.voice.verify import Check, verify_file, verify_models
from engine.voice.voice import Voice
from tests.conftest import Checkpoints
from tests.engine.voice import build
from tests.engine.voice.test_files import a_voice

ROOT = Path(__file__).parents[3]
SHORT = Sentence("Two words.", max_new_tokens=12)


@pytest.fixture(scope="module")
def pair(checkpoints: Checkpoints) -> ModelPair:
    return ModelPair(checkpoints.folder("tiny-base"), checkpoints.folder("tiny-custom"))


def speakable(width: int) -> Voice:
    """A voice whose codes every test model has."""
    voice = a_voice(width)
    assert voice.codes is not None
    return replace(voice, codes=np.remainder(voice.codes, 32))


@pytest.fixture
def heavy(pair: ModelPair, tmp_path: Path) -> Path:
    path = tmp_path / "heavy.qvoice"
    save_voice(a_voice(codes=None), path, "wdelta", pair)
    return path


def _failed(checks: tuple[Check, ...]) -> list[str]:
    return [check.what for check in checks if not check.passed]


def _record_place(path: Path, name: str) -> tuple[int, int]:
    location = load_voice(path).delta
    assert location is not None
    with open_source(path) as source:
        source.seek(location.offset)
        return next((r.offset, r.stored_bytes) for r in walk_records(source, location.records) if r.name == name)


def _overwrite(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


def test_the_c_engines_file_is_whole(micro_file: Path, micro_pair: ModelPair) -> None:
    checks = verify_file(micro_file)
    assert [check.what for check in checks] == ["file", "notes", "records"]
    assert checks[-1].detail.startswith("72 tensors of a whole model")
    against = verify_models(micro_file, micro_pair)
    assert [check.what for check in against] == ["special rows", "tables", "fingerprints", "weights"]
    assert _failed(checks + against) == []
    assert "all 72 equal" in against[-1].detail


@pytest.mark.parametrize("name", ["random06b_en.bin", "random06b_en_v1.qvoice", "random06b_en_icl_meta_tpad.qvoice"])
def test_light_files_of_the_c_engine(c_files: Path, name: str) -> None:
    checks = verify_file(c_files / name)
    assert _failed(checks) == []
    assert ("codes" in {check.what for check in checks}) == ("icl" in name)


def test_our_own_file_is_whole_and_its_fingerprints_are_known(heavy: Path, pair: ModelPair) -> None:
    against = verify_models(heavy, pair)
    assert _failed(verify_file(heavy) + against) == []
    assert {check.what: check.detail for check in against}["fingerprints"] == "2 known, all match"


def test_a_flipped_difference_is_found_only_with_the_models(heavy: Path, pair: ModelPair) -> None:
    name = "talker.model.layers.0.input_layernorm.weight"  # raw, so that it still unpacks
    offset, _ = _record_place(heavy, name)
    _overwrite(heavy, offset, np.float32(3.25).tobytes())
    assert _failed(verify_file(heavy)) == []
    against = verify_models(heavy, pair)
    assert _failed(against) == ["weights"]
    assert name in against[-1].detail


def test_a_broken_block_is_found_without_a_model(heavy: Path) -> None:
    offset, size = _record_place(heavy, "talker.codec_head.weight")
    _overwrite(heavy, offset, b"\xff" * size)
    checks = verify_file(heavy)
    assert _failed(checks) == ["records"]
    assert "talker.codec_head.weight does not unpack" in checks[-1].detail
    assert str(heavy) not in checks[-1].detail


def test_a_missing_record_is_found_without_a_model(tmp_path: Path) -> None:
    records = build.small_pair().records()
    path = tmp_path / "voice.qvoice"
    for left_out in (3, 12, len(records) - 1):
        kept = records[:left_out] + records[left_out + 1 :]
        path.write_bytes(build.head() + build.meta() + build.tpad() + build.wovr() + build.wdlt(kept))
        checks = verify_file(path)
        assert _failed(checks) == ["records"]
        assert "not those of a whole model" in checks[-1].detail
    path.write_bytes(build.head() + build.meta() + build.tpad() + build.wovr() + build.wdlt(records))
    assert _failed(verify_file(path)) == []


def test_lossy_differences_fail(tmp_path: Path) -> None:
    records = build.small_pair().records()
    records[0] = replace(records[0], packing=2)
    path = tmp_path / "voice.qvoice"
    path.write_bytes(build.head() + build.meta() + build.tpad() + build.wovr() + build.wdlt(records))
    assert "int8" in verify_file(path)[-1].detail
    assert _failed(verify_file(path)) == ["records"]


def test_foreign_and_cut_files(heavy: Path, tmp_path: Path) -> None:
    whole = heavy.read_bytes()
    for length in (0, 3, 40, 300, len(whole) // 2, len(whole) - 1):
        heavy.write_bytes(whole[:length])
        assert _failed(verify_file(heavy)) == ["file"]
    assert "no such file" in verify_file(tmp_path / "nothing.bin")[0].detail


def test_codes_that_cannot_be_used(tmp_path: Path) -> None:
    path = tmp_path / "voice.qvoice"
    path.write_bytes(build.head(codes=build.codes() + 2048) + build.meta())
    assert _failed(verify_file(path)) == ["codes"]


def test_notes_of_another_voice(heavy: Path) -> None:
    notes = heavy.with_name("heavy.qvoice.json")
    notes.write_text(notes.read_text(encoding="utf-8").replace('"x_vector_sha256": "', '"x_vector_sha256": "0'))
    assert _failed(verify_file(heavy)) == ["notes"]
    notes.unlink()
    assert verify_file(heavy)[1].detail == "none beside the file"


def test_other_models_than_it_was_saved_with(heavy: Path, pair: ModelPair, checkpoints: Checkpoints) -> None:
    notes = heavy.with_name("heavy.qvoice.json")
    said = json.loads(notes.read_text(encoding="utf-8"))
    said["models"]["base"] = "0" * 64
    notes.write_text(json.dumps(said), encoding="utf-8")
    assert _failed(verify_models(heavy, pair)) == ["fingerprints"]
    other = ModelPair(checkpoints.folder("tiny-mtp-base"), checkpoints.folder("tiny-mtp-custom"))
    with pytest.raises(VoiceError, match="the voice is of width 64, tiny-mtp-base of width 96"):
        verify_models(heavy, other)
    with pytest.raises(ModelError, match="Choose its folder"):
        verify_models(heavy, ModelPair(pair.base))


def test_tables_and_rows_of_another_base(pair: ModelPair, tmp_path: Path) -> None:
    path = tmp_path / "voice.qvoice"
    tables, rows = pair.tables, pair.special_rows
    save_voice(a_voice(tables=replace(tables, codec_rows=tables.codec_rows + 1), special_rows=rows), path, "standard")
    checks = verify_models(path, pair)
    assert _failed(checks) == ["tables"]
    assert "1 of 5 differ from tiny-base's: codec_rows" in checks[1].detail
    save_voice(a_voice(tables=tables, special_rows=replace(rows, bos=rows.bos * 1.001)), path, "standard")
    assert _failed(verify_models(path, pair)) == ["special rows"]


@pytest.mark.parametrize("precision", ["fp32", "bf16", "int8", "int4"])
@pytest.mark.parametrize("name", ["tiny", "tiny-mtp"])
def test_speech_is_equal(checkpoints: Checkpoints, tmp_path: Path, precision: str, name: str) -> None:
    pair = ModelPair(checkpoints.folder(f"{name}-base"), checkpoints.folder(f"{name}-custom"))
    path = tmp_path / "voice.qvoice"
    save_voice(speakable(pair.width), path, "wdelta", pair)
    checks = prove_speech(path, pair, precision, SHORT)
    assert [check.what for check in checks] == [f"speech {precision} x-vector", f"speech {precision} in context"]
    assert _failed(checks) == [], checks
    assert all(check.detail.endswith("samples equal Base's") for check in checks)


def test_speech_from_other_weights_differs(pair: ModelPair, tmp_path: Path) -> None:
    """The voice of a file whose differences lead elsewhere; also one whose notes deny its weights."""
    path = tmp_path / "voice.qvoice"
    save_voice(a_voice(codes=None, sidecar={}), path, "wdelta", pair)
    offset, size = _record_place(path, "talker.model.norm.weight")
    _overwrite(path, offset, np.full(size // 4, -2, "<f4").tobytes())
    (check,) = prove_speech(path, pair, "fp32", SHORT)
    assert not check.passed
    assert "codes differ from Base's from frame" in check.detail
    notes = path.with_name("voice.qvoice.json")
    said = json.loads(notes.read_text(encoding="utf-8"))
    said["models"]["custom_voice"] = "0" * 64
    notes.write_text(json.dumps(said), encoding="utf-8")
    (denied,) = prove_speech(path, pair, "fp32", SHORT)
    assert (denied.passed, denied.what) == (False, "speech fp32 x-vector")
    assert denied.detail.startswith("the CustomVoice model is not the one")


def test_the_command(heavy: Path, pair: ModelPair, capsys: pytest.CaptureFixture[str]) -> None:
    models = ["--base", str(pair.base), "--cv", str(pair.custom_voice), "--max-new-tokens", "8"]
    assert main(["verify", str(heavy), *models]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines[1:-1]] == [
        *("file", "notes", "records", "special", "tables", "fingerprints", "weights"),
        *4 * ["speech"],
    ]
    assert lines[-1] == "Everything holds."
    offset, _ = _record_place(heavy, "talker.model.norm.weight")
    _overwrite(heavy, offset, bytes(4))
    assert main(["verify", str(heavy), *models, "--precision", "bf16", "--json"]) == 1
    facts = json.loads(capsys.readouterr().out)
    assert facts["passed"] is False
    assert [check["what"] for check in facts["checks"] if not check["passed"]] == ["weights", "speech bf16"]
    assert facts["checks"][-1]["detail"] == "not tried after what failed above"


def test_without_models_it_needs_no_torch(heavy: Path) -> None:
    code = f"import sys; from engine.cli.main import main; assert main(['verify', {str(heavy)!r}]) == 0; "
    code += "sys.exit(int('torch' in sys.modules))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=120, check=False, capture_output=True)
    assert done.returncode == 0, done.stderr
