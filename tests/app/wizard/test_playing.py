"""What is heard is the sound that is looked at, from the place that was clicked."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.wizard.presenter import WizardPresenter
from tests.app.wizard.conftest import voice

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.studio import Studio
    from tests.app.sound.fakes import FakeSpeaker
    from tests.app.wizard.conftest import Loaded


def sound_of(speaker: FakeSpeaker) -> np.ndarray:
    """What was heard, without the silence before and after."""
    heard = speaker.heard[:, 0]
    places = np.flatnonzero(heard)
    return heard[places[0] : places[-1] + 1] if len(places) else heard[:0]


def finish(wizard: Loaded, presenter: WizardPresenter) -> None:
    wizard.until(lambda: presenter.playing.playing)
    wizard.until(lambda: not presenter.playing.playing)


def test_it_plays_from_the_cursor_to_the_end_and_goes_back(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path], speaker: FakeSpeaker
) -> None:
    wizard.open(wave_file(seconds=2.0))
    presenter.timeline.seek(1.25)
    moved: list[float] = []
    presenter.timeline.cursor_changed.connect(moved.append)
    presenter.playing.play()
    finish(wizard, presenter)
    wanted = voice(2.0)[30_000:]
    np.testing.assert_array_equal(sound_of(speaker), np.trim_zeros(wanted))
    assert max(moved) > 1.7
    assert presenter.timeline.cursor == 1.25


def test_only_the_selection(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path], speaker: FakeSpeaker
) -> None:
    wizard.open(wave_file(seconds=3.0))
    presenter.select(1.0, 1.5)
    presenter.playing.set_selection_only(True)
    presenter.playing.play()
    finish(wizard, presenter)
    np.testing.assert_array_equal(sound_of(speaker), np.trim_zeros(voice(3.0)[24_000:36_000]))


def test_after_another_sound_is_loaded_that_one_is_heard(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path], speaker: FakeSpeaker
) -> None:
    wizard.open(wave_file("a.wav", 4.0))
    presenter.playing.play()
    wizard.until(lambda: len(sound_of(speaker)) > 2400)
    other = voice(3.0)[::-1][:24_000].copy()
    wizard.open(wave_file("b.wav", samples=other))
    assert not presenter.playing.playing
    speaker._blocks.clear()
    presenter.playing.play()
    finish(wizard, presenter)
    np.testing.assert_array_equal(sound_of(speaker), np.trim_zeros(other))


def test_pause_stays_and_goes_on(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path], speaker: FakeSpeaker
) -> None:
    wizard.open(wave_file(seconds=2.0))
    presenter.playing.toggle()
    wizard.until(lambda: presenter.timeline.cursor > 0.3)
    presenter.playing.toggle()
    wizard.until(lambda: not presenter.playing.playing)
    place = presenter.timeline.cursor
    assert place > 0.25
    presenter.playing.toggle()
    finish(wizard, presenter)
    assert len(speaker.streams) == 1


def test_what_another_room_plays_moves_nothing_here(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path], studio: Studio
) -> None:
    wizard.open(wave_file(seconds=2.0))
    presenter.playing.play()
    wizard.until(lambda: presenter.playing.playing)
    studio.player.play(voice(1.0))
    assert not presenter.playing.playing
    cursor = presenter.timeline.cursor
    wizard.until(lambda: studio.player.position_seconds > 0.4)
    presenter.timeline.seek(1.9)
    presenter.playing.pause()
    assert studio.player.state in ("playing", "stopped")
    assert cursor <= 2.0
    assert presenter.timeline.cursor == pytest.approx(1.9)
    studio.player.stop()


def test_leaving_the_page_is_silence(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path], studio: Studio
) -> None:
    wizard.open(wave_file(seconds=2.0))
    presenter.playing.play()
    wizard.until(lambda: presenter.playing.playing)
    presenter.leave()
    assert studio.player.state == "stopped"
