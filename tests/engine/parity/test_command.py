"""`qvoice parity` on the official results of the tiny models, whole and spoiled."""

from __future__ import annotations

import json

import pytest

from engine.parity.quantities import QUANTITIES, STAGES
from tests.engine.goldens import MODELS
from tests.engine.parity.conftest import GOLDENS

LONG = GOLDENS.parent / "goldens-long" / "tiny-base"
PARTS = {"resampled clip", "mel of the clip", "speaker vector", "encoded codes", "level of frames"}


@pytest.mark.parametrize("name", MODELS)
def test_every_stage_passes(name: str, parity, checkpoints):
    ran = parity(checkpoints.folder(name), GOLDENS / name, "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json["passed"] is True
    assert [stage["stage"] for stage in ran.json["stages"]] == list(STAGES)
    assert [stage["passed"] for stage in ran.json["stages"]] == [True] * len(STAGES)
    listed = json.loads((GOLDENS / name / "reference.json").read_text(encoding="utf-8"))["cases"]
    assert ran.json["cases"] == len(listed)
    found = ran.quantities()
    assert set(found) == {q.name for q in QUANTITIES} - (set() if "base" in name else PARTS)
    spoken = [case for case, facts in listed.items() if "method" in facts]
    assert found["token ids"]["cases"] == found["codes"]["cases"] == found["length"]["cases"] == len(spoken)
    assert found["codes"]["largest_difference"] == 0
    assert found["spoken sound"]["snr_db"] > 100


def test_lengths_at_which_the_official_sound_is_not_a_plain_decode(parity, checkpoints):
    """A cut that leaves one sample of the reference, and more than one chunk of the codec; statistics only."""
    ran = parity(checkpoints.folder("tiny-base"), LONG, "--json")
    assert ran.code == 0, ran.out
    found = ran.quantities()
    assert found["codes"]["values"] == (35 + 270) * 16
    assert found["spoken sound"]["snr_db"] > 100
    assert found["length"]["largest_difference"] == 0


def test_the_table_names_every_stage_and_the_versions(parity, checkpoints, copied):
    ran = parity(checkpoints.folder("tiny-custom"), copied("tiny-custom", "custom", "custom-auto").folder)
    assert ran.code == 0
    assert "qwen-tts 0.1.1" in ran.out
    assert "torch 2.13.0" in ran.out
    rows = [line.split() for line in ran.out.splitlines() if line.startswith("ok ")]
    assert [row[1] for row in rows] == sorted((row[1] for row in rows), key=STAGES.index)
    assert {row[1] for row in rows} == set(STAGES)
    assert ran.out.splitlines()[-1].startswith("Every stage passes: 2 cases,")


def test_only_the_cases_asked_for(parity, checkpoints):
    ran = parity(checkpoints.folder("tiny-base"), GOLDENS / "tiny-base", "--json", "--case", "speaker", "resample")
    assert ran.code == 0
    assert ran.json["cases"] == 2
    assert set(ran.quantities()) == {"resampled clip", "mel of the clip", "speaker vector"}
    passed = {stage["stage"]: stage["passed"] for stage in ran.json["stages"]}
    assert passed == dict.fromkeys(STAGES, None) | {"prompt": True}


def test_a_changed_code_fails_the_codes_and_says_where(parity, checkpoints, copied):
    spoiled = copied("tiny-custom", "custom-auto", "custom-one-token")
    spoiled.add("custom-one-token", "codes", (10, 3), 1)
    ran = parity(checkpoints.folder("tiny-custom"), spoiled.folder, "--json")
    assert ran.code == 1
    assert ran.failed() == ["codes"]
    found = ran.quantities()["codes"]
    assert (found["passed"], found["largest_difference"], found["cases"]) == (False, 1, 2)
    where = found["where"]
    assert (where["case"], where["frame"], where["codebook"]) == ("custom-one-token", 10, 3)
    assert where["official"] == where["found"] + 1


def test_a_shifted_prompt_row_fails_the_prompt_and_says_where(parity, checkpoints, copied):
    spoiled = copied("tiny-custom", "custom-auto")
    spoiled.add("custom-auto", "prompt_embeds", (12, 7), 1e-3)
    spoiled.add("custom-auto", "prompt_embeds", (20, 0), 2e-3)
    ran = parity(checkpoints.folder("tiny-custom"), spoiled.folder)
    assert ran.code == 1
    failed = [line for line in ran.out.splitlines() if line.startswith("FAIL")]
    assert len(failed) == 1
    assert "prompt rows" in failed[0]
    assert "0.002" in failed[0]  # the largest
    assert "custom-auto: row 12, column 7" in failed[0]  # the first
    assert ran.out.splitlines()[-1].startswith("Failed: prompt (1 cases,")


def test_a_changed_sample_fails_the_sound_and_says_where(parity, checkpoints, copied):
    spoiled = copied("tiny-custom", "custom")
    spoiled.add("custom", "wave", (30_000,), 0.01)
    ran = parity(checkpoints.folder("tiny-custom"), spoiled.folder, "--json")
    assert ran.code == 1
    assert ran.failed() == ["codec", "whole"]
    for name in ("decoded sound", "spoken sound"):
        assert ran.quantities()[name]["where"]["sample"] == 30_000
        assert 60 < ran.quantities()[name]["snr_db"] < 100


@pytest.mark.parametrize(
    ("array", "index", "name", "where"),
    [
        ("prefill_hidden", (3, 5), "prefill hidden", {"row": 3, "column": 5}),
        ("talker_logits", (2, 9), "talker logits", {"frame": 2, "code": 9}),
        ("predictor_logits", (14, 0), "predictor logits", {"head": 14, "code": 0}),
    ],
)
def test_each_number_of_the_talker_is_compared(array, index, name, where, parity, checkpoints, copied):
    spoiled = copied("tiny-custom", "custom-auto")
    spoiled.add("custom-auto", array, index, 1e-2)
    ran = parity(checkpoints.folder("tiny-custom"), spoiled.folder, "--json")
    assert (ran.code, ran.failed()) == (1, ["talker"])
    assert [entry["name"] for entry in ran.quantities().values() if not entry["passed"]] == [name]
    assert where.items() <= ran.quantities()[name]["where"].items()


@pytest.mark.parametrize(
    ("case", "array", "index", "name", "stage"),
    [
        ("speaker", "mel", (4, 100), "mel of the clip", "prompt"),
        ("speaker", "x_vector", (9,), "speaker vector", "prompt"),
        ("resample", "from_44100", (6000,), "resampled clip", "prompt"),
        ("codec-encode", "codes_12.3s", (153, 15), "encoded codes", "codec"),
        ("codec-decode", "wave_640_around_600", (1920,), "decoded sound", "codec"),
        ("codec-decode", "rms_640", (299,), "level of frames", "codec"),
    ],
)
def test_each_part_is_compared(case, array, index, name, stage, parity, checkpoints, copied):
    spoiled = copied("tiny-base", case)
    spoiled.add(case, array, index, 1 if "codes" in array else 1e-2)
    ran = parity(checkpoints.folder("tiny-base"), spoiled.folder, "--json")
    assert (ran.code, ran.failed()) == (1, [stage])
    found = ran.quantities()[name]
    assert not found["passed"]
    last = index[-1] + 599 * 1920 if "around" in array else index[-1]
    assert last in found["where"].values()


def test_half_precision_is_not_the_official_result(parity, checkpoints, copied):
    goldens = copied("tiny-custom", "custom-auto").folder
    ran = parity(checkpoints.folder("tiny-custom"), goldens, "--precision", "bf16", "--json")
    assert ran.code == 1
    assert ran.json["here"].startswith("CPU · bf16")
    passed = {stage["stage"]: stage["passed"] for stage in ran.json["stages"]}
    assert (passed["tokens"], passed["prompt"], passed["talker"]) == (True, False, False)
    assert 1e-4 < ran.quantities()["prefill hidden"]["largest_difference"] < 1


def test_changed_ids_fail_the_tokens(parity, checkpoints, copied):
    spoiled = copied("tiny-custom", "custom-auto")
    reference = spoiled.read()
    reference["cases"]["custom-auto"]["input_ids"][4] += 1
    spoiled.write(reference)
    ran = parity(checkpoints.folder("tiny-custom"), spoiled.folder, "--json")
    assert (ran.code, ran.failed()) == (1, ["tokens"])
    assert ran.quantities()["token ids"]["where"]["input_ids place"] == 4


def test_another_length_of_ids_cannot_be_compared(parity, checkpoints, copied):
    spoiled = copied("tiny-custom", "custom-auto")
    reference = spoiled.read()
    reference["cases"]["custom-auto"]["input_ids"].pop()
    spoiled.write(reference)
    ran = parity(checkpoints.folder("tiny-custom"), spoiled.folder, "--json")
    assert (ran.code, ran.failed()) == (1, ["tokens"])
    assert ran.quantities()["token ids"]["largest_difference"] is None
    assert ran.quantities()["token ids"]["where"]["shape"] == "[24] instead of [23]"
