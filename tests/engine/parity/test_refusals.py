"""Reference results that cannot be compared: one line, exit code 1, and no table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.engine.parity.conftest import GOLDENS


def refused(ran) -> str:
    """The one line that was said."""
    assert (ran.code, ran.out) == (1, "")
    assert ran.err.startswith("qvoice: ")
    assert ran.err.count("\n") == 1
    return ran.err


def test_a_folder_that_is_not_there(parity, checkpoints, tmp_path: Path):
    line = refused(parity(checkpoints.folder("tiny-base"), tmp_path / "nowhere"))
    assert str(tmp_path / "nowhere" / "reference.json") in line


@pytest.mark.parametrize("text", ["", "[]", "{", '{"cases": {}}', '{"cases": {"a": 1}}', '{"cases": [1]}'])
def test_a_damaged_list_of_cases(text: str, parity, checkpoints, tmp_path: Path):
    (tmp_path / "reference.json").write_text(text, encoding="utf-8")
    assert "reference.json" in refused(parity(checkpoints.folder("tiny-base"), tmp_path))


def test_a_list_in_no_encoding(parity, checkpoints, tmp_path: Path):
    (tmp_path / "reference.json").write_bytes(b"\xff\xfe{")
    assert "reference.json" in refused(parity(checkpoints.folder("tiny-base"), tmp_path))


def test_a_case_without_its_file(parity, checkpoints, copied):
    goldens = copied("tiny-base", "resample")
    (goldens.folder / "resample.safetensors").unlink()
    assert "resample.safetensors is not there" in refused(parity(checkpoints.folder("tiny-base"), goldens.folder))


def test_a_file_cut_short(parity, checkpoints, copied):
    goldens = copied("tiny-base", "resample")
    path = goldens.folder / "resample.safetensors"
    path.write_bytes(path.read_bytes()[:1000])
    assert "resample.safetensors cannot be read" in refused(parity(checkpoints.folder("tiny-base"), goldens.folder))


def test_a_case_that_is_not_listed(parity, checkpoints):
    line = refused(parity(checkpoints.folder("tiny-base"), GOLDENS / "tiny-base", "--case", "nonsense"))
    assert "no case nonsense" in line
    assert "speaker" in line


def test_results_of_another_kind_of_model(parity, checkpoints):
    line = refused(parity(checkpoints.folder("tiny-custom"), GOLDENS / "tiny-base"))
    assert "made with a base model" in line


def test_a_model_that_is_not_there(parity, tmp_path: Path):
    assert "nowhere" in refused(parity(tmp_path / "nowhere", GOLDENS / "tiny-base"))


def test_a_case_with_nothing_to_compare(parity, checkpoints, copied):
    """Nothing compared is nothing proved."""
    goldens = copied("tiny-base", "resample")
    reference = goldens.read()
    reference["cases"]["resample"] = {"other": [[1, 2]]}
    goldens.write(reference)
    assert "nothing to compare" in refused(parity(checkpoints.folder("tiny-base"), goldens.folder))


@pytest.mark.parametrize("lost", ["arguments", "text"])
def test_a_call_that_is_not_described(lost: str, parity, checkpoints, copied):
    goldens = copied("tiny-custom", "custom-auto")
    reference = goldens.read()
    facts = reference["cases"]["custom-auto"]
    del (facts if lost == "arguments" else facts["arguments"])[lost]
    goldens.write(reference)
    assert "custom-auto cannot be compared" in refused(parity(checkpoints.folder("tiny-custom"), goldens.folder))


def test_a_call_that_the_model_cannot_answer(parity, checkpoints, copied):
    goldens = copied("tiny-custom", "custom-auto")
    reference = goldens.read()
    reference["cases"]["custom-auto"]["arguments"]["speaker"] = "nobody"
    goldens.write(reference)
    line = refused(parity(checkpoints.folder("tiny-custom"), goldens.folder))
    assert "Case custom-auto cannot be run" in line
    assert "nobody" in line


def test_a_spoken_case_without_codes(parity, checkpoints, tmp_path: Path):
    reference = {"cases": {"custom": {"method": "generate_custom_voice", "arguments": {"text": "a", "speaker": "ryan"},
                                      "other": [[1]]}}}  # fmt: skip
    (tmp_path / "reference.json").write_text(json.dumps(reference), encoding="utf-8")
    assert "custom holds no codes" in refused(parity(checkpoints.folder("tiny-custom"), tmp_path))


def test_a_recording_that_this_machine_computes_differently(parity, checkpoints, copied):
    goldens = copied("tiny-base", "speaker")
    reference = goldens.read()
    reference["cases"]["speaker"]["clip_sha256"] = "0" * 64
    goldens.write(reference)
    assert "the reference recording" in refused(parity(checkpoints.folder("tiny-base"), goldens.folder))


def test_wrong_usage():
    from engine.cli.main import main

    with pytest.raises(SystemExit) as left:
        main(["parity"])
    assert left.value.code == 2
