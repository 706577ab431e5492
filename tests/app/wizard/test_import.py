"""Files into the wizard: every container, by content; long ones ask first; what is no sound is said in one line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import av
import numpy as np
import pytest

import engine
from app.settings.table import LAST_FOLDER
from app.wizard import loading
from app.wizard.loading import RangeWanted
from app.wizard.presenter import SAMPLE_CLIP, Step, WizardPresenter
from tests.app.helpers import voice_file
from tests.app.wizard.conftest import voice

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.studio import Studio
    from tests.app.wizard.conftest import Loaded


def write_encoded(path: Path, codec: str, container: str, seconds: float = 6.0) -> Path:
    """A 44.1 kHz stereo file with the voice at both sides."""
    rate = 44_100
    times = np.arange(round(seconds * rate)) / rate
    mono = np.interp(times, np.arange(round(seconds * 24_000)) / 24_000, voice(seconds)).astype(np.float32)
    with av.open(str(path), "w", format=container) as file:
        stream = file.add_stream(codec, rate=rate, layout="stereo")
        frame = av.AudioFrame.from_ndarray(np.stack([mono, mono]), format="fltp", layout="stereo")
        frame.sample_rate = rate
        for packet in (*stream.encode(frame), *stream.encode(None)):
            file.mux(packet)
    return path


@pytest.mark.parametrize(
    ("name", "codec", "container"),
    [
        *(("speech.mp3", "mp3", "mp3"), ("speech.m4a", "aac", "ipod")),
        *(("m4a named as a wave.wav", "aac", "ipod"), ("ünï-name", "mp3", "mp3")),
    ],
)
def test_any_container_is_read_by_its_content(
    wizard: Loaded, presenter: WizardPresenter, tmp_path: Path, name: str, codec: str, container: str
) -> None:
    wizard.open(write_encoded(tmp_path / name, codec, container))
    sound = presenter.sound
    assert sound is not None
    assert presenter.step is Step.LISTEN
    assert sound.seconds == pytest.approx(6.0, abs=0.1)
    assert (sound.clip.source_rate, sound.clip.source_channels) == (44_100, 2)
    assert any("Averaged 2 channels" in note for note in sound.notes)
    assert any("Resampled" in note for note in sound.notes)
    assert sound.mel.levels.std() > 10


def test_the_whole_of_a_short_sound_is_selected_and_checked(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path], studio: Studio
) -> None:
    path = wave_file("Mario.wav", 6.0)
    wizard.open(path)
    assert presenter.selection == (0.0, 6.0)
    verdicts = {finding.key: finding.verdict for finding in presenter.findings}
    assert [verdicts[key] for key in ("length", "level", "clipping", "silence")] == ["good"] * 4
    assert presenter.blocked == ""
    assert presenter.name == "Mario"
    assert studio.settings.get(LAST_FOLDER) == str(path.parent)


def test_half_a_minute_of_a_longer_sound_is_selected(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path]
) -> None:
    wizard.open(wave_file(seconds=70.0))
    start, end = presenter.selection
    assert 25.0 < end - start <= 30.0
    assert presenter.blocked == ""
    presenter.select(0.0, 45.0)
    assert "half a minute" in presenter.blocked
    presenter.go_to(Step.CLONE)
    assert presenter.step is Step.LISTEN
    presenter.select_best()
    assert presenter.blocked == ""


def test_a_very_long_file_asks_for_a_range_first(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "WHOLE_SECONDS", 20.0)
    wanted: list[RangeWanted] = []
    presenter.reading.range_wanted.connect(wanted.append)
    presenter.open_file(wave_file("talk.wav", 25.0))
    wizard.until(lambda: bool(wanted))
    assert presenter.sound is None
    assert wanted[0].seconds == pytest.approx(25.0)
    presenter.read_range(wanted[0].origin, 5.0, 12.5)
    wizard.until(lambda: presenter.sound is not None)
    assert presenter.sound is not None
    np.testing.assert_array_equal(presenter.sound.clip.samples, voice(25.0)[5 * 24_000 : round(12.5 * 24_000)])


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("notes.txt", b"no sound at all", "is not a sound file"),
        ("empty.wav", b"", "is empty"),
        ("cut.wav", b"RIFF\x24\x00\x00\x00WAVEfmt ", "cut.wav"),
    ],
)
def test_what_is_no_sound_is_said_in_one_line(
    wizard: Loaded, presenter: WizardPresenter, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    presenter.open_file(path)
    kind, text = wizard.notice()
    assert kind == "error"
    assert said in text
    assert "\n" not in text
    assert presenter.sound is None
    assert presenter.step is Step.SOUND


def test_a_silent_file_and_a_missing_one_are_refused(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path]
) -> None:
    presenter.open_file(wave_file("mute.wav", samples=np.zeros(48_000, np.float32)))
    assert wizard.notice() == ("error", "mute.wav holds nothing but digital silence. Choose another file.")
    wizard.notices.clear()
    presenter.open_file(Path("nowhere") / "gone.wav")
    assert "is not there" in wizard.notice()[1]


def test_a_blink_of_a_sound_is_refused(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path]
) -> None:
    presenter.open_file(wave_file("blink.wav", samples=voice(0.01)))
    kind, text = wizard.notice()
    assert kind == "error"
    assert text.startswith("blink.wav")


def test_the_last_file_asked_for_wins(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path]
) -> None:
    first, second = wave_file("first.wav", 20.0), wave_file("second.wav", 3.0)
    presenter.open_file(first)
    wizard.open(second)
    assert presenter.sound is not None
    assert presenter.sound.origin.path == second
    assert not presenter.reading.busy


def test_reading_can_be_cancelled(
    wizard: Loaded, presenter: WizardPresenter, wave_file: Callable[..., Path], studio: Studio
) -> None:
    presenter.open_file(wave_file(seconds=60.0))
    presenter.reading.cancel()
    wizard.until(lambda: not studio.file_lane.busy)
    assert presenter.sound is None
    assert wizard.notices == []


def test_a_voice_file_is_not_taken_for_a_sound(
    wizard: Loaded, presenter: WizardPresenter, tmp_path: Path, studio: Studio
) -> None:
    given: list[Path] = []
    presenter.voice_file_given.connect(given.append)
    path = voice_file(tmp_path / "Mario.qvoice")
    presenter.open_file(path)
    assert given == [path]
    assert not presenter.reading.busy


def test_the_sample_clip_is_there(wizard: Loaded, presenter: WizardPresenter) -> None:
    presenter.open_sample()
    wizard.until(lambda: presenter.sound is not None)
    assert presenter.sound is not None
    assert presenter.sound.origin.label == "Sample clip"
    assert presenter.sound.seconds == pytest.approx(engine.probe_clip(SAMPLE_CLIP).seconds, abs=0.01)
