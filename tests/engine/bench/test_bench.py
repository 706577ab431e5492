"""`qvoice bench`: the figures are there and of the right kind. How large they are is nobody's business here."""

import json
from pathlib import Path

import pytest
import torch
from torch import nn

from engine.bench.limits import linear_bytes
from engine.bench.quality import compare
from engine.bench.run import Plan, Row
from engine.bench.show import as_json, table
from engine.cli.main import main
from engine.model.quantize import layer, pack


def test_a_setting_is_measured_in_a_process_of_its_own(checkpoints, capsys) -> None:
    folder = checkpoints.folder("tiny-base")
    asked = ["--precision", "fp32", "--cores", "1", "--runs", "1", "--frames", "3", "--json"]
    assert main(["bench", str(folder), *asked]) == 0
    (found,) = json.loads(capsys.readouterr().out)["settings"]
    assert (found["precision"], found["cores"], found["threads"]) == ("fp32", 1, 1)
    named = ["load_seconds", "prefill_ms", "talker_ms", "predictor_ms", "codec_1_ms", "codec_4_ms", "codec_25_ms"]
    named += ["talker_limit_ms", "predictor_limit_ms", "codec_limit_ms", "first_sound_seconds", "realtime_factor"]
    named += ["clone_vector_seconds", "clone_codes_seconds", "peak_gb"]
    assert all(found[name] > 0 for name in named)
    assert {f"talker_at_{frames}_ms" for frames in (50, 500, 2000, 8000)} <= found.keys()
    assert found["times_as_fast_as_official"] is None


def test_a_process_that_fails_is_told_of_in_one_line(tmp_path: Path, capsys) -> None:
    assert main(["bench", str(tmp_path / "nothing"), "--precision", "fp32", "--cores", "1"]) == 1
    (line,) = capsys.readouterr().err.strip().splitlines()
    assert "measuring process" in line
    assert "nothing" in line


def test_the_official_package_needs_an_environment(checkpoints, capsys) -> None:
    assert main(["bench", str(checkpoints.folder("tiny-base")), "--against", "official"]) == 1
    assert "--official-python" in capsys.readouterr().err


def test_fewer_bits_are_compared_with_float32_on_the_same_codes(checkpoints) -> None:
    plan = Plan(checkpoints.folder("tiny-custom"), ("fp32", "int8", "int4"), (1,), 1, 6, "Hello there.")
    found = compare(plan)
    assert found.keys() == {"int8", "int4"}
    assert found["int8"]["states_db"] > found["int4"]["states_db"] > 5
    assert found["int8"]["later_codes_equal"] > 0.5


def test_weights_count_with_the_bits_they_are_kept_in() -> None:
    plain = nn.Sequential(nn.Linear(64, 32, bias=False))
    packed = nn.Sequential(layer(pack("int8", torch.randn(32, 64)), 32, None))
    assert linear_bytes(plain) == 4 * 32 * 64
    assert linear_bytes(packed) == 32 * 64 + 4 * 32


def test_the_table_tells_the_official_package_and_the_share_of_the_limit() -> None:
    parts = {"talker_ms": 30.0, "predictor_ms": 90.0, "codec_25_ms": 50.0, "codec_limit_ms": 40.0}
    limits = {"talker_limit_ms": 20.0, "predictor_limit_ms": 60.0, "talker_at_50_ms": 31.0}
    official = {"realtime_factor": 12.0, "cpu_realtime_factor": 13.0, "load_seconds": 8.0, "peak_gb": 5.8}
    row = Row("int8", 2, parts | limits | {"realtime_factor": 3.0}, official, 4.0, 3.5)
    head, line, *_ = table([row]).splitlines()
    assert head.endswith("times as fast  by cpu")
    assert line.split()[0] == "int8"
    assert line.split()[-2:] == ["4.00", "3.50"]
    assert "1.50" in line.split()
    assert as_json([row])[0]["times_as_fast_as_official"] == 4.0


@pytest.mark.parametrize("wrong", [["--runs", "0"], ["--frames", "1"], ["--cores", "0"]])
def test_too_little_to_measure_is_refused(checkpoints, wrong: list[str]) -> None:
    assert main(["bench", str(checkpoints.folder("tiny-base")), *wrong]) == 1
