"""A library that was hurt: killed in mid-write, its database broken, its folders changed by hand."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from datetime import timedelta
from pathlib import Path

import numpy as np
import pytest

import engine
from app.store import Library, Query, clock, opening
from app.store.database import Database, connect
from tests.app.helpers import made_voice, voice_file

ROOT = Path(__file__).parents[3]

BUSY = """
import itertools, sys
from app.paths import paths
from app.store import Library
from tests.app.helpers import made_voice

library = Library(paths())
library.save(made_voice(int(sys.argv[1]) + 999), "First", "light")
print("at work", flush=True)
for number in itertools.count():
    kept = library.save(made_voice(number + int(sys.argv[1])), f"Voice {number % 3}", "light", tags=["a", "b"])
    library.rename(kept.id, f"Renamed {number}")
    library.set_notes(kept.id, "n" * 5000)
    library.delete(kept.id)
    if number % 2:
        library.restore(kept.id)
"""


def reopened(places):
    library = Library(places)
    return library, library.open()


def state(library):
    """What a person would see, without when it was last changed."""
    found = library.voices() + library.voices(Query(deleted=True))
    return {(v.name, v.tags, v.notes, v.x_vector, v.deleted_at is None, v.id) for v in found}


def filled(places):
    library = Library(places)
    for number, name in enumerate(("Mario", "Zoë 声", "gone")):
        library.save(made_voice(number, language="german"), name, "light", tags=["x", name], notes=f"of {name}")
    library.delete(library.voices(Query("gone"))[0].id)
    library.recovery.begin("recording", places.recordings / "1.wav")
    seen = state(library)
    library.close()
    return seen


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="only POSIX kills outright")
def test_a_process_killed_in_mid_write_leaves_a_sound_library(places):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    dice = random.Random(7)
    seen = 0
    for start in range(0, 10_000, 1000):
        process = subprocess.Popen(
            [sys.executable, "-c", BUSY, str(start)], stdout=subprocess.PIPE, text=True, env=environment
        )
        assert process.stdout.readline() == "at work\n"
        time.sleep(dice.uniform(0.02, 0.3))
        process.kill()
        process.communicate()
        library, opened = reopened(places)
        assert opened.set_aside is None
        assert opened.missing == ()
        assert opened.unreadable == ()
        live, trashed = library.voices(), library.voices(Query(deleted=True))
        seen = len(live + trashed)
        for voice in live + trashed:
            assert engine.load_voice(library.file_of(voice)).x_vector.astype("<f4").tobytes() == voice.x_vector
        assert {voice.file for voice in live} == {path.name for path in places.voices.glob("[!.]*.bin")}
        assert {voice.file for voice in trashed} == {path.name for path in places.trash.glob("[!.]*.bin")}
        (verdict,) = library._open().connection.execute("PRAGMA integrity_check").fetchone()
        assert verdict == "ok"
        library.close()
    assert seen >= 10  # at least what each had saved before it said so


def scribble(path, offset, data):
    with path.open("r+b") as file:
        file.seek(offset)
        file.write(data)


@pytest.mark.parametrize("hurt", ["not a database", "header", "pages", "cut", "schema"])
def test_a_broken_database_is_set_aside_and_everything_comes_back(places, hurt):
    before = filled(places)
    size = places.database.stat().st_size
    if hurt == "not a database":
        places.database.write_bytes(b"I am not a database, " * 500)
    elif hurt == "header":
        scribble(places.database, 0, os.urandom(100))
    elif hurt == "pages":
        scribble(places.database, 4096, os.urandom(size - 4096))
    elif hurt == "cut":
        os.truncate(places.database, size - 4096 * 3)
    else:
        scribble(places.database, 100, b"\xff" * 60)
    library, opened = reopened(places)
    assert opened.set_aside is not None
    assert opened.set_aside.exists()
    assert opened.set_aside.name.endswith(".broken")
    assert clock.now().strftime("%Y%m%dT") in opened.set_aside.name
    assert state(library) == before
    library.close()
    library, opened = reopened(places)
    assert opened == opening.Opened()
    library.close()


def test_rows_that_can_still_be_read_are_taken_from_the_broken_file(places):
    filled(places)
    database = Database(places.database)
    with database.writing() as connection:
        connection.execute("UPDATE voices SET notes = 'only in the database' WHERE name = 'Mario'")
    database.connection.execute("PRAGMA foreign_keys = OFF")
    database.connection.execute("INSERT INTO tags VALUES ('nobody', 0, 'orphan')")
    database.close()
    library, opened = reopened(places)
    assert opened.set_aside is not None
    assert library.voices(Query("mario"))[0].notes == "only in the database"
    library.close()


def test_a_deleted_database_is_made_again_from_the_voice_files(places):
    before = filled(places)
    for path in places.data.glob("library.sqlite3*"):
        path.unlink()
    library, opened = reopened(places)
    assert opened.set_aside is None
    assert sorted(opened.adopted) == ["Mario", "Zoë 声", "gone"]
    assert state(library) == before
    library.close()


def test_a_database_that_cannot_be_opened_for_another_reason_is_not_set_aside(places):
    places.database.mkdir(parents=True)
    library = Library(places)
    with pytest.raises(engine.QVoiceError, match="cannot be opened"):
        library.open()
    library.close()
    assert places.database.is_dir()


def test_files_put_into_the_folder_by_hand_are_taken_in(places):
    filled(places)
    voice_file(places.voices / "By hand.bin", 50)
    (places.voices / "letter.qvoice").write_bytes(b"Dear reader")
    (places.voices / "readme.txt").write_bytes(b"not ours")
    library, opened = reopened(places)
    assert opened.adopted == ("By hand",)
    assert opened.unreadable == (places.voices / "letter.qvoice",)
    assert np.array_equal(library.voices(Query("hand"))[0].vector, made_voice(50).x_vector)
    library.close()
    assert (places.voices / "letter.qvoice").exists()
    assert (places.voices / "readme.txt").exists()


def test_a_file_taken_away_is_said_and_found_again_under_another_name(places):
    filled(places)
    (places.voices / "Mario.bin").rename(places.data / "elsewhere.bin")
    library, opened = reopened(places)
    assert opened.missing == ("Mario",)
    assert library.voices(Query("mario"))[0].missing
    library.close()
    (places.data / "elsewhere.bin").rename(places.voices / "elsewhere.bin")
    library, opened = reopened(places)
    assert (opened.missing, opened.adopted) == ((), ())
    found = library.voices(Query("mario"))[0]
    assert (found.missing, found.file, found.tags) == (False, "elsewhere.bin", ("x", "Mario"))
    library.close()


def test_a_kill_between_the_move_and_the_record_is_set_right(places):
    filled(places)
    (places.voices / "Mario.bin").rename(places.trash / "Mario.bin")
    (places.trash / "gone.bin").rename(places.voices / "gone.bin")
    library, opened = reopened(places)
    assert opened == opening.Opened()
    assert {voice.name for voice in library.voices()} == {"Zoë 声", "gone"}
    assert [voice.name for voice in library.voices(Query(deleted=True))] == ["Mario"]
    library.close()


def at(monkeypatch, days):
    moment = clock.now() + timedelta(days=days)
    monkeypatch.setattr(clock, "now", lambda: moment)


def test_old_trash_is_purged_and_named_and_nothing_younger(places, monkeypatch):
    library = Library(places)
    old, young = (library.save(made_voice(number), name, "light") for number, name in enumerate(("old", "young")))
    library.delete(old.id)
    real_now = clock.now
    at(monkeypatch, 15)
    library.delete(young.id)
    library.close()
    monkeypatch.setattr(clock, "now", real_now)
    at(monkeypatch, 29.5)
    library, opened = reopened(places)
    assert opened.purged == ()
    library.close()
    monkeypatch.setattr(clock, "now", real_now)
    at(monkeypatch, 30.4)
    library, opened = reopened(places)
    assert opened.purged == ("old",)
    assert [voice.name for voice in library.voices(Query(deleted=True))] == ["young"]
    assert sorted(path.name for path in places.trash.iterdir()) == ["young.bin", "young.bin.json"]
    library.close()


def test_a_clock_that_jumps_does_not_empty_the_trash(places, monkeypatch):
    filled(places)
    at(monkeypatch, 4000)
    library, opened = reopened(places)
    assert opened.purged == ()
    assert len(library.voices(Query(deleted=True))) == 1
    library.close()


def test_half_written_files_are_swept_away(places):
    filled(places)
    old, young = places.voices / ".Anna.bin.abc123.part", places.voices / ".Zoë.bin.abc123.part"
    unpacked = places.data / ".bundle-abc123"
    unpacked.mkdir()
    for file in (old, young, unpacked / "voice.bin"):
        file.write_bytes(b"half")
    for place in (old, unpacked):
        os.utime(place, (0, 0))
    library, opened = reopened(places)
    assert opened == opening.Opened()
    assert not old.exists()
    assert not unpacked.exists()
    assert young.exists()  # another program may be writing it
    library.close()


def test_the_schema_refuses_nonsense(places):
    filled(places)
    connection = connect(places.database)
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("UPDATE voices SET x_vector = x'00'")
    with pytest.raises(sqlite3.IntegrityError):
        connection.execute("UPDATE voices SET name_key = 'same', deleted_at = NULL")
    connection.close()
