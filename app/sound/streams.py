"""Opening inputs and outputs: the device's own settings first, then whatever else it takes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from app.sound import portaudio
from app.sound.devices import NO_INPUT, NO_OUTPUT, Device, find_devices
from app.sound.portaudio import Attempt, OpenStream, SoundError

if TYPE_CHECKING:
    from collections.abc import Callable

    Callback = Callable[[Any, int, Any, Any], None]
    """Of sounddevice: buffer [frames, channels], frames, times, status."""

OTHER_RATES = (48_000, 44_100, 32_000, 24_000, 16_000, 8_000)
INPUT_LATENCY_SECONDS = 0.06  # enough for a callback that waits for Python, short enough for a live meter
OUTPUT_LATENCY_SECONDS = 0.1


def open_input(device: Device | None, callback: Callback) -> OpenStream:
    """Open a microphone (None: the default) at its own rate, in stereo where it has it; raises `SoundError`."""
    sounddevice = portaudio.load()
    found = _still_there(device, find_devices().inputs, find_devices().no_input_reason or NO_INPUT)
    channels = [2, 1] if found.channels > 1 else [1, 2]

    def make(attempt: Attempt) -> Any:
        return sounddevice.InputStream(
            device=found.index,
            samplerate=attempt.sample_rate,
            channels=attempt.channels,
            dtype="float32",
            latency=INPUT_LATENCY_SECONDS,
            callback=callback,
        )

    attempts = _attempts([found.default_sample_rate, *OTHER_RATES], channels)
    return portaudio.open_first(make, attempts, "microphone", found.name)


def open_output(device: Device | None, sample_rate: int, channels: int, callback: Callback) -> OpenStream:
    """Open a loudspeaker (None: the default) at `sample_rate` if it takes that, else at its own or another."""
    sounddevice = portaudio.load()
    found = _still_there(device, find_devices().outputs, find_devices().no_output_reason or NO_OUTPUT)

    def make(attempt: Attempt) -> Any:
        return sounddevice.OutputStream(
            device=found.index,
            samplerate=attempt.sample_rate,
            channels=attempt.channels,
            dtype="float32",
            latency=OUTPUT_LATENCY_SECONDS,
            callback=callback,
        )

    attempts = _attempts([sample_rate, found.default_sample_rate, *OTHER_RATES], [channels, 2, 1])
    return portaudio.open_first(make, attempts, "output", found.name)


def _attempts(rates: list[int], channels: list[int]) -> list[Attempt]:
    """Each rate with each count of channels, in order, none twice."""
    return list(dict.fromkeys(Attempt(rate, count) for rate in rates for count in channels))


def _still_there(device: Device | None, present: tuple[Device, ...], none_at_all: str) -> Device:
    """`device` under the index it has now (a refresh deals new ones), or the default."""
    if not present:
        raise SoundError(none_at_all)
    if device is None:
        return present[0]
    for candidate in present:
        if (candidate.name, candidate.host) == (device.name, device.host):
            return candidate
    raise SoundError(f"“{device.name}” is no longer there. Plug it in and refresh, or choose another device.")
