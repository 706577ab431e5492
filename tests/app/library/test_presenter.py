"""What the library page can do, with no widget: real lane, real library, a recorder for what is said."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QObject, Signal

import engine
from app.library.presenter import LibraryPresenter, opening_words
from app.messages import Level
from app.store import Opened, Query, Sort
from tests.app.helpers import made_voice, voice_file
from tests.app.library.conftest import Room


class FakePlayer(QObject):
    """The player's face without a sound device."""

    state_changed = Signal(str)
    failed = Signal(str)

    def __init__(self):
        super().__init__()
        self.source = None
        self.state = "stopped"
        self.played = []
        self.state_changed.connect(lambda state: setattr(self, "state", state))

    def play(self, samples, *, sample_rate):
        self.stop()
        self.source = object()
        self.played.append((samples, sample_rate))
        self.state_changed.emit("playing")

    def stop(self):
        self.state_changed.emit("stopped")


def sound_file(path, seconds=0.5):
    engine.write_sound(path, 0.1 * np.sin(np.arange(int(24_000 * seconds)) / 20).astype(np.float32))
    return path


def test_starting_reads_the_library_and_looks_at_the_newest(room):
    room.add("Mario", "Luigi")
    heard = []
    room.presenter.loaded.connect(lambda: heard.append("loaded"))
    room.start()
    assert heard == ["loaded"]
    assert room.names() == ["Luigi", "Mario"]
    assert room.presenter.current.name == "Luigi"
    assert room.presenter.total == 2
    assert room.messages.texts() == []


def test_a_library_that_cannot_be_opened_is_said_once(room):
    room.library.places.database.mkdir(parents=True)
    room.start()
    assert room.presenter.is_loaded
    assert len(room.messages.texts(Level.ERROR)) == 1
    assert "cannot be opened" in room.messages.last.text


def test_what_opening_found_is_said_in_words(tmp_path):
    opened = Opened(
        set_aside=tmp_path / "library.sqlite3.broken",
        adopted=("a", "b"),
        missing=("c", "d", "e", "f", "g", "h"),
        unreadable=(tmp_path / "letter.qvoice",),
        purged=("old",),
    )
    words = opening_words(opened)
    assert [level for level, _ in words] == ["warning", "info", "warning", "warning", "info"]
    assert "kept as" in words[0][1]
    assert "c, d, e, f, g and 1 more" in words[2][1]
    assert str(tmp_path / "letter.qvoice") in words[3][1]
    assert opening_words(Opened()) == []


def test_a_query_narrows_and_the_voice_looked_at_stays_if_it_can(room):
    room.add("Anna", "Mario", "Marion")
    room.start()
    room.presenter.select(next(record.id for record in room.presenter.records if record.name == "Mario"))
    room.presenter.set_query(Query("mar", sort=Sort.NAME))
    assert room.names() == ["Mario", "Marion"]
    assert room.presenter.current.name == "Mario"
    room.presenter.set_query(Query("anna"))
    assert room.presenter.current.name == "Anna"
    room.presenter.set_query(Query("nobody"))
    assert room.presenter.current is None
    assert room.presenter.total == 3


def test_rename_tags_notes_and_language(room):
    (mario,) = room.add("Mario")
    room.start()
    room.presenter.rename(mario.id, "Luigi")
    room.presenter.set_tags(mario.id, ["deep", ""])
    room.presenter.set_notes(mario.id, "hello")
    room.presenter.set_language(mario.id, "german")
    room.settle()
    current = room.presenter.current
    assert (current.name, current.tags, current.notes, current.language) == ("Luigi", ("deep",), "hello", "german")
    assert room.library.get(mario.id) == current
    assert room.presenter.languages == ["german"]


def test_a_refused_rename_is_said_and_the_true_name_shown_again(room):
    mario, luigi = room.add("Mario", "Luigi")
    room.start()
    shown = []
    room.presenter.records_changed.connect(lambda: shown.append(room.names()))
    room.presenter.rename(luigi.id, "mario")
    room.settle()
    assert "already a voice named mario" in room.messages.texts(Level.ERROR)[0]
    assert shown == [["Luigi", "Mario"]]
    assert room.library.get(mario.id).name == "Mario"


def test_delete_offers_undo_and_undo_brings_it_back(room):
    room.add("Anna", "Mario", "Zoë")
    room.start()
    mario = room.presenter.records[1]
    room.presenter.select(mario.id)
    room.presenter.delete([mario.id])
    room.settle()
    assert room.names() == ["Zoë", "Anna"]
    assert room.presenter.current.name == "Anna"  # the neighbour, not the top
    assert room.messages.last.text == "Deleted Mario."
    assert (room.presenter.total, room.presenter.in_trash) == (2, 1)
    room.messages.run_last_action()
    room.settle()
    assert room.names() == ["Zoë", "Mario", "Anna"]
    assert room.presenter.current.name == "Mario"
    assert room.messages.last.text == "Restored Mario."


def test_several_are_deleted_and_restored_together(room):
    room.add("Anna", "Mario", "Zoë")
    room.start()
    room.presenter.delete([record.id for record in room.presenter.records[:2]])
    room.settle()
    assert room.names() == ["Anna"]
    assert room.messages.last.text == "Deleted 2 voices."
    room.messages.run_last_action()
    room.settle()
    assert len(room.names()) == 3
    room.presenter.delete([])
    assert not room.lane.busy


def test_import_takes_voices_offers_sounds_and_names_the_rest(room, tmp_path):
    room.start()
    offered = []
    room.presenter.new_voice_from.connect(offered.append)
    (tmp_path / "letter.txt").write_text("Dear reader", encoding="utf-8")
    (tmp_path / "fake.qvoice").write_bytes(b"nothing")
    sound = sound_file(tmp_path / "take 1.wav")
    files = [voice_file(tmp_path / "Anna.bin", 1), sound, tmp_path / "letter.txt", tmp_path / "fake.qvoice", tmp_path]
    room.presenter.take_in(files)
    room.settle()
    assert room.names() == ["Anna"]
    assert room.presenter.current.name == "Anna"
    assert room.messages.texts(Level.SUCCESS) == ["Imported Anna."]
    errors = room.messages.texts(Level.ERROR)
    assert len(errors) == 3
    assert all(any(name in text for text in errors) for name in ("letter.txt", "fake.qvoice", str(tmp_path)))
    (note,) = [message for message in room.messages.history if message.level is Level.INFO]
    assert "take 1.wav is a sound" in note.text
    note.action.run()
    assert offered == [sound]


def test_importing_a_voice_that_is_there_says_so_and_can_be_undone(room, tmp_path):
    file = voice_file(tmp_path / "Anna.bin", 1)
    room.start()
    room.presenter.take_in([file])
    room.presenter.take_in([file])
    room.settle()
    assert room.messages.last.level is Level.WARNING
    assert room.messages.last.text == "Imported Anna (2). The same voice is already here as Anna."
    room.messages.run_last_action()
    room.settle()
    assert room.names() == ["Anna"]


def test_export_writes_the_file_and_says_where(room, tmp_path):
    (mario,) = room.add("Mario")
    room.start()
    room.presenter.exports.export(mario, tmp_path / "out.bin", "light")
    room.settle()
    assert (tmp_path / "out.bin").read_bytes() == made_voice(0).x_vector.tobytes()
    assert room.messages.last.text == f"Saved out.bin (Light) in {tmp_path}."
    (tmp_path / "file").write_bytes(b"")
    room.presenter.exports.export(mario, tmp_path / "file" / "out.bin", "light")
    room.settle()
    assert room.messages.last.level is Level.ERROR
    assert "out.bin" in room.messages.last.text


def test_the_tiers_an_export_can_have_follow_the_models_at_hand(room, tmp_path):
    (mario,) = room.add("Mario")
    exports = room.presenter.exports

    def reasons():
        return {offer.kind: offer.reason for offer in exports.offers(mario)}

    found = reasons()
    assert (found["light"], found["bundle"]) == ("", "")
    assert "Base model, which is not here" in found["standard"]
    assert "Base and CustomVoice models" in found["wdelta"]
    exports.pair_for = lambda width: engine.ModelPair(tmp_path)
    found = reasons()
    assert found["standard"] == ""
    assert "CustomVoice model too" in found["wdelta"]
    exports.pair_for = lambda width: engine.ModelPair(tmp_path, tmp_path)
    assert set(reasons().values()) == {""}


def test_a_voice_without_a_preview_asks_for_one(room):
    (mario,) = room.add("Mario")
    room.start()
    with room.qtbot.waitSignal(room.presenter.preview_requested) as asked:
        room.presenter.toggle_play(mario.id)
    assert asked.args == [mario.id]


@pytest.fixture
def sounding(qtbot, tmp_path):
    room = Room(qtbot, FakePlayer())
    for record in room.add("Anna", "Mario"):
        room.library.set_preview(record.id, sound_file(tmp_path / "take.wav"))
    room.start()
    yield room
    room.close()


def test_a_stored_preview_is_played_and_stopped(sounding):
    room = sounding
    player = room.presenter.previews._player
    told = []
    room.presenter.previews.playing_changed.connect(told.append)
    anna = room.presenter.records[1].id
    room.presenter.toggle_play(anna)
    room.settle()
    ((samples, rate),) = player.played
    assert rate == 24_000
    assert len(samples) == 12_000
    assert room.presenter.previews.playing_id == anna
    room.presenter.toggle_play(anna)
    assert told == [anna, ""]


def test_the_last_voice_asked_for_is_the_one_heard(sounding):
    room = sounding
    player = room.presenter.previews._player
    first, second = (record.id for record in room.presenter.records)
    room.presenter.toggle_play(first)
    room.presenter.toggle_play(second)
    room.settle()
    assert len(player.played) == 1
    assert room.presenter.previews.playing_id == second


def test_another_rooms_sound_ends_the_preview_and_is_not_taken_for_it(sounding):
    room = sounding
    player = room.presenter.previews._player
    room.presenter.toggle_play(room.presenter.records[0].id)
    room.settle()
    player.play(np.zeros(10, np.float32), sample_rate=24_000)
    assert room.presenter.previews.playing_id == ""
    other = player.source
    room.presenter.previews.stop()
    assert player.source is other


def test_a_preview_that_cannot_be_read_is_said(sounding):
    room = sounding
    record = room.presenter.records[0]
    room.library.preview_of(record).write_bytes(b"not a sound")
    room.presenter.toggle_play(record.id)
    room.settle()
    assert room.presenter.previews.playing_id == ""
    assert room.messages.last.level is Level.ERROR


def test_a_new_preview_is_kept_with_the_voice(room, tmp_path):
    (mario,) = room.add("Mario")
    room.start()
    room.presenter.keep_preview(mario.id, sound_file(tmp_path / "take.wav"))
    room.settle()
    assert room.library.preview_of(room.presenter.current).is_file()


def test_speaking_with_a_voice_needs_its_file(room):
    mario, luigi = room.add("Mario", "Luigi")
    room.library.close()
    room.library.file_of(luigi).unlink()
    room.start()
    asked = []
    room.presenter.speak_with.connect(asked.append)
    room.presenter.speak(mario.id)
    room.presenter.speak(luigi.id)
    assert asked == [mario.id]
    assert "The file of Luigi is gone" in room.messages.last.text


def test_a_voice_saved_by_another_room_appears_and_is_looked_at(room):
    room.add("Mario")
    room.start()
    new = room.library.save(made_voice(5), "Anna", "light")
    room.presenter.refresh(select=new.id)
    room.settle()
    assert room.presenter.current == new


def test_nothing_waits_for_the_disk(room):
    """Every act returns before its work is done, or the window would stand still."""
    (mario,) = room.add("Mario")
    room.start()
    presenter: LibraryPresenter = room.presenter
    presenter.rename(mario.id, "Luigi")
    assert room.library.get(mario.id).name in ("Mario", "Luigi")
    assert presenter.current.name == "Mario"
    room.settle()
    assert presenter.current.name == "Luigi"
