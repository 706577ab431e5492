"""A voice, its notes and its preview in one file; and files of strangers that only look like one."""

from __future__ import annotations

import stat
import struct
import zipfile
from dataclasses import fields

import numpy as np
import pytest

import engine
from app.store.bundle import is_bundle
from tests.app.helpers import made_voice, voice_file

VECTOR = made_voice(1).x_vector.tobytes()


@pytest.fixture
def sound(tmp_path):
    path = tmp_path / "preview.wav"
    engine.write_sound(path, 0.1 * np.sin(np.arange(6000) / 20).astype(np.float32))
    return path


def full_voice(library, sound):
    """A voice with every field set."""
    voice = made_voice(
        9,
        language="japanese",
        transcript="こんにちは",
        reference_seconds=12.5,
        origin=engine.Origin(consent="mine, 2026-12-01", licence="CC0", preview_seed=7),
    )
    record = library.save(voice, "声 №1", "light", model_label="1.7B Base", tags=["a", "b"], notes="two\nlines")
    library.set_star(record.id, True)
    return library.set_preview(record.id, sound)


def test_a_bundle_brings_back_an_equal_voice(library, sound, tmp_path):
    kept = full_voice(library, sound)
    size = library.export_bundle(kept.id, tmp_path / "gift.qvbundle")
    assert size == (tmp_path / "gift.qvbundle").stat().st_size
    library.delete(kept.id)
    library.empty_trash()
    found = library.import_bundle(tmp_path / "gift.qvbundle").record
    for field in fields(found):
        if field.name not in ("id", "updated_at", "file", "preview"):
            assert getattr(found, field.name) == getattr(kept, field.name), field.name
    assert library.preview_of(found).read_bytes() == sound.read_bytes()
    assert library.load(found.id).origin == engine.Origin(consent="mine, 2026-12-01", licence="CC0", preview_seed=7)
    assert list(library.places.data.glob(".bundle-*")) == []


@pytest.mark.parametrize("way", ["export", "duplicate"])
def test_consent_goes_with_every_copy(library, sound, tmp_path, way):
    kept = full_voice(library, sound)
    if way == "export":
        library.export_to(kept.id, tmp_path / "x.bin")
        copied = library.import_file(tmp_path / "x.bin").record
    else:
        copied = library.duplicate(kept.id)
    assert library.load(copied.id).origin.consent == "mine, 2026-12-01"


def test_a_voice_without_a_preview_makes_a_bundle_too(library, tmp_path):
    kept = library.save(made_voice(1), "Mario", "light")
    library.export_bundle(kept.id, tmp_path / "Mario.qvbundle")
    imported = library.import_bundle(tmp_path / "Mario.qvbundle")
    assert (imported.record.name, imported.record.preview) == ("Mario (2)", "")
    assert imported.twin.id == kept.id


def test_a_bundle_is_known_by_its_name_or_its_first_bytes(library, tmp_path):
    kept = library.save(made_voice(1), "Mario", "light")
    library.export_bundle(kept.id, tmp_path / "Mario.zip")
    assert is_bundle(tmp_path / "Mario.zip")
    assert is_bundle(tmp_path / "gone.QVBUNDLE")
    assert not is_bundle(voice_file(tmp_path / "a.bin"))
    assert not is_bundle(tmp_path / "gone.bin")


def zipped(path, *entries, packed=zipfile.ZIP_STORED):
    with zipfile.ZipFile(path, "w", packed) as archive:
        for name, data in entries:
            archive.writestr(name, data)
    return path


def link(path):
    info = zipfile.ZipInfo("voice.bin")
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return zipped(path, (info, "/etc/passwd"))


def twice(path):
    zipped(path, ("voice.bin", VECTOR), ("voice.bim", VECTOR))
    path.write_bytes(path.read_bytes().replace(b"voice.bim", b"voice.bin"))
    return path


def overlapping(path):
    """Two entries that are the same bytes of the file, as bombs without packing are made."""
    zipped(path, ("voice.bin", bytes(100_000)), ("preview.wav", b""))
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02")
    data[at + 20 : at + 28] = struct.pack("<2L", 100_000, 100_000)
    data[at + 42 : at + 46] = struct.pack("<L", 0)
    path.write_bytes(data)
    return path


def long_list(path):
    return zipped(path, *((f"{number}.bin", b"") for number in range(3000)))


def hidden_list(path):
    """The classic end tells of one entry, the 64-bit one before it of many."""
    data = zipped(path, ("voice.bin", VECTOR)).read_bytes()
    path.write_bytes(data[:-22] + struct.pack("<4sLQL", b"PK\x06\x07", 0, 0, 1) + data[-22:])
    return path


def changed_byte(path):
    data = bytearray(zipped(path, ("voice.bin", VECTOR)).read_bytes())
    data[60] ^= 1
    path.write_bytes(data)
    return path


HOSTILE = {
    "a name that climbs": lambda path: zipped(path, ("../voice.bin", VECTOR)),
    "an absolute name": lambda path: zipped(path, ("/tmp/voice.bin", VECTOR)),
    "a stranger beside the voice": lambda path: zipped(path, ("voice.bin", VECTOR), ("run.sh", b"#!")),
    "a link": link,
    "two of one name": twice,
    "two voices": lambda path: zipped(path, ("voice.bin", VECTOR), ("voice.qvoice", VECTOR)),
    "no voice": lambda path: zipped(path, ("notes.json", b"{}")),
    "empty": lambda path: zipped(path),
    "a bomb": lambda path: zipped(path, ("voice.bin", bytes(50_000_000)), packed=zipfile.ZIP_DEFLATED),
    "overlapping entries": overlapping,
    "notes of 5 MB": lambda path: zipped(path, ("voice.bin", VECTOR), ("notes.json", bytes(5 << 20))),
    "a list of 3000 entries": long_list,
    "a second list": hidden_list,
    "cut short": lambda path: path.write_bytes(zipped(path, ("voice.bin", VECTOR)).read_bytes()[:-30]),
    "a changed byte": changed_byte,
    "no bytes": lambda path: path.write_bytes(b""),
    "not a voice": lambda path: zipped(path, ("voice.bin", b"RIFF....WAVE")),
    "a preview that is no sound": lambda path: zipped(path, ("voice.bin", VECTOR), ("preview.wav", b"no sound")),
}


@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_bundle_is_refused_in_one_line_and_leaves_nothing(library, tmp_path, make):
    path = tmp_path / "gift.qvbundle"
    make(path)
    library.open()
    before = sorted(place for place in library.places.data.rglob("*") if "sqlite3" not in place.name)
    with pytest.raises(engine.QVoiceError) as refused:
        library.import_bundle(path)
    assert "\n" not in str(refused.value)
    assert library.everything() == []
    assert sorted(place for place in library.places.data.rglob("*") if "sqlite3" not in place.name) == before
    assert not library._open().connection.execute("SELECT * FROM facts WHERE name LIKE 'claimed:%'").fetchall()


def test_a_cancelled_import_or_export_leaves_nothing(library, sound, tmp_path):
    kept = full_voice(library, sound)
    library.export_bundle(kept.id, tmp_path / "gift.qvbundle")
    cancel = engine.Cancel()
    cancel.cancel()
    with pytest.raises(engine.Cancelled):
        library.import_bundle(tmp_path / "gift.qvbundle", cancel)
    with pytest.raises(engine.Cancelled):
        library.export_bundle(kept.id, tmp_path / "other.qvbundle", cancel)
    assert [record.id for record in library.everything()] == [kept.id]
    assert not (tmp_path / "other.qvbundle").exists()


def test_a_preview_that_cannot_be_kept_takes_the_voice_back(library, sound, tmp_path):
    kept = full_voice(library, sound)
    library.export_bundle(kept.id, tmp_path / "gift.qvbundle")
    previews = library.places.previews
    previews.rename(previews.with_name("elsewhere"))
    previews.write_bytes(b"in the way")
    with pytest.raises(engine.WriteError):
        library.import_bundle(tmp_path / "gift.qvbundle")
    assert [record.id for record in library.everything()] == [kept.id]
    assert len(list(library.places.voices.glob("[!.]*.bin"))) == 1
