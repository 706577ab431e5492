"""Which microphones and loudspeakers there are, under names a person recognises."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from typing import Any

from app.sound import portaudio

NO_INPUT = "No microphone was found. Plug one in and refresh, or import a file."
NO_OUTPUT = "No loudspeaker or headphone was found. Plug one in and refresh."

# ALSA lists its plugins beside the devices: converters and mixers, none of which a person means to choose.
_ALSA_PLUGINS = re.compile(
    r"^(null|oss|jack|dmix|dsnoop|lavrate|samplerate|speex|speexrate|upmix|vdownmix|sysdefault|front|rear|"
    r"surround\d+|center_lfe|side|iec958|spdif|hdmi|modem|phoneline|a52|usbstream)\b",
)
_ALSA_NAMES = {"default": "System default", "pulse": "PulseAudio", "pipewire": "PipeWire"}
_ALSA_ADDRESS = re.compile(r"\s*\((?:plug)?hw:\d+,\d+\)$")
# On Windows each device appears once per host; WASAPI has the full names and no resampling in between.
_PREFERRED_HOSTS = {"win32": "Windows WASAPI"}


@dataclass(frozen=True)
class Device:
    """One input or output. `index` is PortAudio's and holds until the next refresh."""

    index: int
    name: str
    host: str
    channels: int
    default_sample_rate: int
    is_default: bool


@dataclass(frozen=True)
class Devices:
    """All devices, the default first; where a list is empty, the reason is one line to show."""

    inputs: tuple[Device, ...] = ()
    outputs: tuple[Device, ...] = ()
    no_input_reason: str = ""
    no_output_reason: str = ""

    @property
    def default_input(self) -> Device | None:
        return self.inputs[0] if self.inputs else None

    @property
    def default_output(self) -> Device | None:
        return self.outputs[0] if self.outputs else None


def find_devices(refresh: bool = False) -> Devices:
    """List the devices. Never raises: an empty list comes with its reason.

    PortAudio looks once, when it starts; `refresh` has it look again, if no stream is open at that moment.
    Takes a tenth of a second and more: call it in a lane.
    """
    try:
        if refresh:
            portaudio.start_anew()
        entries, hosts, defaults = portaudio.query()
    except portaudio.SoundError as error:
        return Devices(no_input_reason=str(error), no_output_reason=str(error))
    except Exception as error:  # noqa: BLE001 - drivers fail in ways of their own; the program goes on without sound
        reason = f"The sound system could not be asked for its devices: {portaudio.one_line(error)}."
        return Devices(no_input_reason=reason, no_output_reason=reason)
    inputs = _select(entries, hosts, "max_input_channels", "default_input_device", defaults[0])
    outputs = _select(entries, hosts, "max_output_channels", "default_output_device", defaults[1])
    return Devices(inputs, outputs, "" if inputs else NO_INPUT, "" if outputs else NO_OUTPUT)


def output_called(name: str) -> Device | None:
    """The output of that name, or None (the default) where it is not connected. Not for the GUI thread."""
    return next((device for device in find_devices().outputs if device.name == name), None)


def _select(
    entries: list[dict[str, Any]], hosts: list[dict[str, Any]], channels: str, host_default: str, default: int
) -> tuple[Device, ...]:
    usable = [entry for entry in entries if entry[channels] > 0 and _is_a_device(entry, hosts)]
    preferred = _PREFERRED_HOSTS.get(sys.platform)
    of_host = [entry for entry in usable if hosts[entry["hostapi"]]["name"] == preferred]
    if of_host:
        usable = of_host
        default = next(host[host_default] for host in hosts if host["name"] == preferred)
    names = [_friendly(entry["name"]) for entry in usable]
    devices = [
        Device(
            index=entry["index"],
            name=name if names.count(name) == 1 else f"{name} ({_told_apart(entry, hosts)})",
            host=hosts[entry["hostapi"]]["name"],
            channels=entry[channels],
            default_sample_rate=round(entry["default_samplerate"]),
            is_default=entry["index"] == default,
        )
        for entry, name in zip(usable, names, strict=True)
    ]
    return tuple(sorted(devices, key=lambda device: not device.is_default))


def _is_a_device(entry: dict[str, Any], hosts: list[dict[str, Any]]) -> bool:
    return hosts[entry["hostapi"]]["name"] != "ALSA" or not _ALSA_PLUGINS.match(entry["name"])


def _friendly(name: str) -> str:
    plain = " ".join(name.split())
    return _ALSA_NAMES.get(plain) or _ALSA_ADDRESS.sub("", plain) or "Unnamed device"


def _told_apart(entry: dict[str, Any], hosts: list[dict[str, Any]]) -> str:
    """What tells two devices of one name apart: ALSA's address, or the host."""
    address = _ALSA_ADDRESS.search(" ".join(entry["name"].split()))
    return address.group().strip(" ()") if address else str(hosts[entry["hostapi"]]["name"])
