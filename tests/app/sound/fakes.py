"""Streams that misbehave on cue, driven by the real callbacks, and signals to send through them."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from app.sound.portaudio import OpenStream, SoundError

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

RATE = 16_000
BLOCK = 320  # 20 ms


class FakeStream:
    """Calls `callback` every 20 ms from a thread of its own until it is stopped or told to misbehave."""

    def __init__(self, tick: Callable[[], None]) -> None:
        self._tick = tick
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fake stream", daemon=True)
        self.dead = threading.Event()  # the device has left: no more callbacks, though the stream looks alive
        self.hang = threading.Event()  # set: stopping blocks until `let_go`
        self.let_go = threading.Event()
        self.active = False
        self.closed = False
        self.finished_first = False

    @property
    def time(self) -> float:
        return time.perf_counter()

    def start(self) -> None:
        self.active = True
        self._thread.start()

    def stop(self) -> None:
        self.finished_first = True
        self.abort()

    def abort(self) -> None:
        if self.hang.is_set():
            self.let_go.wait(20)
        self._end.set()
        if self._thread.is_alive():
            self._thread.join()
        self.active = False

    def close(self) -> None:
        self.closed = True

    def _run(self) -> None:
        due = time.perf_counter()
        while not self._end.wait(max(0.0, due - time.perf_counter())):
            due += BLOCK / RATE
            if not self.dead.is_set():
                self._tick()


class FakeMicrophone:
    """An opener for `Recorder`: endless sound from `signal` (repeated), stereo or mono."""

    def __init__(self, signal: NDArray[np.float32] | None = None, channels: int = 1) -> None:
        self.signal = np.zeros(RATE, np.float32) if signal is None else signal
        self.channels = channels
        self.streams: list[FakeStream] = []
        self.refuse = ""
        self.slow_open = threading.Event()  # set: opening waits for `go`
        self.go = threading.Event()
        self.overflow_next = False
        self._at = 0

    @property
    def stream(self) -> FakeStream:
        return self.streams[-1]

    def __call__(self, device: Any, callback: Callable[[Any, int, Any, Any], None]) -> OpenStream:
        if self.slow_open.is_set():
            self.go.wait(10)
        if self.refuse:
            raise SoundError(self.refuse)
        stream = FakeStream(lambda: self._send(callback))
        self.streams.append(stream)
        return OpenStream(stream, "Fake microphone", RATE, self.channels)

    def _send(self, callback: Callable[[Any, int, Any, Any], None]) -> None:
        places = np.arange(self._at, self._at + BLOCK) % len(self.signal)
        self._at += BLOCK
        status, self.overflow_next = self.overflow_next, False
        callback(np.repeat(self.signal[places, None], self.channels, axis=1), BLOCK, None, status)


class FakeSpeaker:
    """An opener for `Player`: remembers every frame it was given, and names a latency."""

    def __init__(self, sample_rate: int = RATE, channels: int = 1, latency_seconds: float = 0.0) -> None:
        self.sample_rate = sample_rate
        self.channels = channels
        self.latency_seconds = latency_seconds
        self.streams: list[FakeStream] = []
        self.asked: list[tuple[int, int]] = []
        self.refuse = ""
        self._blocks: list[NDArray[np.float32]] = []

    @property
    def stream(self) -> FakeStream:
        return self.streams[-1]

    @property
    def heard(self) -> NDArray[np.float32]:
        """All frames so far, [n, channels]."""
        return np.concatenate([np.zeros((0, self.channels), np.float32), *self._blocks])

    def __call__(
        self, device: Any, sample_rate: int, channels: int, callback: Callable[[Any, int, Any, Any], None]
    ) -> OpenStream:
        self.asked.append((sample_rate, channels))
        if self.refuse:
            raise SoundError(self.refuse)
        stream = FakeStream(lambda: self._take(callback))
        self.streams.append(stream)
        return OpenStream(stream, "Fake speaker", self.sample_rate, self.channels)

    def _take(self, callback: Callable[[Any, int, Any, Any], None]) -> None:
        count = round(BLOCK * self.sample_rate / RATE)
        buffer = np.full((count, self.channels), 9.0, np.float32)  # what a careless callback would leave
        times = SimpleNamespace(outputBufferDacTime=self.latency_seconds, currentTime=0.0)
        callback(buffer, count, times, None)
        self._blocks.append(buffer)


def sine(hertz: float, seconds: float, amplitude: float = 0.5, rate: int = RATE) -> NDArray[np.float32]:
    return (amplitude * np.sin(2 * np.pi * hertz * np.arange(round(seconds * rate)) / rate)).astype(np.float32)


def speech_like(seconds: float, rate: int, seed: int = 1) -> NDArray[np.float32]:
    """Noise between 150 and 3000 Hz that swells like syllables: it has one place only where it fits itself."""
    generator = np.random.default_rng(seed)
    count = round(seconds * rate)
    spectrum = np.fft.rfft(generator.standard_normal(count))
    hertz = np.fft.rfftfreq(count, 1 / rate)
    spectrum[(hertz < 150) | (hertz > 3000)] = 0
    noise = np.fft.irfft(spectrum, count)
    swell = 0.6 + 0.4 * np.sin(2 * np.pi * 3.1 * np.arange(count) / rate)
    sound = noise * swell
    return (0.5 * sound / np.abs(sound).max()).astype(np.float32)


def align(heard: NDArray[np.float32], known: NDArray[np.float32]) -> tuple[int, float]:
    """Where `known` sits in the longer `heard`, and their correlation there."""
    size = 1 << int(np.ceil(np.log2(len(heard) + len(known))))
    product = np.fft.irfft(np.fft.rfft(heard, size) * np.conj(np.fft.rfft(known, size)), size)
    places = product[: max(1, len(heard) - len(known) + 1)]
    at = int(np.argmax(places))
    piece = heard[at : at + len(known)]
    return at, float(np.corrcoef(piece, known[: len(piece)])[0, 1])
