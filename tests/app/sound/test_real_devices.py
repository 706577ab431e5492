"""Recorder, player and device lists through real PortAudio on the tests' own sound system."""

from __future__ import annotations

import itertools
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import soundfile
import soxr

from app.sound import portaudio
from app.sound.devices import find_devices
from app.sound.player import Player
from app.sound.recorder import Recorder
from app.sound.source import SoundSource
from app.work import StallMeter
from tests.app.sound.fakes import align, sine, speech_like
from tests.monitor import MONITOR_RATE, Monitor

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pytestqt.qtbot import QtBot

    from app.sound.take import RecordedTake

pytestmark = pytest.mark.sound


@pytest.fixture
def player(qtbot: QtBot) -> Iterator[Player]:
    player = Player()
    yield player
    assert player.wait_closed()
    assert portaudio.open_stream_count() == 0


@pytest.fixture
def recorder(qtbot: QtBot) -> Iterator[Recorder]:
    recorder = Recorder()
    yield recorder
    assert recorder.wait_closed()
    assert portaudio.open_stream_count() == 0


class Feed:
    """Plays a sound into the microphone, as often as it takes, until the block ends."""

    def __init__(self, folder: Path, sound: np.ndarray, rate: int) -> None:
        self._path = folder / "feed.wav"
        soundfile.write(self._path, sound, rate, subtype="FLOAT")

    def __enter__(self) -> None:
        self._process = subprocess.Popen(["paplay", "--device=microphone_feed", str(self._path)])

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()


def test_devices_are_listed_with_the_default_first(qtbot: QtBot) -> None:
    found = find_devices()
    for devices in (found.inputs, found.outputs):
        assert devices[0].is_default
        assert devices[0].host == "ALSA"
        assert devices[0].channels >= 1
        assert devices[0].default_sample_rate >= 8000
    assert found.no_input_reason == found.no_output_reason == ""
    names = [device.name for device in found.inputs]
    assert len(set(names)) == len(names)


def test_refresh_looks_again_only_while_nothing_is_open(qtbot: QtBot, recorder: Recorder) -> None:
    before = find_devices(refresh=True)
    assert portaudio.start_anew()
    recorder.open()
    qtbot.waitUntil(lambda: recorder.state == "listening")
    assert not portaudio.start_anew()
    assert find_devices(refresh=True) == before
    heard: list[float] = []
    recorder.level_changed.connect(lambda peak, rms, clipped: heard.append(peak))
    qtbot.waitUntil(lambda: len(heard) > 3)  # the stream lives on


def test_what_is_played_is_what_was_given(qtbot: QtBot, player: Player, monitor: Monitor) -> None:
    known = speech_like(2.0, 24_000)
    with qtbot.waitSignal(player.finished, timeout=10_000):
        player.play(known)
    qtbot.wait(400)
    at, correlation = align(monitor.heard, soxr.resample(known, 24_000, MONITOR_RATE))
    assert correlation > 0.98
    piece = monitor.heard[at : at + 2 * MONITOR_RATE]
    assert np.abs(piece).max() == pytest.approx(0.5, rel=0.05)  # no gain
    assert len(piece) == 2 * MONITOR_RATE  # to the last sample
    tail = monitor.heard[at + int(1.9 * MONITOR_RATE) :][: int(0.1 * MONITOR_RATE)]
    known_tail = soxr.resample(known, 24_000, MONITOR_RATE)[-int(0.1 * MONITOR_RATE) :]
    assert np.corrcoef(tail, known_tail)[0, 1] > 0.98


def test_a_growing_source_is_played_whole_around_its_pauses(qtbot: QtBot, player: Player, monitor: Monitor) -> None:
    known = speech_like(2.4, 24_000, seed=2)
    source = SoundSource()
    states: list[str] = []
    player.state_changed.connect(states.append)
    player.play(source)
    for piece in np.array_split(known, 3):
        source.append(piece)
        qtbot.waitUntil(lambda: player.state == "playing")
        qtbot.waitUntil(lambda: player.state == "buffering")
        qtbot.wait(150)
    with qtbot.waitSignal(player.finished, timeout=10_000):
        source.finish()
    qtbot.wait(400)
    places = []
    for piece in np.array_split(known, 3):
        at, correlation = align(monitor.heard, soxr.resample(piece, 24_000, MONITOR_RATE))
        assert correlation > 0.98
        places.append(at / MONITOR_RATE)
    assert all(later - earlier > 0.8 + 0.1 for earlier, later in itertools.pairwise(places))
    assert states.count("buffering") >= 3


def test_the_cursor_is_where_the_sound_is(qtbot: QtBot, player: Player, monitor: Monitor) -> None:
    """A click at a known place: when it is heard, the position names that place, give or take a sound card."""
    known = np.zeros(48_000, np.float32)
    known[24_000:24_100] = 0.9
    heard_at: list[float] = []
    positions: list[tuple[float, float]] = []

    def note(position: float) -> None:
        positions.append((time.perf_counter(), position))
        if not heard_at and np.abs(monitor.heard).max(initial=0.0) > 0.5:
            heard_at.append(time.perf_counter())

    player.position_changed.connect(note)
    with qtbot.waitSignal(player.finished, timeout=10_000):
        player.play(known)
    (when,) = heard_at
    position = min(positions, key=lambda pair: abs(pair[0] - when))[1]
    assert position == pytest.approx(1.0, abs=0.2)


def test_stop_and_play_at_once_twenty_times(qtbot: QtBot, player: Player) -> None:
    known = sine(440.0, 3.0, rate=24_000)
    began = time.monotonic()
    for turn in range(20):
        player.play(known)
        qtbot.wait(turn % 5 * 15)
        player.stop()
    assert player.wait_closed(10.0)
    assert time.monotonic() - began < 30


def record(qtbot: QtBot, recorder: Recorder, path: Path, seconds: float) -> RecordedTake:
    recorder.open()
    qtbot.waitUntil(lambda: recorder.state == "listening", timeout=10_000)
    recorder.start(path)
    qtbot.waitUntil(lambda: recorder.seconds >= seconds, timeout=15_000)
    take = recorder.stop()
    assert take is not None
    return take


def test_what_is_recorded_is_what_was_said(qtbot: QtBot, recorder: Recorder, tmp_path: Path) -> None:
    known = speech_like(2.0, MONITOR_RATE, seed=3)
    columns: list[Any] = []
    recorder.waveform_grew.connect(columns.append)
    with Feed(tmp_path, np.concatenate([np.zeros(MONITOR_RATE // 2, np.float32), known]), MONITOR_RATE):
        take = record(qtbot, recorder, tmp_path / "take.wav", 4.0)
    device = find_devices().default_input
    assert device is not None
    assert take.sample_rate == device.default_sample_rate
    assert take.overruns == 0
    assert not take.silent
    samples, rate = soundfile.read(take.path, dtype="float32", always_2d=True)
    assert (rate, samples.shape[1]) == (take.sample_rate, take.channels)
    assert len(samples) / rate == take.seconds
    at, correlation = align(samples[:, 0], soxr.resample(known, MONITOR_RATE, rate))
    assert correlation > 0.98
    assert np.abs(samples[at : at + 2 * rate, 0]).max() == pytest.approx(0.5, rel=0.05)  # no gain control
    envelope = np.concatenate(columns)
    assert len(envelope) == np.ceil(take.seconds * 100)
    assert envelope[:, 1].max() == samples.max()


def test_the_meter_is_right_on_a_sine(qtbot: QtBot, recorder: Recorder, tmp_path: Path) -> None:
    levels: list[tuple[float, float]] = []
    recorder.level_changed.connect(lambda peak, rms, clipped: levels.append((peak, rms)))
    with Feed(tmp_path, sine(1000.0, 8.0, 10 ** (-12 / 20), MONITOR_RATE), MONITOR_RATE):
        recorder.open()
        qtbot.waitUntil(lambda: bool(levels) and levels[-1][0] > -13, timeout=10_000)
        qtbot.wait(300)
        levels.clear()
        qtbot.wait(2000)
        steady = levels.copy()
    assert 20 <= len(steady) <= 80  # about 25 a second; a busy machine bunches them
    for peak, rms in steady:
        assert peak == pytest.approx(-12.0, abs=0.5)
        assert rms == pytest.approx(-15.01, abs=0.5)


def test_a_program_killed_in_mid_recording_leaves_what_was_said(tmp_path: Path) -> None:
    program = """
        import sys
        from pathlib import Path
        from PySide6.QtCore import QCoreApplication
        from app.sound.recorder import Recorder
        application = QCoreApplication([])
        recorder = Recorder()
        recorder.seconds_changed.connect(lambda seconds: print(seconds, flush=True))
        recorder.start(Path(sys.argv[1]))
        application.exec()
    """
    known, path = speech_like(10.0, MONITOR_RATE, seed=4), tmp_path / "take.wav"
    command = [sys.executable, "-c", textwrap.dedent(program), str(path)]
    with Feed(tmp_path, known, MONITOR_RATE), subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        told = 0.0
        while told < 3.0:
            told = float(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        assert process.wait() == -signal.SIGKILL
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    assert len(samples) / rate >= told
    last_second = soxr.resample(samples[-rate:, 0], rate, MONITOR_RATE)
    assert align(known, last_second)[1] > 0.98


def test_a_muted_microphone_is_noticed(qtbot: QtBot, recorder: Recorder, tmp_path: Path) -> None:
    assert record(qtbot, recorder, tmp_path / "take.wav", 0.5).silent


def test_open_and_close_at_once_twenty_times(qtbot: QtBot, recorder: Recorder, tmp_path: Path) -> None:
    began = time.monotonic()
    for turn in range(20):
        recorder.open()
        if turn % 2:
            recorder.start(tmp_path / f"{turn}.wav")
        qtbot.wait(turn % 5 * 20)
        recorder.close()
    assert recorder.wait_closed(10.0)
    assert time.monotonic() - began < 30


def test_the_window_stays_alive_throughout(qtbot: QtBot, recorder: Recorder, player: Player, tmp_path: Path) -> None:
    meter = StallMeter()
    meter.start()
    recorder.start(tmp_path / "take.wav")
    qtbot.waitUntil(lambda: recorder.seconds > 0.5, timeout=10_000)
    recorder.stop()
    player.play(sine(440.0, 0.5, rate=24_000))
    qtbot.waitSignal(player.finished, timeout=10_000).wait()
    recorder.close()
    qtbot.wait(100)
    longest_ms = meter.stop()
    print(f"longest stall around recording and playing: {longest_ms:.1f} ms, {meter.stalls}")
    assert longest_ms < 100  # the machine is shared; a device that is waited for would cost several hundred
