"""Takes on a real disk: whole at every moment, through a kill and a full disk."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import numpy as np
import pytest
import soundfile

from app.sound import take as take_module
from app.sound.portaudio import SoundError
from app.sound.take import Ending, Take
from app.sound.wav_file import GrowingWav
from tests.app.sound.fakes import sine


def read(path: Path) -> tuple[np.ndarray, int]:
    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    return samples, rate


@pytest.mark.parametrize("channels", [1, 2])
def test_file_is_readable_after_every_write_and_exact(tmp_path: Path, channels: int) -> None:
    path = tmp_path / "mit Ümlaut 声.wav"
    frames = np.random.default_rng(0).uniform(-1.5, 1.5, (5000, channels)).astype(np.float32)
    wav = GrowingWav(path, 44_100, channels)
    for at in range(0, 5000, 777):
        wav.write(frames[at : at + 777])
        samples, rate = read(path)
        np.testing.assert_array_equal(samples, frames[: at + 777])
        assert rate == 44_100
    wav.close()
    wav.close()
    assert soundfile.info(path).subtype == "FLOAT"
    np.testing.assert_array_equal(read(path)[0], frames)


def test_every_24_bit_value_survives(tmp_path: Path) -> None:
    values = np.concatenate([[-(2**23), 2**23 - 1], np.random.default_rng(1).integers(-(2**23), 2**23, 4000)])
    wav = GrowingWav(tmp_path / "a.wav", 48_000, 1)
    wav.write((values / 2**23).astype(np.float32).reshape(-1, 1))
    wav.close()
    np.testing.assert_array_equal(np.rint(read(tmp_path / "a.wav")[0][:, 0] * 2**23), values)


def test_take_ends_at_its_limit_to_the_frame(tmp_path: Path) -> None:
    take = Take(tmp_path / "new folder" / "a.wav", 8000, 1, max_seconds=0.5)
    tone = sine(440.0, 1.0, 0.25, 8000).reshape(-1, 1)
    columns = [take.write(tone[:3000])]
    assert take.ending() is None
    columns.append(take.write(tone[3000:6000]))
    assert take.ending() is Ending.TIME_LIMIT
    result = take.finish(Ending.TIME_LIMIT, "Mic", 0)
    assert result.seconds == 0.5
    assert result.peak_dbfs == pytest.approx(-12.04, abs=0.05)
    assert (result.silent, result.clipped) == (False, False)
    assert len(read(result.path)[0]) == 4000
    assert len(np.concatenate(columns)) == 50


@pytest.mark.parametrize(("level", "silent"), [(0.0, True), (1 / 32768, True), (3 / 32768, False)])
def test_digital_silence_is_noticed(tmp_path: Path, level: float, silent: bool) -> None:
    take = Take(tmp_path / "a.wav", 8000, 1, 30.0)
    take.write(np.full((800, 1), level, np.float32))
    assert take.finish(Ending.ASKED, "Mic", 0).silent is silent


def test_no_room_for_a_take_is_said_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = type("Usage", (), {"free": 3_000_000})
    monkeypatch.setattr(take_module.shutil, "disk_usage", lambda _: usage)
    with pytest.raises(SoundError, match=r"Not enough room to record in .*: 12 MB needed, 3 MB free"):
        Take(tmp_path / "a.wav", 48_000, 2, 30.0)
    assert not (tmp_path / "a.wav").exists()


def test_a_folder_that_cannot_be_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(SoundError, match=r"Could not record to .*a\.wav: ") as raised:
        Take(tmp_path / "file" / "a.wav", 48_000, 1, 30.0)
    assert "\n" not in str(raised.value)


def test_another_refusal_of_the_disk_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    take = Take(tmp_path / "a.wav", 8000, 1, 30.0)
    take.write(np.full((800, 1), 0.5, np.float32))

    def refuse(*_: object) -> None:
        raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(GrowingWav, "write", refuse)
    take.write(np.full((800, 1), 0.5, np.float32))
    assert take.ending() is Ending.DISK
    result = take.finish(Ending.DISK, "Mic", 0)
    assert result.notice.startswith("The disk refused to write (Input/output error). The 0.1 s recorded")
    assert len(read(result.path)[0]) == 800


def run(source: str, *arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", textwrap.dedent(source), *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=dict(os.environ))


@pytest.mark.skipif(sys.platform == "win32", reason="RLIMIT_FSIZE is POSIX")
def test_full_disk_ends_the_take_with_a_whole_file(tmp_path: Path) -> None:
    program = """
        import resource, sys
        from pathlib import Path
        import numpy as np
        from app.sound.take import Ending, Take
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_003, resource.RLIM_INFINITY))
        take = Take(Path(sys.argv[1]), 8000, 1, 30.0)
        frames = np.arange(1, 3001, dtype=np.float32).reshape(-1, 1) / 3000
        for count in range(100):
            take.write(frames)
            if take.ending():
                break
        result = take.finish(take.ending(), "Mic", 0)
        print(count, result.ended_because.value, result.seconds)
        print(result.notice)
    """
    path = tmp_path / "a.wav"
    process = run(program, str(path))
    told = process.communicate(timeout=60)[0].splitlines()
    assert process.returncode == 0
    assert told[0] == "8 disk 3.12325"  # 58 bytes of header, then whole frames up to 100,003
    assert told[1].startswith("The disk is full. The 3.1 s recorded until then are kept in a.wav;")
    samples, _ = read(path)
    assert len(samples) == 24_986
    np.testing.assert_array_equal(samples[24_000:, 0], np.arange(1, 987, dtype=np.float32) / 3000)


@pytest.mark.skipif(sys.platform == "win32", reason="SIGKILL is POSIX")
def test_killed_in_mid_recording_leaves_a_readable_file(tmp_path: Path) -> None:
    """The real recorder in a real process, on a stream that sends a ramp; killed without a warning."""
    program = """
        import sys
        from pathlib import Path
        import numpy as np
        from PySide6.QtCore import QCoreApplication, QTimer
        from app.sound.recorder import Recorder
        from tests.app.sound.fakes import FakeMicrophone
        application = QCoreApplication([])
        recorder = Recorder(open_input=FakeMicrophone(np.arange(1, 100_001, dtype=np.float32) / 100_000))
        recorder.start(Path(sys.argv[1]))
        recorder.seconds_changed.connect(lambda seconds: print(seconds, flush=True))
        application.exec()
    """
    path = tmp_path / "a.wav"
    process = run(program, str(path))
    assert process.stdout is not None
    told = 0.0
    deadline = time.monotonic() + 30
    while told < 1.0 and time.monotonic() < deadline:
        told = float(process.stdout.readline())
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL
    samples, rate = read(path)
    assert len(samples) / rate >= told >= 1.0
    steps = np.diff(samples[:, 0] * 100_000)
    np.testing.assert_allclose(steps, 1.0, atol=0.02)
