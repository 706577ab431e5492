"""Describing voice files, in the library and on the command line."""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path

import pytest

from engine.cli import inspect as command
from engine.errors import VoiceError
from engine.voice.facts import inspection_table
from engine.voice.files import load_voice, save_voice
from engine.voice.inspect import inspect_voice
from engine.voice.layout import scan
from engine.voice.pair import ModelPair
from engine.voice.source import open_source
from tests.conftest import Checkpoints
from tests.engine.voice import build
from tests.engine.voice.test_files import a_voice

ROOT = Path(__file__).parents[3]


@pytest.fixture
def pair_file(checkpoints: Checkpoints, tmp_path: Path) -> Path:
    pair = ModelPair(checkpoints.folder("tiny-base"), checkpoints.folder("tiny-custom"))
    save_voice(a_voice(), tmp_path / "heavy.qvoice", "wdelta", pair)
    return tmp_path / "heavy.qvoice"


def _arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    command.add_parser(parser.add_subparsers())
    return parser.parse_args(["inspect", *words])


def test_the_micro_file(micro_file: Path) -> None:
    found = inspect_voice(micro_file)
    assert [(part.name, part.offset) for part in found.sections] == [
        ("header", 0),
        ("voice vector", 12),
        ("transcript", 76),
        ("codes", 80),
        ("META", 84),
        ("TPAD", 188),
        ("WOVR", 388),
        ("WDLT", 66420),
    ]
    assert sum(part.size for part in found.sections) == found.file_size == 1670007
    assert (found.version, found.width, found.model_size, found.tier) == (3, 16, "width 16", "wdelta")
    assert (found.name, found.language, found.weight_records, found.frames) == ("Micro", "english", 72, 0)
    assert found.x_vector_norm == pytest.approx(224.366, abs=1e-3)


def test_the_models_it_is_for_and_in_milliseconds(pair_file: Path) -> None:
    """The notes name both models; of the weights only heads are read."""
    found = inspect_voice(pair_file)
    assert set(found.model_digests) == {"base", "custom_voice"}
    assert all(len(digest) == 64 for digest in found.model_digests.values())
    assert "for base" in inspection_table(found)
    with open_source(pair_file) as source:
        read = []
        real = source.take

        def watched(count: int, what: str) -> bytearray:
            read.append(count)
            return real(count, what)

        source.take = watched  # type: ignore[method-assign]
        scan(source)
    assert sum(read) < pair_file.stat().st_size / 20


def test_a_file_with_codes(c_files: Path) -> None:
    found = inspect_voice(c_files / "random06b_en_icl_meta_tpad.qvoice")
    assert (found.model_size, found.frames, found.codes_seconds, found.in_context) == ("0.6B", 375, 30.0, True)
    assert found.transcript == "One dollar and eighty seven cents. That was all."
    assert found.tier == "light"


@pytest.mark.parametrize("name", ["random06b_en.bin", "random06b_en_v1.qvoice", "random06b_en_v2.qvoice"])
def test_old_and_light_files(c_files: Path, name: str) -> None:
    found = inspect_voice(c_files / name)
    assert found.version == {"bin": None, "_v1": 1, "_v2": 2}[name.removesuffix(".qvoice")[-3:]]
    assert (found.width, found.tier) == (1024, "light")
    assert sum(part.size for part in found.sections) == found.file_size


def test_it_says_what_loading_says(tmp_path: Path) -> None:
    path = tmp_path / "voice.qvoice"
    save_voice(a_voice(name="n" * 80), path)
    voice, found = load_voice(path), inspect_voice(path)
    for field in ("name", "language", "transcript", "reference_seconds", "from_base", "tier", "in_context", "width"):
        assert getattr(found, field) == getattr(voice, field)
    path.write_bytes(build.full_file() + b"rest")
    assert inspect_voice(path).warnings == load_voice(path).warnings
    assert [part.name for part in inspect_voice(path).sections][-2:] == ["WDLT", "unknown"]


def test_table(micro_file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert command.run(_arguments(str(micro_file))) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == str(micro_file)
    assert "  tier         wdelta (1,670,007 bytes, .qvoice version 3)" in lines
    assert "  WOVR                     388        66,032" in lines


def test_json(c_files: Path, capsys: pytest.CaptureFixture[str]) -> None:
    paths = [str(c_files / "random06b_en.bin"), str(c_files / "random06b_en_meta_tpad.qvoice")]
    assert command.run(_arguments("--json", *paths)) == 0
    light, standard = json.loads(capsys.readouterr().out)
    assert (light["version"], standard["version"], standard["name"]) == (None, 3, "Chenevert")
    assert standard["sections"][-1] == {"name": "TPAD", "offset": 4220, "size": 12296}
    assert command.run(_arguments("--json", paths[0])) == 0
    assert json.loads(capsys.readouterr().out) == inspect_voice(paths[0]).to_json()


def test_one_bad_file_among_good_ones(c_files: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bad = tmp_path / "bad.qvoice"
    bad.write_bytes(b"QVCE\x09\0\0\0")
    assert command.run(_arguments(str(bad), str(c_files / "random06b_en.bin"))) == 1
    out, err = capsys.readouterr()
    assert err.strip().splitlines() == [f"{bad}: it is version 9 of the format; this program reads 1, 2 and 3."]
    assert "1024 values" in out
    with pytest.raises(VoiceError, match="version 9"):
        inspect_voice(bad)


def test_a_foreign_name_sends_no_control_characters(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "voice.qvoice"
    path.write_bytes(build.head() + build.meta(name=b"\x1b[2Jgone\x07"))
    assert command.run(_arguments(str(path))) == 0
    assert "\x1b" not in capsys.readouterr().out


def test_reading_voices_needs_no_torch(micro_file: Path) -> None:
    code = (
        "import sys, engine.voice.files as f, engine.voice.inspect as i, engine.voice.pair; "
        f"f.load_voice({str(micro_file)!r}); i.inspect_voice({str(micro_file)!r}); "
        "sys.exit(int('torch' in sys.modules or 'safetensors' in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, timeout=120, check=False).returncode == 0
