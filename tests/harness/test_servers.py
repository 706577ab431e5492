"""The screen and the sound system of the tests: sound goes in and out through PortAudio unharmed, servers end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile

from tests.monitor import Monitor
from tests.tools import servers

if TYPE_CHECKING:
    from collections.abc import Callable

ROOT = Path(__file__).resolve().parents[2]
RATE = servers.SOUND_RATE
PATIENCE_SECONDS = 30.0


def _burst() -> np.ndarray:
    """Half a second of noise that swells and fades: no two moments look alike."""
    noise = np.random.default_rng(7).standard_normal(RATE // 2) * 0.1
    return (noise * np.hanning(noise.size)).astype(np.float32)


def _likeness(heard: np.ndarray, sent: np.ndarray) -> float:
    """Correlation of `sent` with the place in `heard` where it fits best; 0 until the whole of it can be there."""
    if heard.size <= sent.size:
        return 0.0
    size = 1 << (heard.size + sent.size).bit_length()
    match = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(sent, size)), size)
    start = int(np.argmax(match[: heard.size - sent.size]))
    stretch = heard[start : start + sent.size]
    return float(np.corrcoef(stretch, sent)[0, 1]) if stretch.any() else 0.0


def _soon(condition: Callable[[], bool]) -> bool:
    """Whether `condition` comes true while patience lasts."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.05)
    return True


@pytest.mark.sound
def test_what_portaudio_plays_is_heard_on_the_monitor(tmp_path: Path) -> None:
    import sounddevice

    sent = _burst()
    with Monitor(tmp_path / "heard.f32", RATE) as monitor:
        assert _soon(lambda: monitor.heard.size > 0)
        with sounddevice.OutputStream(samplerate=RATE, channels=1, dtype="float32") as stream:

            def arrives() -> bool:
                """Play it; where the machine was too busy to play it in one piece, it is played again."""
                stream.write(sent[:, None])
                stream.write(np.zeros((RATE // 2, 1), np.float32))
                return _likeness(monitor.heard, sent) > 0.999

            assert _soon(arrives)


@pytest.mark.sound
def test_what_is_fed_to_the_microphone_reaches_portaudios_default_input(tmp_path: Path) -> None:
    import sounddevice

    sent = _burst()
    soundfile.write(tmp_path / "sent.wav", sent, RATE)
    blocks: list[np.ndarray] = []
    began = threading.Event()

    def keep(block: np.ndarray, *_rest: object) -> None:
        blocks.append(block[:, 0].copy())
        began.set()

    with sounddevice.InputStream(samplerate=RATE, channels=1, dtype="float32", callback=keep):
        assert began.wait(PATIENCE_SECONDS)

        def arrives() -> bool:
            subprocess.run(["paplay", "--device=microphone_feed", tmp_path / "sent.wav"], check=True, timeout=60)
            time.sleep(0.3)
            return _likeness(np.concatenate(blocks), sent) > 0.999

        assert _soon(arrives)


@pytest.mark.sound
def test_portaudio_sees_only_the_virtual_devices() -> None:
    import sounddevice

    names = {device["name"] for device in sounddevice.query_devices()}
    assert names == {"default", "speakers", "microphone"}
    assert sounddevice.query_devices(kind="input")["name"] == "default"
    assert sounddevice.query_devices(kind="output")["name"] == "default"


@pytest.mark.screen
def test_a_window_shows_on_the_virtual_screen() -> None:
    code = """
from PySide6.QtWidgets import QApplication, QLabel
from PySide6.QtGui import QColor
from PySide6.QtTest import QTest
application = QApplication([])
label = QLabel(); label.setStyleSheet("background: #ff8000"); label.resize(200, 100); label.show()
assert QTest.qWaitForWindowExposed(label)
QTest.qWait(200)
screen = application.primaryScreen()
seen = screen.grabWindow(0, label.x() + 50, label.y() + 50, 1, 1).toImage().pixelColor(0, 0)
print(application.platformName(), screen.size().width(), screen.size().height(), seen.name())
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout.split() == ["xcb", "1600", "1000", "#ff8000"]


def _alive(number: int) -> bool:
    stat = Path(f"/proc/{number}/stat")
    return stat.exists() and stat.read_text(encoding="utf-8").rpartition(")")[2].split()[0] != "Z"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="the servers are Linux programs")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_both_servers_end_when_the_run_is_stopped(tmp_path: Path, number: signal.Signals) -> None:
    endless = tmp_path / "test_endless.py"
    endless.write_text("import time\ndef test_endless():\n    time.sleep(60)\n", encoding="utf-8")
    command = [sys.executable, "tests/tools/run_tests.py", str(endless), "-c", os.devnull, "-p", "no:cacheprovider"]
    run = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, start_new_session=True)
    try:
        assert run.stdout is not None
        for line in run.stdout:
            if "collected 1 item" in line:
                break
        children = _children(run.pid)
        assert sorted(children.values()) == ["Xvfb", "pulseaudio", "python"]
        run.send_signal(number)
        run.communicate(timeout=20)
    finally:
        run.kill()
        run.wait()
    assert run.returncode in (128 + number, 130)
    assert [name for child, name in children.items() if _alive(child)] == []


def _children(parent: int) -> dict[int, str]:
    numbers = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="utf-8").split()
    return {int(number): Path(f"/proc/{number}/comm").read_text(encoding="utf-8").strip() for number in numbers}


def test_a_server_that_cannot_start_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("Xvfb", "pulseaudio", "pactl"):
        program = tmp_path / name
        program.write_text("#!/bin/sh\nexit 3\n", encoding="utf-8")
        program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(servers.ServerError, match="Xvfb did not start"), servers.virtual_screen():
        pass
    with pytest.raises(servers.ServerError, match="PulseAudio did not start"), servers.virtual_sound(tmp_path / "s"):
        pass
