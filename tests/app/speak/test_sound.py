"""What is heard is what was made: real lanes, real PortAudio, a sink that listens."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pytest
import soxr

from app.work import StallMeter
from tests.app.sound.fakes import align
from tests.app.speak.test_take_files import made
from tests.monitor import MONITOR_RATE, Monitor

if TYPE_CHECKING:
    from tests.app.speak.conftest import Room

pytestmark = pytest.mark.sound

_PIECES = 20


@pytest.mark.usefixtures("never_ends")
def test_speech_is_heard_while_it_is_made(room: Room, monitor: Monitor) -> None:
    """Every sound of the take comes out, around the pauses a slow machine makes."""
    presenter, player = room.presenter, room.studio.player
    states: list[tuple[str, bool]] = []
    player.state_changed.connect(lambda state: states.append((state, presenter.is_speaking)))
    meter = StallMeter()
    meter.start()
    room.speak_seed(1)
    longest_ms = meter.stop()
    assert ("playing", True) in states  # before it was all made
    (take,) = presenter.takes.all
    assert presenter.listening.heard_id == take.id  # the row of the take shows it
    room.wait(lambda: player.state == "stopped")
    room.qtbot.wait(400)
    assert presenter.listening.heard_id == ""
    assert take.first_sound_seconds is not None
    assert take.samples is not None
    pauses = states.count(("buffering", True)) + states.count(("buffering", False))
    print(f"longest stall {longest_ms:.1f} ms, first sound {take.first_sound_seconds:.2f} s, {pauses} pauses")
    found = [_where(monitor.heard, piece) for piece in np.array_split(take.samples, _PIECES)]
    right = [at for at, correlation in found if correlation > 0.98]
    assert len(right) >= _PIECES - 2 * pauses - 1  # a piece with a pause in it is not one piece any more
    assert right == sorted(right)
    assert longest_ms < 250  # on a machine that is shared; waiting for the model would cost seconds


def test_a_take_played_again_is_heard_whole(room: Room, monitor: Monitor) -> None:
    room.speak_seed(3)
    room.wait(lambda: room.studio.player.state == "stopped")
    (take,) = room.presenter.takes.all
    take = made(2)
    room.presenter.takes.add(take, is_on_disk=False)
    room.wait_files()
    heard_before = len(monitor.heard)
    room.presenter.toggle_play(take.id)
    room.wait(lambda: room.studio.player.state == "playing")
    room.wait(lambda: room.studio.player.state == "stopped")
    room.qtbot.wait(400)
    assert take.samples is not None
    assert _where(monitor.heard[heard_before:], take.samples)[1] > 0.98


def test_the_sound_is_of_the_take_that_was_asked_for_last(room: Room, monitor: Monitor) -> None:
    """Lesson 15: a player bound to the take, not to the button that was pressed before."""
    first, second = made(1), made(2, samples=made().samples[::-1].copy())  # type: ignore[index]
    for take in (first, second):
        room.presenter.takes.add(take, is_on_disk=False)
    room.presenter.toggle_play(first.id)
    room.wait(lambda: room.studio.player.state == "playing")
    heard_before = len(monitor.heard)
    room.presenter.toggle_play(second.id)
    assert room.presenter.listening.heard_id == second.id
    room.wait(lambda: room.studio.player.state == "playing")
    room.wait(lambda: room.studio.player.state == "stopped")
    room.qtbot.wait(400)
    assert second.samples is not None
    assert _where(monitor.heard[heard_before:], second.samples)[1] > 0.98


@pytest.mark.usefixtures("never_ends")
def test_stop_is_silence(room: Room, monitor: Monitor) -> None:
    room.presenter.set_text("A long text that takes a good while to say. " * 4)
    room.presenter.set_seed(1)
    room.presenter.speak()
    room.wait(lambda: room.studio.player.state == "playing")
    room.presenter.stop()
    room.wait(lambda: not room.presenter.is_speaking)
    assert room.studio.player.state == "stopped"
    room.studio.player.wait_closed()
    room.qtbot.wait(300)
    at = len(monitor.heard)
    room.qtbot.wait(400)
    assert np.abs(monitor.heard[at:]).max(initial=0.0) < 1e-4


def _where(heard: np.ndarray, samples: np.ndarray) -> tuple[int, float]:
    """Where in what was heard `samples` (24 kHz) sit, and the correlation there."""
    return align(heard, soxr.resample(samples, 24_000, MONITOR_RATE))
