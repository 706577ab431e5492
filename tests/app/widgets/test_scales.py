"""Sharp and free of trails at the scales that screens have. Qt reads the scale once, so each has a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


@pytest.mark.parametrize("scale", ["1.25", "1.5", "2"])
def test_cursor_and_repaints_at_another_scale(scale) -> None:
    tests = "tests/app/widgets/test_waveform.py"
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", tests, "-k", "cursor or once_drawn"]
    environment = {**os.environ, "QT_SCALE_FACTOR": scale, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "6 passed" in done.stdout, done.stdout


def test_the_gallery_is_drawn_at_a_fractional_scale(tmp_path) -> None:
    command = [sys.executable, "-m", "tests.tools.gallery", "--out", str(tmp_path), "--scale", "1.5"]
    command += ["--page", "controls", "--page", "cards", "--page", "messages"]
    environment = {**os.environ, "QT_SCALE_FACTOR": "1.5", "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    sizes = [file.stat().st_size for file in tmp_path.glob("*.png")]
    assert len(sizes) == 6
    assert min(sizes) > 20_000, "a blank page packs to almost nothing"


def test_theme_and_widgets_bring_nothing_heavy() -> None:
    """They are imported before the window shows: no torch, no pyqtgraph, no sound library."""
    program = (
        "import sys\n"
        "import app.theme, app.icons\n"
        "import app.widgets.waveform, app.widgets.mel_view, app.widgets.level_meter, app.widgets.transport\n"
        "import app.widgets.nav_rail, app.widgets.status_line, app.widgets.toast, app.widgets.message_bar\n"
        "import app.widgets.choice_card, app.widgets.step_header, app.widgets.empty_state, app.widgets.drop_area\n"
        "import app.widgets.voice_glyph\n"
        "bad = {'torch', 'pyqtgraph', 'sounddevice', 'soundfile', 'safetensors', 'engine'} & set(sys.modules)\n"
        "sys.exit(f'imported: {sorted(bad)}' if bad else 0)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
