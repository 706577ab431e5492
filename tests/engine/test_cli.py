"""The command line as a person uses it: in a process of its own."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import soundfile

import resources


def qvoice(*arguments: object, folder: Path | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-W", "error", "-m", "engine.cli.main", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=240, check=False)


def test_the_whole_job(tmp_path: Path) -> None:
    """Clone, inspect, speak twice with one seed: equal sound, also with clip and Base model gone."""
    clip, base, voice = tmp_path / "clip.flac", tmp_path / "base", tmp_path / "me.qvoice"
    shutil.copyfile(resources.path("sample", "sample_clip.flac"), clip)
    shutil.copytree(resources.path("test_model", "base"), base)
    consent = ("--consent", "mine")
    done = qvoice("clone", clip, "--model", base, "-o", voice, "--language", "english", *consent, "--json")
    assert done.returncode == 0, done.stderr
    clip.unlink()
    shutil.rmtree(base)
    assert json.loads(done.stdout)["bytes"] == voice.stat().st_size
    origin = json.loads(qvoice("inspect", voice, "--json").stdout)["origin"]
    assert (origin["consent"], origin["licence"]) == ("mine", None)
    assert len(origin["clip_sha256"]) == len(origin["base_digest"]) == 64
    assert "consent      mine" in qvoice("inspect", voice).stdout
    for name in ("one.wav", "two.wav"):
        said = qvoice("speak", "Hello.", "--voice", voice, "--seed", 5, "-o", tmp_path / name, "--max-new-tokens", 20)
        assert said.returncode == 0, said.stderr
    one, rate = soundfile.read(tmp_path / "one.wav", dtype="float32")
    assert rate == 24_000
    assert np.array_equal(one, soundfile.read(tmp_path / "two.wav", dtype="float32")[0])


def test_the_tour_leaves_everything_in_one_folder(tmp_path: Path) -> None:
    done = qvoice("tour", "--out", tmp_path / "out", "--max-new-tokens", 30)
    assert done.returncode == 0, done.stderr
    facts = json.loads((tmp_path / "out" / "table.json").read_text(encoding="utf-8"))
    assert [row["tier"] for row in facts["tiers"]] == ["light", "standard", "wdelta"]
    assert [row["identical"] for row in facts["tiers"]] == [False, False, True]
    for row in facts["tiers"]:
        assert (tmp_path / "out" / row["file"]).stat().st_size == row["bytes"]
        assert -60 < row["level_dbfs"] < 0
        assert (tmp_path / "out" / row["sound"]).is_file()
        assert (tmp_path / "out" / f"speech_{row['tier']}_mel.png").read_bytes().startswith(b"\x89PNG")
    assert "makes noise" in done.stdout


def test_failures_are_one_line_and_exit_code_1(tmp_path: Path) -> None:
    done = qvoice("clone", tmp_path / "nothing.wav", "-o", tmp_path / "x.bin")
    assert done.returncode == 1
    assert done.stderr.strip().startswith("qvoice: ")
    assert len(done.stderr.strip().splitlines()) == 1
    assert not (tmp_path / "x.bin").exists()


def test_wrong_usage_is_exit_code_2() -> None:
    assert qvoice("speak").returncode == 2
    assert qvoice("dance").returncode == 2
