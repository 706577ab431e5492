"""Takes on the disk: what a kill leaves, what is deleted, what is not ours."""

from __future__ import annotations

import json
import subprocess
import sys
import textwrap
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import pytest

import engine
from app.speak import take_files
from app.speak.take import Take, peaks_of
from app.store import clock
from tests.app.sound.fakes import speech_like

if TYPE_CHECKING:
    from pathlib import Path

SOUND = speech_like(1.5, 24_000)


def made(number: int = 1, **changes: Any) -> Take:
    take = Take(
        id=f"take-{number:05d}-abcd",
        number=number,
        text="Grüße, 世界! 🎙",
        voice_key="voice:1",
        voice_name="Ünal",
        model_label="1.7B · CustomVoice",
        model_folder="/models/one",
        language="german",
        style="leise",
        seed=7,
        made_at=clock.now(),
        seconds=len(SOUND) / 24_000,
        reason="end",
        peaks=peaks_of(SOUND),
        samples=SOUND,
    )
    return replace(take, **changes)


def test_written_and_read_take_are_equal(tmp_path: Path) -> None:
    take = made(star=True, first_sound_seconds=0.4, made_in_seconds=2.5)
    take_files.write_take(tmp_path, take)
    (read,), rescued = take_files.read_takes(tmp_path, 10)
    assert rescued == 0
    assert replace(read, samples=None).__dict__ == replace(take, samples=None).__dict__
    np.testing.assert_array_equal(take_files.read_samples(tmp_path, read), SOUND)


def test_the_newest_come_first_and_old_ones_only_with_a_star(tmp_path: Path) -> None:
    for number in range(1, 9):
        take_files.write_take(tmp_path, made(number, star=number == 2))
    takes, _ = take_files.read_takes(tmp_path, 3)
    assert [take.number for take in takes] == [8, 7, 6, 2]
    assert len(list(tmp_path.glob("*.wav"))) == 8  # nothing is removed


def test_the_oldest_without_a_star_give_way_to_keep_within_the_room(tmp_path: Path) -> None:
    for number in range(1, 7):
        take_files.write_take(tmp_path, made(number, star=number == 2))
    one = take_files.wav_of(tmp_path, made(1).id).stat().st_size
    assert take_files.make_room(tmp_path, 6 * one) == 0
    assert take_files.make_room(tmp_path, 4 * one) == 2
    takes, _ = take_files.read_takes(tmp_path, 10)
    assert [take.number for take in takes] == [6, 5, 4, 2]
    assert take_files.make_room(tmp_path, 0) == 3  # what has a star stays, whatever it takes
    assert len(list(tmp_path.iterdir())) == 2


def test_deleted_can_come_back_until_the_next_start(tmp_path: Path) -> None:
    for number in (1, 2):
        take_files.write_take(tmp_path, made(number))
        take_files.hide(tmp_path, made(number).id)
    take_files.unhide(tmp_path, made(2).id)
    takes, _ = take_files.read_takes(tmp_path, 10)
    assert [take.number for take in takes] == [2]
    assert sorted(file.name for file in tmp_path.iterdir()) == [f"{made(2).id}.json", f"{made(2).id}.wav"]


@pytest.mark.parametrize(
    "content", [b"", b"[]", b"{}", b'{"id": 1}', b"\xff\xfe", json.dumps({"id": "strange", "reason": "end"}).encode()]
)
def test_a_foreign_file_is_left_alone(tmp_path: Path, content: bytes) -> None:
    take_files.write_take(tmp_path, made())
    (tmp_path / "strange.json").write_bytes(content)
    takes, _ = take_files.read_takes(tmp_path, 10)
    assert [take.number for take in takes] == [1]
    assert (tmp_path / "strange.json").read_bytes() == content


def test_no_folder_is_no_takes(tmp_path: Path) -> None:
    assert take_files.read_takes(tmp_path / "none", 10) == ([], 0)


def test_a_take_that_was_killed_is_kept_as_far_as_it_got(tmp_path: Path) -> None:
    program = """
        import os, signal, sys
        from pathlib import Path
        from app.speak.take_files import TakeWriter
        from tests.app.speak.test_take_files import SOUND, made
        writer = TakeWriter(Path(sys.argv[1]), made(reason="interrupted", seconds=0.0, peaks=(), samples=None))
        for start in range(0, len(SOUND), 1920):
            writer.append(SOUND[start : start + 1920])
        os.kill(os.getpid(), signal.SIGKILL)
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(program), str(tmp_path)], check=False)
    assert done.returncode != 0
    for rescued in (1, 0):  # the second start finds it mended
        (take,), count = take_files.read_takes(tmp_path, 10)
        assert count == rescued
        assert take.reason == "interrupted"
        assert take.remark == "cut off when the studio ended"
        assert take.seconds == pytest.approx(1.5)
        np.testing.assert_array_equal(take_files.read_samples(tmp_path, take), SOUND)


def test_a_take_without_a_sound_is_not_shown(tmp_path: Path) -> None:
    take_files.write_notes(tmp_path, made(reason="interrupted", peaks=(), samples=None))
    assert take_files.read_takes(tmp_path, 10) == ([], 0)
    assert not list(tmp_path.iterdir())


def test_a_disk_that_refuses_is_told_and_does_not_raise(tmp_path: Path) -> None:
    (tmp_path / "takes").write_text("a file where the folder should be", encoding="utf-8")
    writer = take_files.TakeWriter(tmp_path / "takes", made())
    writer.append(SOUND)
    writer.append(SOUND)
    writer.close()
    assert "takes" in writer.fault


def test_a_sound_that_went_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(engine.ClipError, match=r"take-00001-abcd\.wav"):
        take_files.read_samples(tmp_path, made(samples=None))


def test_peaks_are_the_loudest_of_each_stretch() -> None:
    sound = np.zeros(1000, np.float32)
    sound[505] = -0.75
    peaks = peaks_of(sound, 10)
    assert peaks == (0, 0, 0, 0, 0, 0.75, 0, 0, 0, 0)
    assert peaks_of(sound[:0]) == ()
    assert len(peaks_of(sound[:3])) == 3
