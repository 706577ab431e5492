"""The fuzz target itself: on valid files it reads them whole, and a few seconds of fuzzing break nothing."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from engine.voice import delta
from tests.fuzz.reader import read_anything, seeds


@pytest.mark.parametrize("number", range(len(seeds())))
def test_every_seed_and_every_cut_of_it_is_read_or_refused(number: int) -> None:
    seed = seeds()[number]
    read_anything(seed)
    random = np.random.default_rng(number)
    for _ in range(40):
        read_anything(seed[: random.integers(len(seed))])
        flipped = bytearray(seed)
        flipped[random.integers(len(seed))] ^= 1 << random.integers(8)
        read_anything(bytes(flipped))


def test_the_seeds_reach_the_weights(monkeypatch: pytest.MonkeyPatch) -> None:
    rebuilt = []
    real = delta.rebuild_each

    def watched(*given: Any) -> list[Any]:
        rebuilt.append(list(real(*given)))
        return rebuilt[-1]

    monkeypatch.setattr(delta, "rebuild_each", watched)
    for seed in seeds():
        read_anything(seed)
    assert len(rebuilt) == 5


def test_a_few_seconds_of_fuzzing(tmp_path: Path) -> None:
    pytest.importorskip("atheris", reason="atheris is not installed; it has no build for this Python or system")
    import resource  # atheris has builds for Linux only

    # A child's highest memory begins with that of whoever started it, and that is what libFuzzer looks at.
    limit = 1024 + resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    command = [sys.executable, "-m", "tests.fuzz.reader", str(tmp_path / "corpus"), "-max_total_time=4"]
    done = subprocess.run(
        [*command, f"-rss_limit_mb={limit}", "-max_len=4096", f"-artifact_prefix={tmp_path}/"],
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-3000:]
    runs = re.search(r"Done (\d+) runs", done.stderr)
    assert runs is not None, done.stderr[-3000:]
    assert int(runs[1]) > len(seeds())
