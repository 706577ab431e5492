"""The recorder on streams that misbehave on cue."""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import soundfile

from app.sound import portaudio
from app.sound.recorder import Recorder
from app.sound.take import Ending, RecordedTake
from tests.app.sound.fakes import RATE, FakeMicrophone, sine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot


class Listener:
    """Remembers what a recorder said."""

    def __init__(self, recorder: Recorder) -> None:
        self.states: list[str] = []
        self.levels: list[tuple[float, float, bool]] = []
        self.columns: list[np.ndarray] = []
        self.seconds: list[float] = []
        self.takes: list[RecordedTake] = []
        self.failures: list[str] = []
        self.opened: list[tuple[Any, ...]] = []
        recorder.state_changed.connect(self.states.append)
        recorder.level_changed.connect(lambda *level: self.levels.append(level))
        recorder.waveform_grew.connect(self.columns.append)
        recorder.seconds_changed.connect(self.seconds.append)
        recorder.stopped.connect(self.takes.append)
        recorder.failed.connect(self.failures.append)
        recorder.opened.connect(lambda *what: self.opened.append(what))


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Callable[[FakeMicrophone], tuple[Recorder, Listener]]]:
    made: list[Recorder] = []

    def build(microphone: FakeMicrophone) -> tuple[Recorder, Listener]:
        recorder = Recorder(open_input=microphone)
        made.append(recorder)
        return recorder, Listener(recorder)

    yield build
    assert all(recorder.wait_closed() for recorder in made)


def read(path: Path) -> np.ndarray:
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    assert rate == RATE
    return samples


def test_level_lives_before_the_take_and_is_right(qtbot: QtBot, make: Any) -> None:
    recorder, said = make(FakeMicrophone(sine(1000.0, 1.0, 0.1)))
    recorder.open()
    qtbot.waitUntil(lambda: len(said.levels) >= 20)
    assert said.states == ["opening", "listening"]
    assert said.opened == [("Fake microphone", RATE, 1)]
    for peak, rms, clipped in said.levels:
        assert peak == pytest.approx(-20.0, abs=0.1)
        assert rms == pytest.approx(-23.01, abs=0.1)
        assert not clipped
    assert not said.columns
    assert not said.takes


def test_clipping_is_told(qtbot: QtBot, make: Any) -> None:
    recorder, said = make(FakeMicrophone(np.clip(sine(1000.0, 1.0, 3.0), -1, 1)))
    recorder.open()
    qtbot.waitUntil(lambda: len(said.levels) >= 3)
    assert all(clipped for _, _, clipped in said.levels)


@pytest.mark.parametrize("channels", [1, 2])
def test_a_take_is_what_the_microphone_sent(qtbot: QtBot, make: Any, tmp_path: Path, channels: int) -> None:
    signal = np.arange(1, 100_001, dtype=np.float32) / 100_000
    recorder, said = make(FakeMicrophone(signal, channels))
    recorder.start(tmp_path / "a.wav")
    qtbot.waitUntil(lambda: recorder.seconds > 0.6)
    take = recorder.stop()
    assert said.takes == [take]
    assert recorder.state == "listening"
    assert (take.sample_rate, take.channels, take.overruns) == (RATE, channels, 0)
    assert (take.ended_because, take.notice, take.silent) == (Ending.ASKED, "", False)
    samples = read(take.path)
    assert len(samples) / RATE == take.seconds > 0.6
    np.testing.assert_allclose(np.diff(samples[:, 0]) * 100_000, 1.0, atol=0.02)
    np.testing.assert_array_equal(samples[:, 0], samples[:, -1])
    columns = np.concatenate(said.columns)
    assert len(columns) == np.ceil(take.seconds * 100)
    assert columns[0, 0] == samples[0, 0]
    assert columns[-1, 1] == samples[-1, 0]
    assert said.seconds == sorted(said.seconds)
    assert said.seconds[-1] == take.seconds


def test_second_take_after_the_first(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    recorder, said = make(FakeMicrophone(sine(300.0, 1.0)))
    recorder.open()
    takes = []
    for name in ("a.wav", "b.wav"):
        recorder.start(tmp_path / name)
        qtbot.waitUntil(lambda: recorder.seconds > 0.2)
        takes.append(recorder.stop())
    assert said.takes == takes
    assert [take.path.name for take in takes] == ["a.wav", "b.wav"]
    assert all(0.2 < take.seconds < 2 for take in takes)


def test_starting_again_keeps_the_take_before(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    recorder, said = make(FakeMicrophone(sine(300.0, 1.0)))
    recorder.start(tmp_path / "a.wav")
    qtbot.waitUntil(lambda: recorder.seconds > 0.1)
    recorder.start(tmp_path / "b.wav")
    assert recorder.state == "recording"
    qtbot.waitUntil(lambda: recorder.seconds > 0.1)
    recorder.stop()
    assert [take.path.name for take in said.takes] == ["a.wav", "b.wav"]


def test_the_limit_ends_a_take_to_the_frame(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    recorder, said = make(FakeMicrophone(sine(300.0, 1.0)))
    recorder.start(tmp_path / "a.wav", max_seconds=0.5)
    qtbot.waitUntil(lambda: bool(said.takes))
    (take,) = said.takes
    assert (take.ended_because, take.seconds) == (Ending.TIME_LIMIT, 0.5)
    assert len(read(take.path)) == RATE // 2
    assert recorder.state == "listening"
    assert recorder.seconds_left == 0.0
    assert recorder.stop() is None


def test_cancel_leaves_no_file_and_listens_on(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    recorder, said = make(FakeMicrophone(sine(300.0, 1.0)))
    recorder.start(tmp_path / "a.wav")
    qtbot.waitUntil(lambda: recorder.seconds > 0.1)
    recorder.cancel()
    assert recorder.state == "listening"
    before = len(said.levels)
    qtbot.waitUntil(lambda: len(said.levels) > before + 3)
    assert not said.takes
    assert list(tmp_path.iterdir()) == []


def test_a_microphone_that_leaves_keeps_the_take_and_is_named(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    microphone = FakeMicrophone(sine(300.0, 1.0))
    recorder, said = make(microphone)
    recorder.start(tmp_path / "a.wav")
    qtbot.waitUntil(lambda: recorder.seconds > 0.3)
    microphone.stream.dead.set()
    qtbot.waitUntil(lambda: recorder.state == "closed", timeout=5000)
    (take,) = said.takes
    assert take.ended_because is Ending.DEVICE_LEFT
    assert take.notice.startswith("“Fake microphone” stopped sending sound; was it unplugged? The 0.")
    assert len(read(take.path)) / RATE == take.seconds > 0.3
    assert not said.failures  # said once, with the take
    assert microphone.stream.closed


def test_a_microphone_that_leaves_while_listening_is_named(qtbot: QtBot, make: Any) -> None:
    microphone = FakeMicrophone()
    recorder, said = make(microphone)
    recorder.open()
    qtbot.waitUntil(lambda: recorder.state == "listening")
    microphone.stream.active = False  # PortAudio knows
    qtbot.waitUntil(lambda: recorder.state == "closed")
    assert said.failures == ["“Fake microphone” stopped sending sound; was it unplugged? Choose another."]


def test_a_stream_that_does_not_close_holds_nobody_up(
    qtbot: QtBot, make: Any, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, tmp_path: Path
) -> None:
    monkeypatch.setattr(portaudio, "_leave_portaudio_alone_at_exit", lambda: None)
    hung, sound = FakeMicrophone(), FakeMicrophone(sine(300.0, 1.0))
    recorder, said = make(hung)
    recorder.start(tmp_path / "a.wav")
    qtbot.waitUntil(lambda: recorder.seconds > 0.1)
    hung.stream.hang.set()
    with caplog.at_level(logging.WARNING), qtbot.waitSignal(recorder.stopped):
        recorder.close()
        assert recorder.state == "closed"
    recorder._open_input = sound
    recorder.open()
    qtbot.waitUntil(lambda: recorder.state == "listening", timeout=8000)
    assert "does not close" in caplog.text
    assert len(said.takes) == 1
    hung.stream.let_go.set()


def test_a_device_that_does_not_open_is_one_line(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    microphone = FakeMicrophone()
    microphone.refuse = "Could not open the microphone “X”: busy."
    recorder, said = make(microphone)
    recorder.start(tmp_path / "a.wav")
    qtbot.waitUntil(lambda: recorder.state == "closed")
    assert said.failures == ["Could not open the microphone “X”: busy."]
    assert recorder.stop() is None
    assert list(tmp_path.iterdir()) == []
    microphone.refuse = ""
    recorder.open()
    qtbot.waitUntil(lambda: recorder.state == "listening")


def test_stop_does_not_wait_for_a_device_that_is_not_open_yet(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    microphone = FakeMicrophone()
    microphone.slow_open.set()
    recorder, said = make(microphone)
    recorder.start(tmp_path / "a.wav")
    assert recorder.stop() is None
    assert recorder.state == "opening"
    microphone.go.set()
    qtbot.waitUntil(lambda: recorder.state == "listening")
    assert recorder.wait_closed()
    assert not said.takes
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_made_is_one_line_and_listening_goes_on(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    recorder, said = make(FakeMicrophone())
    recorder.start(tmp_path / "file" / "a.wav")
    qtbot.waitUntil(lambda: bool(said.failures))
    assert recorder.state == "listening"
    assert said.failures[0].startswith("Could not record to ")


def test_sound_that_was_lost_on_the_way_is_counted(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    microphone = FakeMicrophone(sine(300.0, 1.0))
    recorder, said = make(microphone)
    microphone.overflow_next = True
    recorder.open()
    qtbot.waitUntil(lambda: len(said.levels) > 3)
    recorder.start(tmp_path / "a.wav")
    for _ in range(2):
        qtbot.wait(60)
        microphone.overflow_next = True
    qtbot.waitUntil(lambda: not microphone.overflow_next)
    qtbot.wait(30)
    assert recorder.stop().overruns == 2  # not the one before the take


def test_closing_keeps_the_take(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    recorder, said = make(FakeMicrophone(sine(300.0, 1.0)))
    recorder.start(tmp_path / "a.wav")
    qtbot.waitUntil(lambda: recorder.seconds > 0.1)
    assert recorder.wait_closed()
    (take,) = said.takes
    assert len(read(take.path)) / RATE == take.seconds > 0.1
    assert said.states[-1] == "closed"


def test_changing_the_microphone_keeps_the_take(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    recorder, said = make(FakeMicrophone(sine(300.0, 1.0)))
    recorder.start(tmp_path / "a.wav")
    qtbot.waitUntil(lambda: recorder.seconds > 0.1)
    recorder.open()
    qtbot.waitUntil(lambda: bool(said.takes) and recorder.state == "listening")


def test_a_recorder_that_is_dropped_closes_its_device(qtbot: QtBot, tmp_path: Path) -> None:
    microphone = FakeMicrophone(sine(300.0, 1.0))
    recorder = Recorder(open_input=microphone)
    recorder.start(tmp_path / "a.wav")
    with qtbot.waitSignal(recorder.seconds_changed, check_params_cb=lambda seconds: seconds > 0.1):
        pass
    del recorder
    qtbot.waitUntil(lambda: microphone.stream.closed)
    assert len(read(tmp_path / "a.wav")) > RATE * 0.1


def test_open_and_leave_twenty_times(qtbot: QtBot, make: Any, tmp_path: Path) -> None:
    recorder, _ = make(FakeMicrophone(sine(300.0, 1.0)))
    for turn in range(20):
        recorder.open()
        if turn % 2:
            recorder.start(tmp_path / f"{turn}.wav")
        qtbot.wait(turn * 3)
        recorder.close()
    assert recorder.wait_closed()
    assert recorder.state == "closed"
