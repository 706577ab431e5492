"""Parity at the size of the released 0.6B models: 2.5 GB of random weights each, some minutes, 6 GB of memory.

make test-slow        (or: pytest -m slow)
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.checkpoints import write_checkpoint
from tests.engine.parity.conftest import GOLDENS
from tests.real_vocabulary import _rank_file as rank_file

REAL_SIZE = GOLDENS.parent / "goldens-0.6b"


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(("name", "kind", "cases"), [("base", "base", 5), ("custom", "custom_voice", 4)])
def test_every_stage_passes(name: str, kind: str, cases: int, parity, tmp_path: Path):
    folder = tmp_path / name
    try:
        write_checkpoint("0.6b", kind, folder, rank_file())
        ran = parity(folder, REAL_SIZE / name, "--json")
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    assert ran.code == 0, ran.out
    assert ran.json["cases"] == cases
    found = ran.quantities()
    assert found["codes"]["largest_difference"] == found["token ids"]["largest_difference"] == 0
    assert found["codes"]["values"] == found["codes"]["cases"] * 12 * 16
