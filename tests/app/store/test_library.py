"""The library on a real disk with the real SQLite."""

from __future__ import annotations

import json
import threading
from dataclasses import fields

import numpy as np
import pytest

import engine
from app.store import Library, LibraryError, Query, Sort, VoiceDetails, records
from app.store.database import connect
from tests.app.helpers import made_voice, voice_file


def add(library, name, seed=0, **extra):
    return library.save(made_voice(seed), name, "light", **extra)


def test_a_voice_is_kept_with_all_that_is_known_of_it(library, places):
    voice = made_voice(1, language="italian", transcript="Ciao a tutti", reference_seconds=28.4)
    kept = library.save(voice, "Màrio 声", "light", model_label="0.6B Base", tags=["deep", "Deep", " "], notes="x")
    again = Library(places)
    (found,) = again.voices()
    again.close()
    assert found == kept
    assert (found.name, found.language, found.transcript) == ("Màrio 声", "italian", "Ciao a tutti")
    assert (found.reference_seconds, found.model_label, found.tags) == (28.4, "0.6B Base", ("deep",))
    assert np.array_equal(found.vector, voice.x_vector)
    assert library.file_of(found) == places.voices / "Màrio 声.bin"
    assert found.size_bytes == 4 * 64 == library.file_of(found).stat().st_size
    assert found.created_at.tzinfo is not None


def test_two_equal_names_get_a_number_and_files_of_their_own(library):
    first, second, third = add(library, "Mario", 1), add(library, "mario", 2), add(library, "MARIO", 3)
    assert [voice.name for voice in (first, second, third)] == ["Mario", "mario (2)", "MARIO (3)"]
    assert len({voice.file.casefold() for voice in (first, second, third)}) == 3
    assert np.array_equal(engine.load_voice(library.file_of(second)).x_vector, made_voice(2).x_vector)


def test_a_file_from_outside_is_copied_and_stays(library, tmp_path, places):
    outside = voice_file(tmp_path / "Anna.bin", 4)
    details = VoiceDetails.of(engine.load_voice(outside), "Anna")
    kept = library.add(details, outside)
    assert outside.exists()
    assert library.file_of(kept).read_bytes() == outside.read_bytes()
    assert library.file_of(kept).parent == places.voices


def test_a_file_written_in_its_free_place_is_kept_there(library):
    file = library.new_file("Anna", "light")
    engine.save_voice(made_voice(4), file, "light")
    kept = library.add(VoiceDetails.of(made_voice(4), "Anna"), file)
    assert library.file_of(kept) == file
    assert library.new_file("Anna", "light") != file


def test_renaming_renames_the_file_and_the_voice_inside(library):
    kept = add(library, "Mario")
    renamed = library.rename(kept.id, "  Luigi / «2»  ")
    assert renamed.name == "Luigi / «2»"
    assert renamed.file == "Luigi _ «2».bin"
    assert not (library.places.voices / "Mario.bin").exists()
    assert library.load(kept.id).name == "Luigi / «2»"
    assert renamed.updated_at >= kept.updated_at


def test_renaming_to_another_case_of_itself_is_allowed(library):
    kept = add(library, "mario")
    assert library.rename(kept.id, "Mario").name == "Mario"
    assert library.load(kept.id).width == 64


def test_a_name_that_is_taken_or_empty_is_refused_and_nothing_changes(library):
    add(library, "Mario", 1)
    luigi = add(library, "Luigi", 2)
    with pytest.raises(LibraryError, match="already a voice named mario"):
        library.rename(luigi.id, "mario")
    with pytest.raises(LibraryError, match="needs a name"):
        library.rename(luigi.id, " \n")
    assert library.get(luigi.id) == luigi


def test_tags_and_notes(library):
    kept = add(library, "Mario")
    library.set_tags(kept.id, ["deep", "old, man", "DEEP"])
    library.set_notes(kept.id, "  Recorded at home.  ")
    changed = library.get(kept.id)
    assert changed.tags == ("deep", "old man")
    assert changed.notes == "Recorded at home."
    assert library.voices(Query("home")) == [changed]


def test_delete_and_restore(library, places):
    kept = add(library, "Mario", tags=["deep"])
    deleted = library.delete(kept.id)
    assert library.voices() == []
    assert library.voices(Query(deleted=True)) == [deleted]
    assert library.file_of(deleted).parent == places.trash
    assert library.file_of(deleted).exists()
    restored = library.restore(kept.id)
    assert library.voices() == [restored]
    assert (restored.name, restored.tags, restored.id) == ("Mario", ("deep",), kept.id)
    assert np.array_equal(library.load(kept.id).x_vector, made_voice().x_vector)
    assert library.delete(kept.id) == library.delete(kept.id)  # twice is once


def test_a_restored_voice_whose_name_was_given_away_gets_a_number(library):
    first = add(library, "Mario", 1)
    library.delete(first.id)
    second = add(library, "Mario", 2)
    restored = library.restore(first.id)
    assert (second.name, restored.name) == ("Mario", "Mario (2)")
    assert np.array_equal(library.load(first.id).x_vector, made_voice(1).x_vector)
    assert np.array_equal(library.load(second.id).x_vector, made_voice(2).x_vector)


def test_export_is_byte_identical(library, tmp_path):
    kept = add(library, "Mario")
    target = tmp_path / "out" / "Ma rio.bin"
    assert library.export_to(kept.id, target) == 4 * 64
    assert target.read_bytes() == library.file_of(kept).read_bytes()


def test_export_then_import_gives_an_equal_record(library, tmp_path):
    voice = made_voice(9, language="japanese", transcript="こんにちは", reference_seconds=12.5)
    kept = library.save(voice, "声 №1", "light", model_label="1.7B Base", tags=["a", "b"], notes="two\nlines")
    library.export_to(kept.id, tmp_path / "x.bin")
    library.delete(kept.id)
    found = library.import_file(tmp_path / "x.bin").record
    for field in fields(found):
        if field.name not in ("id", "updated_at", "file"):
            assert getattr(found, field.name) == getattr(kept, field.name), field.name


def test_export_as_another_tier_is_composed_by_the_engine(library, tmp_path):
    kept = add(library, "Mario")
    with pytest.raises(engine.QVoiceError, match="Base model"):
        library.export_to(kept.id, tmp_path / "Mario.qvoice", tier="standard")
    assert not (tmp_path / "Mario.qvoice").exists()


def test_importing_checks_the_file_first(library, tmp_path):
    (tmp_path / "fake.qvoice").write_bytes(b"RIFF....WAVE")
    with pytest.raises(engine.VoiceError, match=r"fake\.qvoice"):
        library.import_file(tmp_path / "fake.qvoice")
    with pytest.raises(engine.VoiceError):
        library.import_file(tmp_path / "absent.bin")
    assert library.voices() == []
    assert list(library.places.voices.iterdir()) == []


def test_importing_reports_a_voice_that_is_already_there(library, tmp_path):
    outside = voice_file(tmp_path / "Anna.bin", 4)
    first = library.import_file(outside)
    second = library.import_file(outside)
    assert first.twin is None
    assert second.twin == first.record
    assert (first.record.name, second.record.name) == ("Anna", "Anna (2)")


def test_a_cancelled_import_leaves_nothing(library, tmp_path):
    outside = voice_file(tmp_path / "Anna.bin", 4)
    cancel = engine.Cancel()
    cancel.cancel()
    with pytest.raises(engine.Cancelled):
        library.import_file(outside, cancel)
    assert library.voices() == []
    assert list(library.places.voices.iterdir()) == []


def test_copying_says_how_far_it_is(library, tmp_path):
    outside = voice_file(tmp_path / "Anna.bin", 4)
    heard = []
    library.import_file(outside, report=heard.append)
    assert (heard[-1].done, heard[-1].total, heard[-1].unit) == (256, 256, "bytes")


def test_a_preview_is_kept_and_found(library, tmp_path):
    sound = tmp_path / "take.wav"
    engine.write_sound(sound, np.zeros(2400, np.float32))
    kept = library.set_preview(add(library, "Mario").id, sound)
    assert library.preview_of(kept).read_bytes() == sound.read_bytes()
    library.preview_of(kept).unlink()
    assert library.preview_of(kept) is None


def test_a_voice_that_is_gone_is_named_so(library):
    with pytest.raises(LibraryError, match="no longer in the library"):
        library.rename("0" * 32, "x")
    kept = add(library, "Mario")
    library.file_of(kept).unlink()
    with pytest.raises(LibraryError, match=r"The file of Mario is gone: .*Mario\.bin"):
        library.load(kept.id)
    assert library.delete(kept.id).deleted_at is not None


def test_a_thousand_voices_are_listed_in_order(library):
    library.open()
    with library._writing() as connection:
        for number in range(1000):
            details = VoiceDetails.of(made_voice(number, width=1024), f"Voice {number:04}")
            records.insert(connection, records.new_record(details, details.name, f"{details.name}.bin", 4096))
    found = [voice.name for voice in library.voices(Query("voice 09", sort=Sort.NAME))]
    assert found == [f"Voice {number:04}" for number in range(1000) if "09" in f"{number:04}"]
    assert len(library.voices()) == 1000


def test_each_thread_has_its_own_connection(library):
    add(library, "Mario")
    seen = []
    worker = threading.Thread(target=lambda: seen.append([voice.name for voice in library.voices()]))
    worker.start()
    worker.join()
    assert seen == [["Mario"]]


def test_a_full_disk_is_said_in_one_line_and_changes_nothing(library):
    kept = add(library, "Mario")
    connection = library._open().connection
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    connection.execute(f"PRAGMA max_page_count = {pages}")  # SQLite's own "disk is full"
    with pytest.raises(LibraryError, match="could not be changed: database or disk is full"):
        library.set_notes(kept.id, "x" * 1_000_000)
    assert library.get(kept.id).notes == ""
    assert json.loads((library.places.voices / "Mario.bin.json").read_text(encoding="utf-8"))


def test_a_database_of_a_newer_studio_is_left_alone(places):
    connection = connect(places.database)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = places.database.read_bytes()
    library = Library(places)
    with pytest.raises(LibraryError, match="made by a newer QVoice Studio"):
        library.open()
    library.close()
    assert places.database.read_bytes() == before
