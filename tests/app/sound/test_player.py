"""The player, its sources and its feed on streams that do as told."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest
import soxr

from app.sound.feed import Feed
from app.sound.player import Player
from app.sound.source import SoundSource
from tests.app.sound.fakes import RATE, FakeSpeaker, align, sine, speech_like

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pytestqt.qtbot import QtBot


class Listener:
    """Remembers what a player said."""

    def __init__(self, player: Player) -> None:
        self.states: list[str] = []
        self.positions: list[tuple[float, float]] = []  # when, where
        self.failures: list[str] = []
        self.finished = 0
        player.state_changed.connect(self.states.append)
        player.position_changed.connect(lambda at: self.positions.append((time.perf_counter(), at)))
        player.failed.connect(self.failures.append)
        player.finished.connect(self._count)

    def _count(self) -> None:
        self.finished += 1


@pytest.fixture
def make(qtbot: QtBot) -> Iterator[Callable[[FakeSpeaker], tuple[Player, Listener]]]:
    made: list[Player] = []

    def build(speaker: FakeSpeaker) -> tuple[Player, Listener]:
        player = Player(open_output=speaker)
        made.append(player)
        return player, Listener(player)

    yield build
    assert all(player.wait_closed() for player in made)


def sounding(frames: np.ndarray) -> np.ndarray:
    """Without silence at the ends: [n]."""
    places = np.flatnonzero(frames[:, 0])
    return frames[places[0] : places[-1] + 1, 0] if len(places) else frames[:0, 0]


def test_samples_arrive_unchanged_beyond_full_scale_too(qtbot: QtBot, make: Any) -> None:
    known = np.random.default_rng(0).uniform(-1.5, 1.5, RATE // 2).astype(np.float32)
    speaker = FakeSpeaker()
    player, said = make(speaker)
    player.play(known, sample_rate=RATE)
    qtbot.waitUntil(lambda: said.finished == 1)
    np.testing.assert_array_equal(sounding(speaker.heard), known)
    assert speaker.asked == [(RATE, 1)]
    assert said.states == ["opening", "playing", "stopped"]
    assert said.positions[-1][1] == pytest.approx(0.5)
    assert player.wait_closed()
    assert speaker.stream.finished_first  # what the device still held was played, not dropped


def test_mono_fills_all_channels_and_stereo_folds_to_one(qtbot: QtBot, make: Any) -> None:
    known = sine(300.0, 0.2)
    speaker = FakeSpeaker(channels=2)
    player, said = make(speaker)
    player.play(known, sample_rate=RATE)
    qtbot.waitUntil(lambda: said.finished == 1)
    np.testing.assert_array_equal(speaker.heard[:, 0], speaker.heard[:, 1])
    speaker = FakeSpeaker(channels=1)
    player, said = make(speaker)
    player.play(np.stack([known, 0 * known], axis=1), sample_rate=RATE)
    qtbot.waitUntil(lambda: said.finished == 1)
    np.testing.assert_allclose(sounding(speaker.heard), known[1 : 1 + len(sounding(speaker.heard))] / 2)


def test_a_part_is_played_from_and_to_the_sample(qtbot: QtBot, make: Any) -> None:
    known = np.arange(1, RATE + 1, dtype=np.float32)
    speaker = FakeSpeaker()
    player, said = make(speaker)
    player.play(known, 0.25, sample_rate=RATE, end_seconds=0.5)
    qtbot.waitUntil(lambda: said.finished == 1)
    np.testing.assert_array_equal(sounding(speaker.heard), known[RATE // 4 : RATE // 2])
    assert said.positions[0][1] == 0.25
    assert said.positions[-1][1] == pytest.approx(0.5)


@pytest.mark.parametrize("rate", [44_100, 48_000, 22_050])
@pytest.mark.parametrize("channels", [1, 2])
def test_resampling_in_pieces_equals_resampling_at_once(rate: int, channels: int) -> None:
    known = np.stack([speech_like(1.234, 24_000, seed) for seed in range(channels)], axis=1)
    source = SoundSource(24_000, channels)
    feed = Feed(source, rate, channels, None)
    feed.go_to(0.0)
    pieces, at = [], 0
    for count in [1, 100, 5000, 3, *[2000] * 20]:
        source.append(known[at : at + count])
        at += count
        pieces.extend(feed.next() for _ in range(4))
    source.finish()
    while not feed.over:
        pieces.append(feed.next())
    whole = soxr.resample(known, 24_000, rate, "VHQ")
    streamed = np.concatenate(pieces)
    assert abs(len(streamed) - len(whole)) <= 1
    count = min(len(streamed), len(whole))
    np.testing.assert_allclose(streamed[:count], whole[:count], atol=2e-6)


def test_a_device_at_another_rate_hears_the_same_sound(qtbot: QtBot, make: Any) -> None:
    known = speech_like(0.8, 24_000)
    speaker = FakeSpeaker(sample_rate=48_000, channels=2)
    player, said = make(speaker)
    player.play(known)
    qtbot.waitUntil(lambda: said.finished == 1)
    assert speaker.asked == [(24_000, 1)]
    _, correlation = align(speaker.heard[:, 0], soxr.resample(known, 24_000, 48_000))
    assert correlation > 0.9999
    assert said.positions[-1][1] == pytest.approx(0.8, abs=0.001)


def test_a_growing_source_waits_and_goes_on(qtbot: QtBot, make: Any) -> None:
    known = np.random.default_rng(0).uniform(0.1, 1.0, RATE).astype(np.float32)
    source = SoundSource(RATE)
    speaker = FakeSpeaker()
    player, said = make(speaker)
    player.play(source)
    qtbot.waitUntil(lambda: player.state == "buffering")
    source.append(known[: RATE // 2])
    qtbot.waitUntil(lambda: player.state == "playing")
    qtbot.waitUntil(lambda: player.state == "buffering")
    assert player.position_seconds == pytest.approx(0.5, abs=0.04)
    qtbot.wait(200)
    source.append(known[RATE // 2 :])
    qtbot.waitUntil(lambda: player.state == "playing")
    source.finish()
    qtbot.waitUntil(lambda: said.finished == 1)
    heard = sounding(speaker.heard)
    gap = np.flatnonzero(heard == 0)
    assert len(gap) >= 0.15 * RATE  # in whole blocks, and the refill counts from the last tick
    assert gap[0] == RATE // 2  # one silence, where the source had ended for the time being
    np.testing.assert_array_equal(heard[heard != 0], known)
    assert said.states == ["opening", "buffering", "playing", "buffering", "playing", "stopped"]


def test_a_source_that_ends_without_a_sample_finishes(qtbot: QtBot, make: Any) -> None:
    source = SoundSource(RATE)
    player, said = make(FakeSpeaker())
    player.play(source)
    qtbot.waitUntil(lambda: player.state == "buffering")
    source.finish()
    qtbot.waitUntil(lambda: said.finished == 1)
    player.play(np.zeros(0, np.float32), sample_rate=RATE)
    qtbot.waitUntil(lambda: said.finished == 2)
    assert not said.failures


def test_pause_holds_the_place_and_loses_no_sample(qtbot: QtBot, make: Any) -> None:
    known = np.random.default_rng(0).uniform(0.1, 1.0, RATE).astype(np.float32)
    speaker = FakeSpeaker()
    player, said = make(speaker)
    player.play(known, sample_rate=RATE)
    qtbot.waitUntil(lambda: player.position_seconds > 0.3)
    player.pause()
    assert player.state == "paused"
    qtbot.wait(100)
    held = player.position_seconds
    qtbot.wait(200)
    assert player.position_seconds == held
    assert 0.3 < held < 0.6
    player.resume()
    assert player.state == "playing"
    qtbot.waitUntil(lambda: said.finished == 1)
    heard = sounding(speaker.heard)
    np.testing.assert_array_equal(heard[heard != 0], known)


@pytest.mark.parametrize("paused", [False, True])
def test_seek_goes_to_the_sample_forward_and_back(qtbot: QtBot, make: Any, paused: bool) -> None:
    known = np.arange(1, 3 * RATE + 1, dtype=np.float32)
    speaker = FakeSpeaker()
    player, said = make(speaker)
    player.play(known, sample_rate=RATE)
    qtbot.waitUntil(lambda: player.position_seconds > 0.1)
    if paused:
        player.pause()
    player.seek(2.5)
    assert player.position_seconds == pytest.approx(2.5, abs=0.1)
    qtbot.wait(150)
    if paused:
        assert player.position_seconds == 2.5
        player.resume()
    qtbot.waitUntil(lambda: player.position_seconds > 2.6)
    player.seek(2.75)
    player.seek(0.0)
    player.seek(2.8)
    qtbot.waitUntil(lambda: said.finished == 1)
    heard = sounding(speaker.heard)
    heard = heard[heard != 0]
    jumps = np.flatnonzero(np.diff(heard) != 1)
    assert list(heard[jumps + 1]) == [2.5 * RATE + 1, 2.8 * RATE + 1]
    assert heard[-1] == 3 * RATE


def test_seek_beyond_a_finished_end_finishes(qtbot: QtBot, make: Any) -> None:
    player, said = make(FakeSpeaker())
    player.play(sine(300.0, 2.0), sample_rate=RATE)
    qtbot.waitUntil(lambda: player.state == "playing")
    player.seek(99.0)
    qtbot.waitUntil(lambda: said.finished == 1, timeout=1500)
    assert said.positions[-1][1] == pytest.approx(2.0)


def test_position_is_what_the_ear_hears(qtbot: QtBot, make: Any) -> None:
    delays = {}
    for latency in (0.0, 0.4):
        player, said = make(FakeSpeaker(latency_seconds=latency))
        began = time.perf_counter()
        player.play(sine(300.0, 1.0), sample_rate=RATE)
        qtbot.waitUntil(lambda said=said: said.finished == 1)
        delays[latency] = [when - began - at for when, at in said.positions if 0.2 < at < 0.9]
        places = [at for _, at in said.positions]
        assert places == sorted(places)
    lag = np.median(delays[0.4]) - np.median(delays[0.0])
    assert lag == pytest.approx(0.4, abs=0.06)


def test_position_comes_about_thirty_times_a_second(qtbot: QtBot, make: Any) -> None:
    player, said = make(FakeSpeaker())
    player.play(sine(300.0, 1.0), sample_rate=RATE)
    qtbot.waitUntil(lambda: said.finished == 1)
    assert 20 <= len([at for _, at in said.positions if 0 < at < 1]) <= 34


def test_stop_is_silent_at_once_and_does_not_finish(qtbot: QtBot, make: Any) -> None:
    speaker = FakeSpeaker()
    player, said = make(speaker)
    player.play(np.ones(5 * RATE, np.float32), sample_rate=RATE)
    qtbot.waitUntil(lambda: player.position_seconds > 0.1)
    player.stop()
    assert player.state == "stopped"
    before = len(speaker.heard)
    assert player.wait_closed()
    assert not speaker.heard[before + 320 :].any()  # one block may have been under way
    assert not speaker.stream.finished_first
    qtbot.wait(80)
    assert (said.finished, said.states[-1]) == (0, "stopped")


def test_the_player_is_bound_to_what_it_was_given(qtbot: QtBot, make: Any) -> None:
    first, second = sine(300.0, 5.0), np.random.default_rng(0).uniform(0.1, 1, RATE // 4).astype(np.float32)
    speaker = FakeSpeaker()
    player, said = make(speaker)
    player.play(first, sample_rate=RATE)
    qtbot.waitUntil(lambda: player.position_seconds > 0.1)
    player.play(second.copy(), sample_rate=RATE)
    other = second.copy()
    player.stop()
    player.play(other, sample_rate=RATE)
    other[:] = 7.0  # the caller goes on with its array
    qtbot.waitUntil(lambda: said.finished == 1)
    heard = speaker.heard[:, 0]
    tail = heard[np.flatnonzero(heard)][-len(second) :]
    np.testing.assert_array_equal(tail, second)
    np.testing.assert_array_equal(player.source.samples(), second)


def test_a_device_that_leaves_is_named(qtbot: QtBot, make: Any) -> None:
    speaker = FakeSpeaker()
    player, said = make(speaker)
    player.play(sine(300.0, 9.0), sample_rate=RATE)
    qtbot.waitUntil(lambda: player.state == "playing")
    speaker.stream.dead.set()
    qtbot.waitUntil(lambda: bool(said.failures), timeout=5000)
    assert said.failures == ["“Fake speaker” stopped taking sound; was it unplugged?"]
    assert (player.state, said.finished) == ("stopped", 0)


def test_a_device_that_does_not_open_is_one_line(qtbot: QtBot, make: Any) -> None:
    speaker = FakeSpeaker()
    speaker.refuse = "Could not open the output “X”: busy."
    player, said = make(speaker)
    player.play(sine(300.0, 0.1), sample_rate=RATE)
    qtbot.waitUntil(lambda: bool(said.failures))
    assert said.failures == ["Could not open the output “X”: busy."]
    assert said.states == ["opening", "stopped"]


def test_a_listener_may_stop_or_play_from_a_signal(qtbot: QtBot, make: Any) -> None:
    player, said = make(FakeSpeaker())
    player.finished.connect(lambda: said.finished < 3 and player.play(sine(300.0, 0.05), sample_rate=RATE))
    player.play(sine(300.0, 0.05), sample_rate=RATE)
    qtbot.waitUntil(lambda: said.finished == 3)
    player.position_changed.connect(lambda at: at > 0.05 and player.stop())
    player.play(sine(300.0, 2.0), sample_rate=RATE)
    qtbot.waitUntil(lambda: player.state == "stopped")
    assert said.finished == 3


def test_a_player_that_is_dropped_closes_its_device(qtbot: QtBot) -> None:
    speaker = FakeSpeaker()
    player = Player(open_output=speaker)
    player.play(sine(300.0, 9.0), sample_rate=RATE)
    with qtbot.waitSignal(player.position_changed, check_params_cb=lambda at: at > 0.1):
        pass
    del player
    qtbot.waitUntil(lambda: speaker.stream.closed)


def test_source_grows_keeps_samples_and_refuses_what_is_not_sound() -> None:
    source, known = SoundSource(24_000), np.random.default_rng(0).standard_normal(200_001).astype(np.float32)
    for piece in np.array_split(known, 37):
        source.append(piece)
    assert source.seconds == pytest.approx(200_001 / 24_000)
    np.testing.assert_array_equal(source.samples(), known)
    np.testing.assert_array_equal(source.read(70_000, 5)[:, 0], known[70_000:70_005])
    assert len(source.read(200_000, 50)) == 1
    with pytest.raises(TypeError, match="not int16"):
        source.append(np.zeros(5, np.int16))
    with pytest.raises(ValueError, match="2 channels appended to a sound of 1"):
        source.append(np.zeros((5, 2), np.float32))
    source.finish()
    source.finish()
    with pytest.raises(ValueError, match="finished"):
        source.append(known)
