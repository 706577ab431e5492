"""Recording with a microphone that obeys the test: what is kept, what is refused, what is found again."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
import soundfile

from app.settings.table import COUNTDOWN_SECONDS, INPUT_DEVICE
from app.sound.devices import NO_INPUT, Devices
from app.wizard.presenter import Step, WizardPresenter
from app.wizard.recording import COUNTDOWN, IDLE, RECORDING, TESTING, Recording
from tests.app.sound.fakes import RATE
from tests.app.wizard.conftest import MICROPHONE, OTHER_MICROPHONE, Loaded

if TYPE_CHECKING:
    from pytestqt.qtbot import QtBot

    from app.store.recovery import UnsavedSound
    from app.studio import Studio
    from tests.app.sound.fakes import FakeMicrophone


def look(wizard: Loaded, recording: Recording) -> None:
    recording.look_for_devices()
    wizard.until(lambda: recording._looking is None)


def record(wizard: Loaded, recording: Recording, seconds: float = 0.6) -> None:
    recording.record()
    wizard.until(lambda: recording.recorder.seconds >= seconds)


def unsaved(wizard: Loaded, studio: Studio) -> list[UnsavedSound]:
    wizard.until(lambda: not studio.file_lane.busy)
    return studio.library.recovery.unsaved()


def test_a_recording_becomes_the_sound_and_is_kept_on_disk(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, studio: Studio
) -> None:
    look(wizard, recording)
    columns: list[np.ndarray] = []
    recording.waveform_grew.connect(columns.append)
    record(wizard, recording, 1.5)
    recording.stop()
    assert recording.state == IDLE
    wizard.until(lambda: presenter.sound is not None)
    sound = presenter.sound
    assert sound is not None
    assert presenter.step is Step.LISTEN
    assert sound.origin.path.parent == studio.places.recordings
    assert sound.origin.label.startswith("Recording")
    assert sound.clip.source_rate == RATE
    samples, _ = soundfile.read(sound.origin.path)
    assert sound.seconds == pytest.approx(len(samples) / RATE, abs=0.001)
    assert len(np.concatenate(columns)) >= 100
    wizard.until(lambda: recording.recorder.state == "closed")  # nobody listens any more


def test_the_countdown_is_counted_and_can_be_called_off(
    wizard: Loaded, recording: Recording, studio: Studio, microphone: FakeMicrophone
) -> None:
    studio.settings.set(COUNTDOWN_SECONDS, 3)
    recording._clock.setInterval(20)
    counted: list[int] = []
    recording.count_changed.connect(counted.append)
    recording.record()
    assert recording.state == COUNTDOWN
    wizard.until(lambda: recording.state == RECORDING)
    assert counted == [3, 2, 1, 0]
    recording.discard()
    recording._clock.setInterval(1000)
    recording.record()
    recording.stop()
    assert recording.state == IDLE
    assert unsaved(wizard, studio) == []
    assert list(studio.places.recordings.glob("*.wav")) == []


def test_the_limit_ends_the_take(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.wizard.recording.LONGEST_SECONDS", 1.2)
    recording.record()
    wizard.until(lambda: presenter.sound is not None)
    assert presenter.sound is not None
    assert presenter.sound.seconds == pytest.approx(1.2, abs=0.001)
    assert wizard.notices[-1][0] == "info"
    assert recording.state == IDLE


def test_digital_silence_is_refused_with_the_name_of_the_microphone(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, microphone: FakeMicrophone, studio: Studio
) -> None:
    microphone.signal = np.zeros(RATE, np.float32)
    record(wizard, recording)
    recording.stop()
    kind, text = wizard.notice()
    assert kind == "error"
    assert "“Fake microphone” sent only digital silence" in text
    assert presenter.sound is None
    assert presenter.step is Step.SOUND
    assert unsaved(wizard, studio) == []


def test_what_was_captured_is_kept_when_the_microphone_leaves(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, microphone: FakeMicrophone
) -> None:
    record(wizard, recording, 1.2)
    microphone.stream.dead.set()
    wizard.until(lambda: presenter.sound is not None)
    assert presenter.sound is not None
    assert presenter.sound.seconds >= 1.2
    kind, text = wizard.notices[-1]
    assert kind == "warning"
    assert "“Fake microphone” stopped sending sound" in text
    assert presenter.step is Step.LISTEN


def test_a_microphone_that_does_not_open_is_named(
    wizard: Loaded, recording: Recording, microphone: FakeMicrophone, studio: Studio
) -> None:
    microphone.refuse = "Could not open the microphone “Fake”: busy. Choose another in the list."
    recording.record()
    assert wizard.notice() == ("error", microphone.refuse)
    assert recording.state == IDLE
    assert unsaved(wizard, studio) == []
    microphone.refuse = ""
    record(wizard, recording)


def test_stopping_before_the_microphone_is_open(
    wizard: Loaded, recording: Recording, microphone: FakeMicrophone, studio: Studio
) -> None:
    microphone.slow_open.set()
    recording.record()
    recording.stop()
    assert recording.state == IDLE
    microphone.go.set()
    assert unsaved(wizard, studio) == []
    assert wizard.notices == []


def test_no_microphone_says_so_and_opens_none(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, devices: list[Devices]
) -> None:
    devices[:] = [Devices(no_input_reason=NO_INPUT), Devices(inputs=(MICROPHONE,))]
    look(wizard, recording)
    assert recording.problem == NO_INPUT
    recording.record()
    assert wizard.notice() == ("error", NO_INPUT)
    assert recording.recorder.state == "closed"
    look(wizard, recording)
    assert recording.problem == ""


def test_the_chosen_microphone_is_remembered_and_changed_while_testing(
    wizard: Loaded, recording: Recording, studio: Studio, microphone: FakeMicrophone
) -> None:
    look(wizard, recording)
    assert recording.device is None  # the default
    recording.test(on=True)
    wizard.until(lambda: len(microphone.streams) == 1)
    recording.choose_device(OTHER_MICROPHONE)
    assert studio.settings.get(INPUT_DEVICE) == "Other microphone"
    assert recording.device == OTHER_MICROPHONE
    wizard.until(lambda: len(microphone.streams) == 2)
    recording.choose_device(MICROPHONE)
    assert studio.settings.get(INPUT_DEVICE) == ""


def test_the_microphone_is_open_only_for_a_test_or_a_take(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, microphone: FakeMicrophone
) -> None:
    presenter.enter()
    wizard.until(lambda: bool(recording.devices.inputs))
    assert microphone.streams == []
    levels: list[float] = []
    recording.level_changed.connect(lambda peak, _rms, _clipped: levels.append(peak))
    recording.test(on=True)
    wizard.until(lambda: bool(levels))
    assert recording.state == TESTING
    presenter.leave()
    assert recording.state == IDLE
    wizard.until(lambda: microphone.stream.closed)


def test_leaving_the_page_keeps_the_take(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, microphone: FakeMicrophone
) -> None:
    record(wizard, recording, 1.0)
    presenter.leave()
    wizard.until(lambda: presenter.sound is not None and microphone.stream.closed)


def test_a_retake_takes_the_place_of_the_first_which_stays_on_disk(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, studio: Studio
) -> None:
    paths = []
    for _ in range(2):
        record(wizard, recording, 1.0)
        recording.stop()
        wizard.until(lambda: not recording.busy and not presenter.reading.busy and presenter.sound is not None)
        assert presenter.sound is not None
        paths.append(presenter.sound.origin.path)
        presenter.go_to(Step.SOUND)
    assert paths[0] != paths[1]
    assert all(path.is_file() for path in paths)
    assert [found.path for found in unsaved(wizard, studio)] == [paths[1]]


def test_a_discarded_retake_leaves_the_first_sound_as_it_was(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, wave_file
) -> None:
    wizard.open(wave_file(seconds=6.0))
    presenter.select(1.0, 5.0)
    wizard.checked()
    presenter.transcript.set_text("Words.")
    presenter.go_to(Step.SOUND)
    sound = presenter.sound
    record(wizard, recording)
    assert presenter.timeline.duration == 30.0
    recording.discard()
    assert presenter.sound is sound
    assert presenter.timeline.duration == pytest.approx(6.0)
    assert presenter.selection == (1.0, 5.0)
    assert not presenter.transcript.stale


def test_an_unsaved_recording_is_offered_at_the_next_start(
    qtbot: QtBot, wizard: Loaded, presenter: WizardPresenter, recording: Recording, studio: Studio
) -> None:
    record(wizard, recording, 1.0)
    recording.stop()
    wizard.until(lambda: presenter.sound is not None)
    assert len(unsaved(wizard, studio)) == 1
    later = WizardPresenter(studio, recording=Recording(studio, find=lambda _: Devices()))
    offered: list[UnsavedSound] = []
    later.unsaved_found.connect(offered.append)
    later.enter()
    qtbot.waitUntil(lambda: bool(offered))
    later.recover(offered[0])
    qtbot.waitUntil(lambda: later.sound is not None, timeout=30_000)
    assert later.sound is not None
    assert presenter.sound is not None
    np.testing.assert_array_equal(later.sound.clip.samples, presenter.sound.clip.samples)
    later.go_to(Step.CLONE)
    later.clone()
    qtbot.waitUntil(lambda: later.cloned is not None, timeout=30_000)
    later.describe(name="Found")
    later.save()
    qtbot.waitUntil(lambda: later.saved is not None, timeout=30_000)
    assert unsaved(wizard, studio) == []
    assert later.recording.wait_closed()


def test_a_forgotten_recording_is_not_offered_again_but_stays(
    qtbot: QtBot, wizard: Loaded, presenter: WizardPresenter, recording: Recording, studio: Studio
) -> None:
    record(wizard, recording, 1.0)
    recording.stop()
    (found,) = unsaved(wizard, studio)
    presenter.forget(found)
    assert unsaved(wizard, studio) == []
    assert found.path.is_file()


def test_a_file_does_not_interrupt_a_recording(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, tmp_path: Path
) -> None:
    record(wizard, recording)
    presenter.open_file(tmp_path / "other.wav")
    assert wizard.notice() == ("warning", "Stop the recording before opening other.wav.")
    assert recording.state == RECORDING


def test_a_busy_file_lane_does_not_hold_up_the_recording(
    wizard: Loaded, presenter: WizardPresenter, recording: Recording, studio: Studio
) -> None:
    gate = threading.Event()
    studio.file_lane.submit(lambda _: gate.wait(20), "Holding the lane")
    record(wizard, recording, 1.0)
    recording.stop()
    gate.set()
    wizard.until(lambda: presenter.sound is not None)
    assert len(unsaved(wizard, studio)) == 1
