"""Recording without a widget: devices, the test of a microphone, the countdown, the take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.settings.table import COUNTDOWN_SECONDS, INPUT_DEVICE
from app.sound.devices import NO_INPUT, Devices, find_devices
from app.sound.recorder import Recorder
from app.wizard.checks import LONGEST_SECONDS
from app.wizard.sessions import Sessions

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.sound.devices import Device
    from app.sound.take import RecordedTake
    from app.studio import Studio
    from app.wizard.sessions import Session
    from app.work import Job

    FindDevices = Callable[[bool], Devices]

IDLE, TESTING, COUNTDOWN, RECORDING = "idle", "testing", "countdown", "recording"
_LOOK_AGAIN_MS = 3000  # only while there is no microphone at all and a person waits for one


class Recording(QObject):
    """The microphone is open only while it is tested, counted down for, or recorded from.

    Signals:
        devices_changed(): `inputs` were looked for.
        state_changed(str): "idle", "testing", "countdown" or "recording".
        opened(str): in words, what the microphone was opened with.
        count_changed(int): seconds left of the countdown.
        level_changed(float, float, bool), waveform_grew(ndarray), seconds_changed(float): as of the recorder.
        recorded(RecordedTake, Session): a take that holds sound, whatever ended it.
        refused(str): one line; there is no take.
    """

    devices_changed = Signal()
    state_changed = Signal(str)
    opened = Signal(str)
    count_changed = Signal(int)
    level_changed = Signal(float, float, bool)
    waveform_grew = Signal(object)
    seconds_changed = Signal(float)
    recorded = Signal(object, object)
    refused = Signal(str)

    def __init__(
        self,
        studio: Studio,
        parent: QObject | None = None,
        recorder: Recorder | None = None,
        find: FindDevices = find_devices,
    ) -> None:
        super().__init__(parent)
        self._studio = studio
        self._find = find
        self.sessions = Sessions(studio, self)
        self.recorder = recorder or Recorder(self)
        self._devices: Devices | None = None
        self._looking: Job | None = None
        self._state = IDLE
        self._count = 0
        self._device_name = ""
        self._session: Session | None = None  # of the take that is counted down for or runs
        self._ending: list[Session] = []  # stopped; their files are not closed yet
        self._discarded: list[Session] = []  # called off; their files must not stay
        self._clock = QTimer(self, interval=1000)
        self._clock.timeout.connect(self._tick)
        self._look_again = QTimer(self, interval=_LOOK_AGAIN_MS, singleShot=True)
        self._look_again.timeout.connect(self.look_for_devices)
        self._connect(self.recorder)

    def _connect(self, recorder: Recorder) -> None:
        recorder.opened.connect(self._tell_opened)
        recorder.level_changed.connect(self.level_changed)
        recorder.waveform_grew.connect(self.waveform_grew)
        recorder.seconds_changed.connect(self.seconds_changed)
        recorder.stopped.connect(self._end)
        recorder.failed.connect(self._fail)

    @property
    def state(self) -> str:
        return self._state

    @property
    def busy(self) -> bool:
        """Whether a take is counted down for or runs."""
        return self._state in (COUNTDOWN, RECORDING)

    @property
    def devices(self) -> Devices:
        """As last looked for; empty before that."""
        return self._devices or Devices()

    @property
    def device(self) -> Device | None:
        """The chosen microphone; None is the default."""
        wanted = self._studio.settings.get(INPUT_DEVICE)
        return next((device for device in self.devices.inputs if device.name == wanted), None)

    @property
    def problem(self) -> str:
        """Why nothing can be recorded, in one line; empty where it can, or before anyone looked."""
        if self._devices is None or self._devices.inputs:
            return ""
        return self._devices.no_input_reason or NO_INPUT

    def look_for_devices(self) -> None:
        """Look in the file lane; while no stream is open, newly plugged ones are found too."""
        if self._looking is not None:
            return
        find = self._find
        self._looking = self._studio.file_lane.submit(lambda _: find(True), "Looking for microphones")
        self._looking.finished.connect(self._take_devices)
        self._looking.ended.connect(self._looked)

    def choose_device(self, device: Device) -> None:
        """Record from `device`, now and at the next start; one that is tested is changed at once."""
        self._studio.settings.set(INPUT_DEVICE, "" if device.is_default else device.name)
        if self._state == TESTING:
            self.recorder.open(self.device)

    def test(self, on: bool) -> None:
        """Listen to the microphone without recording, or stop doing so."""
        if on and self._state == IDLE:
            self.recorder.open(self.device)
            self._set_state(TESTING)
        elif not on and self._state == TESTING:
            self.recorder.close()
            self._set_state(IDLE)

    def record(self) -> None:
        """Open the microphone, count down, record."""
        if self.busy:
            return
        if self.problem:
            self.refused.emit(self.problem)
            return
        device = self.device
        self._device_name = device.name if device is not None else ""
        self._session = self.sessions.begin(self._device_name)
        if self._state != TESTING:
            self.recorder.open(device)
        self._count = self._studio.settings.get(COUNTDOWN_SECONDS)
        if self._count:
            self._set_state(COUNTDOWN)
            self.count_changed.emit(self._count)
            self._clock.start()
        else:
            self._begin()

    def stop(self) -> None:
        """End the take and keep it; during the countdown there is none yet."""
        if self._state == COUNTDOWN:
            self.discard()
        elif self._state == RECORDING:
            self.recorder.stop()
            if self._state == RECORDING:  # it did not even begin, or its file is still being closed
                self._let_end()

    def discard(self) -> None:
        """End the take and remove it."""
        if self.busy:
            self.recorder.cancel()
            self._abandon()

    def release(self) -> None:
        """Close the microphone; a take that runs is kept. The page is left."""
        self._look_again.stop()
        self.stop()
        self.test(on=False)

    def wait_closed(self, timeout_seconds: float = 5.0) -> bool:
        """`release`, then wait until the device and the file are closed. At exit, and in tests."""
        self.release()
        return self.recorder.wait_closed(timeout_seconds)

    # What comes back

    def _take_devices(self, devices: Devices) -> None:
        self._devices = devices
        self.devices_changed.emit()

    def _looked(self) -> None:
        self._looking = None

    def keep_looking(self) -> None:
        """Look again in a while; the page asks for it as long as it is shown and there is no microphone."""
        self._look_again.start()

    def _tick(self) -> None:
        self._count -= 1
        self.count_changed.emit(self._count)
        if self._count <= 0:
            self._clock.stop()
            self._begin()

    def _begin(self) -> None:
        assert self._session is not None
        self._set_state(RECORDING)
        self.recorder.start(self._session.path, LONGEST_SECONDS)

    def _tell_opened(self, name: str, sample_rate: int, channels: int) -> None:
        self._device_name = name
        sides = {1: "mono", 2: "stereo"}.get(channels, f"{channels} channels")
        self.opened.emit(f"{name}, {sample_rate / 1000:g} kHz {sides}")

    def _let_end(self) -> None:
        session = self._session
        if session is None or self.recorder.seconds <= 0:
            self._abandon()
            return
        self._ending.append(session)
        self._session = None
        self._rest()

    def _abandon(self) -> None:
        session, self._session = self._session, None
        self._rest()
        if session is not None:
            self._discarded.append(session)
            self.sessions.mark(session, "discarded")

    def _rest(self) -> None:
        self._clock.stop()
        self.recorder.close()
        self._set_state(IDLE)

    def _end(self, take: RecordedTake) -> None:
        session = next((s for s in [self._session, *self._ending] if s is not None and s.path == take.path), None)
        if session is None:
            self._remove_discarded(take)
            return
        current = session is self._session
        if current:
            self._session = None
            self._clock.stop()
            self.recorder.close()
        else:
            self._ending.remove(session)
        if take.silent or take.seconds <= 0:
            self.sessions.mark(session, "discarded")
            self.refused.emit(self._silence_hint(take))
        else:
            self.sessions.mark(session, "complete")
            self.recorded.emit(take, session)
        if current:
            self._set_state(IDLE)  # last, so that whoever hears it knows whether a take follows

    def _remove_discarded(self, take: RecordedTake) -> None:
        """A microphone that is closed in the same moment may finish the take that was called off."""
        session = next((session for session in self._discarded if session.path == take.path), None)
        if session is not None:
            self._discarded.remove(session)
            self.sessions.remove(session)

    def _silence_hint(self, take: RecordedTake) -> str:
        name = f"“{self._device_name}”" if self._device_name else "The microphone"
        hint = f"{name} sent only digital silence. Is it muted or switched off? Unmute it or choose another."
        return f"{take.notice} {hint}" if take.notice else hint

    def _fail(self, reason: str) -> None:
        if self.busy:
            self._abandon()
        elif self._state == TESTING:
            self._rest()
        self.refused.emit(reason)
        self.look_for_devices()

    def _set_state(self, state: str) -> None:
        if state != self._state:
            self._state = state
            self.state_changed.emit(state)
