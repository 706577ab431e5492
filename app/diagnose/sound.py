"""The sound devices in one line. `python -m app.diagnose.sound` prints it."""

from __future__ import annotations

from app.sound.devices import Devices, find_devices


def sound_words(devices: Devices) -> str:
    """Microphones and loudspeakers by name, or why there are none."""
    inputs = ", ".join(device.name for device in devices.inputs) or devices.no_input_reason
    outputs = ", ".join(device.name for device in devices.outputs) or devices.no_output_reason
    return f"microphones: {inputs}; loudspeakers: {outputs}"


if __name__ == "__main__":
    print(sound_words(find_devices()))  # noqa: T201 - this is what it is for
