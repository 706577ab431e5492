"""Every page in both themes at three scales, into out/screens; no words are cut off."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = 12


@pytest.mark.parametrize("scale", ["1", "1.5", "2"])
@pytest.mark.parametrize("theme", ["dark", "light"])
def test_every_page_has_room_for_its_words(theme: str, scale: str) -> None:
    folder = ROOT / "out" / "screens"
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "QT_SCALE_FACTOR": scale, "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-m", "tests.tools.screens", theme, str(folder)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240)
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    percent = round(100 * float(scale))
    pictures = list(folder.glob(f"*_{theme}_{percent}.png"))
    assert len(pictures) == PAGES
    assert all(picture.stat().st_size > 10_000 for picture in pictures)
