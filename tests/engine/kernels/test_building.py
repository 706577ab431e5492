"""The library is built whole or not at all, and what does not fit it is not used."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import build_kernels
import pytest

from engine import kernels
from tests.conftest import Checkpoints

ASK = "from engine import kernels; print(kernels.instructions())"


def instructions(**environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-c", ASK], env={**os.environ, **environment}, capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def test_it_can_be_switched_off() -> None:
    assert instructions(QVOICE_KERNELS="0") == "none"


def test_without_a_compiler_nothing_is_built(tmp_path: Path, monkeypatch, capsys) -> None:
    monkeypatch.setattr(build_kernels, "compiler", lambda: None)
    assert not build_kernels.build(tmp_path / "k.so")
    assert "No C compiler" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_a_compiler_that_fails_leaves_nothing(tmp_path: Path, monkeypatch, capfd) -> None:
    monkeypatch.setattr(build_kernels, "compiler", lambda: "false")
    assert not build_kernels.build(tmp_path / "k.so")
    assert "could not build" in capfd.readouterr().err
    assert not list(tmp_path.iterdir())


@pytest.mark.skipif(not kernels.available(), reason="no C compiler when the project was installed")
def test_a_library_of_other_sources_is_not_used(monkeypatch) -> None:
    assert kernels._load() is not None
    monkeypatch.setattr(kernels, "stamp", lambda: "another")
    assert kernels._load() is None


@pytest.mark.skipif(build_kernels.compiler() is None, reason="this computer has no C compiler")
def test_it_is_built_where_tests_run() -> None:
    assert kernels.available()


def test_without_it_a_model_speaks(checkpoints: Checkpoints) -> None:
    code = (
        "import engine; from engine import kernels; assert not kernels.available()\n"
        f"model = engine.load_model({str(checkpoints.folder('tiny-custom'))!r}, 'cpu', 'int8')\n"
        "request = engine.SpeechRequest('Hello.', speaker='ryan', seed=1, max_new_tokens=4)\n"
        "assert sum(len(chunk.samples) for chunk in model.speak(request)) > 0\n"
    )
    subprocess.run([sys.executable, "-c", code], env={**os.environ, "QVOICE_KERNELS": "0"}, check=True, timeout=120)
