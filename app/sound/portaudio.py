"""The one door to PortAudio: loaded when first needed, streams counted, closing limited in time.

PortAudio's own list of streams is not safe against two threads, so opening, closing and starting anew go one
at a time; stopping, the step in which a driver whose device has left may hang, does not.
"""

from __future__ import annotations

import atexit
import logging
import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import engine

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_log = logging.getLogger(__name__)

CLOSE_SECONDS = 2.0
_LOCK_SECONDS = 5.0

_lock = threading.Lock()
_open_streams: set[int] = set()


class SoundError(engine.QVoiceError):
    """A sound device or the sound system that cannot be used; one line that says which and what to do."""


class Stream(Protocol):
    """What is used of a sounddevice stream; tests have another."""

    @property
    def active(self) -> bool: ...
    @property
    def time(self) -> float: ...
    def start(self) -> None: ...
    def stop(self) -> None: ...
    def abort(self) -> None: ...
    def close(self) -> None: ...


@dataclass(frozen=True)
class OpenStream:
    """A stream that is open and not yet started, and what it was opened with."""

    stream: Stream
    device_name: str
    sample_rate: int
    channels: int


@dataclass(frozen=True)
class Attempt:
    """One way to open a device."""

    sample_rate: int
    channels: int


def load() -> Any:
    """The sounddevice module; raises `SoundError` where PortAudio is missing or cannot start."""
    try:
        with _one_at_a_time():
            import sounddevice
    except (OSError, ImportError) as error:
        raise SoundError(
            "No sound: the PortAudio library could not be loaded. On Debian, Ubuntu: apt install libportaudio2."
        ) from error
    except Exception as error:  # sounddevice starts PortAudio on import and raises its own error type
        if type(error).__name__ != "PortAudioError":
            raise
        raise SoundError(f"No sound: PortAudio did not start ({one_line(error)}).") from error
    return sounddevice


def query() -> tuple[list[dict[str, Any]], list[dict[str, Any]], tuple[int, int]]:
    """Devices, hosts and the default pair (input, output) as sounddevice lists them."""
    sounddevice = load()
    with _one_at_a_time():
        default_input, default_output = sounddevice.default.device
        return list(sounddevice.query_devices()), list(sounddevice.query_hostapis()), (default_input, default_output)


def open_stream_count() -> int:
    """Streams that are open now, hung ones too."""
    return len(_open_streams)


def start_anew() -> bool:
    """Have PortAudio look for devices again; False, and nothing done, while a stream is open."""
    sounddevice = load()
    with _one_at_a_time():
        if _open_streams:
            return False
        sounddevice._terminate()
        sounddevice._initialize()
        return True


def open_first(make: Callable[[Attempt], Stream], attempts: list[Attempt], what: str, device_name: str) -> OpenStream:
    """Open the first of `attempts` that the device takes; raises `SoundError` naming the device."""
    sounddevice = load()
    last: Exception | None = None
    for attempt in attempts:
        try:
            with _one_at_a_time():
                stream = make(attempt)
                _open_streams.add(id(stream))
        except (sounddevice.PortAudioError, ValueError) as error:
            _log.info("%s does not take %s: %s", device_name, attempt, one_line(error))
            last = error
            continue
        return OpenStream(stream, device_name, attempt.sample_rate, attempt.channels)
    reason = one_line(last) if last else "it offers no channel"
    raise SoundError(f"Could not open the {what} “{device_name}”: {reason}. Choose another in the list.")


def close_in_time(stream: Stream, finish: bool = False, limit_seconds: float = CLOSE_SECONDS) -> bool:
    """Stop and close `stream` within a limit; `finish` plays what is buffered first. False if the driver hangs.

    The closing runs in a thread that can be abandoned; a QThread that never ends would abort the program.
    """
    thread = threading.Thread(target=_close, args=(stream, finish), name="closing sound", daemon=True)
    thread.start()
    thread.join(limit_seconds)
    if thread.is_alive():
        _log.warning("a sound device does not close; it is left alone from here on")
        _leave_portaudio_alone_at_exit()
        return False
    return True


def one_line(error: object) -> str:
    """An error's text without line breaks."""
    return " ".join(str(error).split())


def _close(stream: Stream, finish: bool) -> None:
    try:
        if finish:
            stream.stop()
        else:
            stream.abort()
        with _lock:
            stream.close()
    except Exception as error:  # noqa: BLE001 - a device that left may raise anything; there is nothing to save
        _log.info("closing a sound stream: %s", one_line(error))
    _open_streams.discard(id(stream))


@contextmanager
def _one_at_a_time() -> Iterator[None]:
    if not _lock.acquire(timeout=_LOCK_SECONDS):
        raise SoundError("The sound system does not answer. Unplug the device that hangs, or restart the studio.")
    try:
        yield
    finally:
        _lock.release()


def _leave_portaudio_alone_at_exit() -> None:
    """sounddevice closes every stream at exit, which would hang on this one for ever."""
    import sys

    sounddevice = sys.modules.get("sounddevice")
    handler = getattr(sounddevice, "_exit_handler", None)
    if handler is not None:
        atexit.unregister(handler)
