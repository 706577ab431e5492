"""What every room shares."""

from __future__ import annotations

import pytest

from app.paths import paths
from app.settings.table import OUTPUT_DEVICE
from app.sound.devices import Device, Devices
from app.studio import Studio


@pytest.fixture
def studio(qapp, own_home):
    made = Studio(paths())
    yield made
    made.close()


def test_sound_goes_to_the_chosen_loudspeaker(studio, monkeypatch) -> None:
    speaker, phones = (Device(i, name, "ALSA", 2, 48_000, i == 0) for i, name in enumerate(("Speaker", "Phones")))
    opened: list[Device | None] = []
    monkeypatch.setattr("app.sound.devices.find_devices", lambda refresh=False: Devices(outputs=(speaker, phones)))
    monkeypatch.setattr("app.studio.open_output", lambda device, *_: opened.append(device))
    studio._open_output(None, 24_000, 1, None)
    studio.settings.set(OUTPUT_DEVICE, "Phones")
    studio._open_output(None, 24_000, 1, None)
    studio._open_output(speaker, 24_000, 1, None)
    studio.settings.set(OUTPUT_DEVICE, "Gone")
    studio._open_output(None, 24_000, 1, None)
    assert opened == [None, phones, speaker, None]


def test_closing_twice_and_before_starting_is_safe(studio) -> None:
    studio.close()
    studio.close()
    assert not studio.model_lane.busy
    assert not studio.file_lane.busy


def test_closing_while_everything_starts(studio) -> None:
    studio.start()
    assert studio.file_lane.busy
    studio.close()
    assert not studio.file_lane.busy
