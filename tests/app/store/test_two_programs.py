"""Two programs on one library at once, with real processes: no voice is lost, doubled or mixed up."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path

import engine
from app.store import Library
from app.store.migrations import MIGRATIONS
from tests.app.helpers import made_voice

ROOT = Path(__file__).parents[3]

BUSY = """
import sys
from app.paths import paths
from app.store import Library
from tests.app.helpers import made_voice

first, count = map(int, sys.argv[1:])
print("ready", flush=True)
sys.stdin.readline()
for number in range(first, first + count):
    library = Library(paths())  # opened anew each time: what the other is writing must not be taken for a stray
    library.open()
    record = library.save(made_voice(number), "Anna", "light", tags=[str(number)])
    if number % 3 == 0:
        library.rename(record.id, f"Renamed {number}")
    if number % 4 == 0:
        library.delete(record.id)
    library.close()
"""


def start(*arguments):
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", BUSY, *arguments]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment)


def run_both(count, *firsts):
    programs = [start(str(first), str(count)) for first in firsts]
    for program in programs:
        assert program.stdout.readline() == "ready\n"
    for program in programs:
        program.stdin.write("go\n")
        program.stdin.flush()
    for program in programs:
        _, said = program.communicate(timeout=120)
        assert program.returncode == 0, said


def test_two_programs_save_rename_and_delete_at_once(places):
    run_both(12, 0, 100)
    library = Library(places)
    opened = library.open()
    assert (opened.adopted, opened.missing, opened.unreadable, opened.set_aside) == ((), (), (), None)
    found = {record.tags: record for record in library.everything()}
    expected = [*range(12), *range(100, 112)]
    assert sorted(int(tag) for (tag,) in found) == expected
    assert len(library.everything()) == len(expected)
    for number in expected:
        record = found[(str(number),)]
        assert record.x_vector == made_voice(number).x_vector.astype("<f4").tobytes()
        assert engine.load_voice(library.file_of(record)).x_vector.tobytes() == record.x_vector
        assert (record.deleted_at is not None) == (number % 4 == 0)
    library.close()


def test_two_programs_bring_an_old_library_to_the_newest_shape_at_once(places):
    places.database.parent.mkdir(parents=True)
    connection = sqlite3.connect(places.database)
    connection.executescript(f"{MIGRATIONS[0]}; PRAGMA user_version = 1;")
    connection.close()
    run_both(2, 1, 101)
    library = Library(places)
    assert len(library.everything()) == 4
    library.close()
