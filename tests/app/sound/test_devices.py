"""Device lists as real systems give them, and a system that gives none."""

from __future__ import annotations

import subprocess
import sys
import textwrap

import pytest

from app.sound import devices, portaudio
from app.sound.devices import Device, find_devices
from app.sound.portaudio import SoundError
from app.sound.streams import _attempts, _still_there

ALSA = [{"name": "ALSA", "default_input_device": 0, "default_output_device": 0}]


def entry(index: int, name: str, inputs: int = 0, outputs: int = 0, host: int = 0, rate: float = 48000.0) -> dict:
    return {
        "index": index,
        "name": name,
        "hostapi": host,
        "max_input_channels": inputs,
        "max_output_channels": outputs,
        "default_samplerate": rate,
    }


def listing(monkeypatch: pytest.MonkeyPatch, entries: list, hosts: list, defaults: tuple[int, int]) -> None:
    monkeypatch.setattr(portaudio, "query", lambda: (entries, hosts, defaults))


def test_alsa_plugins_are_left_out_and_names_are_plain(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [
        entry(0, "HDA Intel PCH: ALC257 Analog (hw:0,0)", 2, 2),
        entry(1, "USB Audio: - (hw:1,0)", 1, 0, rate=44_100.0),
        entry(2, "sysdefault", 128, 128),
        entry(3, "surround51", 0, 6),
        entry(4, "lavrate", 128, 128),
        entry(5, "pulse", 32, 32),
        entry(6, "dmix", 0, 2),
        entry(7, "default", 32, 32),
        entry(8, "HDA Intel PCH: HDMI 0 (hw:0,3)", 0, 8),
    ]
    listing(monkeypatch, entries, ALSA, (7, 7))
    found = find_devices()
    assert [device.name for device in found.inputs] == [
        "System default",
        "HDA Intel PCH: ALC257 Analog",
        "USB Audio: -",
        "PulseAudio",
    ]
    assert found.default_input == Device(7, "System default", "ALSA", 32, 48_000, True)
    assert found.inputs[2] == Device(1, "USB Audio: -", "ALSA", 1, 44_100, False)
    assert "HDA Intel PCH: HDMI 0" in [device.name for device in found.outputs]
    assert found.no_input_reason == found.no_output_reason == ""


def test_two_of_one_name_are_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = [entry(0, "USB Mic: Audio (hw:1,0)", 1), entry(1, "USB Mic: Audio (hw:2,0)", 1)]
    listing(monkeypatch, entries, ALSA, (-1, -1))
    assert [device.name for device in find_devices().inputs] == [
        "USB Mic: Audio (hw:1,0)",
        "USB Mic: Audio (hw:2,0)",
    ]


def test_windows_shows_each_device_once(monkeypatch: pytest.MonkeyPatch) -> None:
    hosts = [
        {"name": "MME", "default_input_device": 0, "default_output_device": -1},
        {"name": "Windows WASAPI", "default_input_device": 2, "default_output_device": -1},
    ]
    entries = [
        entry(0, "Microphone (Realtek High Defini", 2, host=0),
        entry(1, "Headset", 1, host=1),
        entry(2, "Microphone (Realtek High Definition Audio)", 2, host=1),
    ]
    listing(monkeypatch, entries, hosts, (0, -1))
    monkeypatch.setattr(devices.sys, "platform", "win32")
    found = find_devices()
    assert [device.name for device in found.inputs] == ["Microphone (Realtek High Definition Audio)", "Headset"]
    assert found.inputs[0].is_default


def test_no_device_at_all_is_a_reason_and_not_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    listing(monkeypatch, [], [], (-1, -1))
    found = find_devices()
    assert (found.inputs, found.outputs, found.default_input) == ((), (), None)
    assert found.no_input_reason == devices.NO_INPUT
    assert found.no_output_reason == devices.NO_OUTPUT
    listing(monkeypatch, [entry(0, "Speaker", 0, 2)], ALSA, (-1, 0))
    assert find_devices().no_input_reason == devices.NO_INPUT
    assert find_devices().no_output_reason == ""


def test_a_driver_that_raises_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise RuntimeError("Error querying\ndevice -1")

    monkeypatch.setattr(portaudio, "query", fail)
    assert find_devices().no_input_reason.endswith("asked for its devices: Error querying device -1.")


def test_a_machine_without_portaudio_gets_one_line_and_goes_on() -> None:
    program = """
        import sys
        class Hidden:
            def find_spec(self, name, path=None, target=None):
                if name == "sounddevice":
                    raise OSError("PortAudio library not found")
        sys.meta_path.insert(0, Hidden())
        from PySide6.QtCore import QCoreApplication, QTimer
        from app.sound import devices, player, recorder
        print(devices.find_devices(refresh=True).no_input_reason)
        application = QCoreApplication([])
        r, p = recorder.Recorder(), player.Player()
        told = []
        for part in (r, p):
            part.failed.connect(told.append)
        import numpy as np
        r.open()
        p.play(np.zeros(2400, np.float32))
        QTimer.singleShot(500, application.quit)
        application.exec()
        assert r.wait_closed() and p.wait_closed()
        assert (r.state, p.state) == ("closed", "stopped")
        print(*told, sep="\\n")
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    assert (
        done.stdout.splitlines()
        == ["No sound: the PortAudio library could not be loaded. On Debian, Ubuntu: apt install libportaudio2."] * 3
    )


def test_what_the_window_imports_loads_no_portaudio() -> None:
    program = """
        import sys, app.sound.devices, app.sound.player, app.sound.recorder
        print([name for name in ("sounddevice", "soundfile", "soxr", "torch") if name in sys.modules])
    """
    command = [sys.executable, "-c", textwrap.dedent(program)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert done.stdout == "[]\n"


def test_a_device_is_found_again_by_name_after_a_refresh() -> None:
    before = Device(3, "Headset", "ALSA", 1, 48_000, False)
    now = (Device(0, "Built-in", "ALSA", 2, 48_000, True), Device(7, "Headset", "ALSA", 1, 48_000, False))
    assert _still_there(before, now, "none").index == 7
    assert _still_there(None, now, "none").index == 0
    with pytest.raises(SoundError, match="“Headset” is no longer there"):
        _still_there(before, now[:1], "none")
    with pytest.raises(SoundError, match="none at all"):
        _still_there(before, (), "none at all")


def test_attempts_begin_with_the_wish_and_repeat_nothing() -> None:
    attempts = _attempts([24_000, 44_100, 48_000, 44_100], [1, 2, 1])
    assert [(attempt.sample_rate, attempt.channels) for attempt in attempts] == [
        (24_000, 1),
        (24_000, 2),
        (44_100, 1),
        (44_100, 2),
        (48_000, 1),
        (48_000, 2),
    ]
