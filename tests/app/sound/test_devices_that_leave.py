"""A real sound system that goes away, or freezes, under a recorder and a player in a real program."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from typing import TYPE_CHECKING

import pytest
import soundfile

from tests.tools import servers

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

pytestmark = pytest.mark.sound

PROGRAM = """
    import sys
    from pathlib import Path
    import numpy as np
    from PySide6.QtCore import QCoreApplication
    from app.sound.player import Player
    from app.sound.recorder import Recorder
    application = QCoreApplication([])
    recorder, player = Recorder(), Player()

    def say(*what):
        print(*what, sep="|", flush=True)

    def leave_when_over(_):
        if recorder.state == "closed" and player.state == "stopped":
            application.quit()

    recorder.stopped.connect(lambda take: say("take", take.ended_because.value, take.notice))
    recorder.failed.connect(lambda text: say("recorder failed", text))
    player.failed.connect(lambda text: say("player failed", text))
    recorder.seconds_changed.connect(lambda seconds: say("seconds", seconds))
    recorder.state_changed.connect(leave_when_over)
    player.state_changed.connect(leave_when_over)
    recorder.start(Path(sys.argv[1]))
    player.play(np.full(24000 * 60, 0.1, np.float32))
    application.exec()
    recorder.wait_closed()
    player.wait_closed()
    say("end")
"""


def run_until_sound_leaves(
    folder: Path, path: Path, leave: Callable[[dict[str, str]], None], come_back: Callable[[], None]
) -> list[list[str]]:
    """What the program says, `leave` being called a second into its take and `come_back` after its end."""
    command = [sys.executable, "-c", textwrap.dedent(PROGRAM), str(path)]
    with servers.virtual_sound(folder) as variables:
        environment = os.environ | variables
        try:
            with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
                assert process.stdout is not None
                told: list[list[str]] = []
                left = False
                for line in process.stdout:
                    words = line.strip().split("|")
                    if words[0] != "seconds":
                        told.append(words)
                    elif float(words[1]) > 1.0 and not left:
                        left = True
                        leave(environment)
                assert process.wait(30) == 0
        finally:
            come_back()
    return told


def assert_said_and_kept(told: list[list[str]], path: Path) -> None:
    assert sorted(words[0] for words in told) == ["end", "player failed", "take"]
    said = {words[0]: words[1:] for words in told}
    assert said["player failed"] == ["“System default” stopped taking sound; was it unplugged?"]
    assert said["take"][0] == "device left"
    assert said["take"][1].startswith("“System default” stopped sending sound; was it unplugged? The 1.")
    assert soundfile.info(path).duration > 1.0


def test_sound_system_that_ends(tmp_path: Path) -> None:
    def leave(environment: dict[str, str]) -> None:
        subprocess.run(["pactl", "exit"], env=environment, check=True)

    path = tmp_path / "take.wav"
    assert_said_and_kept(run_until_sound_leaves(tmp_path / "sound", path, leave, lambda: None), path)


def test_sound_system_that_freezes(tmp_path: Path) -> None:
    """Closing the streams hangs for ever in there; the program keeps the take, says so and still ends."""
    frozen: list[int] = []

    def leave(_: dict[str, str]) -> None:
        ours = subprocess.run(["pgrep", "-P", str(os.getpid()), "pulseaudio"], capture_output=True, text=True)
        frozen.append(int(ours.stdout))
        os.kill(frozen[0], signal.SIGSTOP)

    def come_back() -> None:
        for process in frozen:
            os.kill(process, signal.SIGCONT)

    path = tmp_path / "take.wav"
    assert_said_and_kept(run_until_sound_leaves(tmp_path / "sound", path, leave, come_back), path)
