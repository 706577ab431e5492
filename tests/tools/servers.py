"""A screen and a sound system of the tests' own: Xvfb and PulseAudio as context managers.

    with virtual_screen() as screen, virtual_sound(folder) as sound:
        subprocess.run([...], env=os.environ | screen | sound)

Both yield the environment variables that lead a program to them. Linux only; the sound system has

    sink   `speakers`         what the program plays; its monitor `speakers.monitor` hears it
    sink   `microphone_feed`  what a test plays into the microphone
    source `microphone`       the default input: the feed's monitor under a name of its own

and PortAudio finds it through ALSA's pulse plugin: an ALSA configuration is written that knows nothing else,
so that tests never touch a real sound card.
"""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

SCREEN_SIZE = "1600x1000x24"
START_SECONDS = 20.0
STOP_SECONDS = 5.0
SOUND_RATE = 48_000

# norewinds: without it a null sink renders two seconds of silence ahead, so that a monitor opened before
# anything plays loses the beginning; with it the sink goes in small steps like a sound card.
PULSE_MODULES = (
    f"module-null-sink sink_name=speakers rate={SOUND_RATE} format=float32le channels=2 norewinds=1",
    f"module-null-sink sink_name=microphone_feed rate={SOUND_RATE} format=float32le channels=2 norewinds=1",
    "module-remap-source master=microphone_feed.monitor source_name=microphone",
)

ALSA_CONFIGURATION = """\
pcm.!default { type pulse hint { show on description "Default (virtual sound system)" } }
ctl.!default { type pulse }
pcm.speakers { type pulse device speakers hint { show on description "speakers" } }
pcm.microphone { type pulse device microphone hint { show on description "microphone" } }
"""


class ServerError(Exception):
    """A server that the tests need did not start; the text says which and what it printed."""


@contextlib.contextmanager
def virtual_screen(size: str = SCREEN_SIZE) -> Iterator[dict[str, str]]:
    """An X server on a display number that is free; yields the variables that lead to it."""
    reading, writing = os.pipe()
    command = ["Xvfb", "-displayfd", str(writing), "-screen", "0", size, "-nolisten", "tcp", "-noreset"]
    try:
        with _server(command, pass_fds=(writing,)) as process:
            os.close(writing)
            writing = -1
            number = _read_line(reading, process)
            yield {"DISPLAY": f":{number}", "QT_QPA_PLATFORM": "xcb"}
    finally:
        for descriptor in (reading, writing):
            if descriptor >= 0:
                os.close(descriptor)


@contextlib.contextmanager
def virtual_sound(folder: Path) -> Iterator[dict[str, str]]:
    """A PulseAudio server with its socket and settings in `folder` (made private); yields the variables."""
    folder.mkdir(parents=True, exist_ok=True)
    folder.chmod(0o700)
    address = folder / "native"
    alsa = folder / "asound.conf"
    alsa.write_text(ALSA_CONFIGURATION, encoding="utf-8")
    variables = {
        "XDG_RUNTIME_DIR": str(folder),
        "PULSE_RUNTIME_PATH": str(folder),
        "PULSE_SERVER": f"unix:{address}",
        "PULSE_COOKIE": str(folder / "cookie"),
        "ALSA_CONFIG_PATH": str(alsa),
    }
    environment = {**os.environ, **variables, "HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    for name in ("DBUS_SESSION_BUS_ADDRESS", "DBUS_SYSTEM_BUS_ADDRESS", "PULSE_SERVER", "DISPLAY"):
        environment.pop(name, None)
    with _server(_pulse_command(address), environment) as process:
        _wait_for_sound(process, variables)
        yield variables


def _pulse_command(address: Path) -> list[str]:
    modules = [*PULSE_MODULES, f"module-native-protocol-unix auth-anonymous=1 socket={address}"]
    settings = ["--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--disable-shm=yes"]
    settings += ["--resample-method=speex-float-10"]  # of linear phase and flat, so that sounds can be compared
    settings += ["--realtime=no", "--high-priority=no", "--log-target=stderr", "--log-level=error"]
    return ["pulseaudio", "-n", *settings, *(part for module in modules for part in ("-L", module))]


def _wait_for_sound(process: subprocess.Popen[bytes], variables: dict[str, str]) -> None:
    environment = {**os.environ, **variables}
    deadline = time.monotonic() + START_SECONDS
    for command in (["set-default-sink", "speakers"], ["set-default-source", "microphone"]):
        while subprocess.run(["pactl", *command], env=environment, capture_output=True, check=False).returncode:
            if process.poll() is not None or time.monotonic() > deadline:
                raise ServerError("PulseAudio did not start; its own words, if any, are above")
            time.sleep(0.05)


def _read_line(descriptor: int, process: subprocess.Popen[bytes]) -> str:
    """The line that Xvfb writes once it takes connections."""
    line = b""
    while not line.endswith(b"\n"):
        piece = os.read(descriptor, 64)
        if not piece:
            raise ServerError(f"Xvfb did not start (exit code {process.poll()}); its own words are above")
        line += piece
    return line.decode().strip()


@contextlib.contextmanager
def _server(
    command: Sequence[str], environment: dict[str, str] | None = None, pass_fds: tuple[int, ...] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    """Run `command` for the length of the block, in a session of its own so that Ctrl-C leaves it to us."""
    process = subprocess.Popen(
        command, env=environment, pass_fds=pass_fds, stdin=subprocess.DEVNULL, start_new_session=True
    )
    try:
        yield process
    finally:
        stop(process)


def stop(process: subprocess.Popen[bytes]) -> None:
    """End `process`: politely, then after `STOP_SECONDS` by force."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def answers(address: str) -> bool:
    """Whether something takes connections at `address`, as PULSE_SERVER spells it (unix:PATH)."""
    with contextlib.closing(socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)) as connection:
        try:
            connection.connect(address.removeprefix("unix:"))
        except OSError:
            return False
    return True
