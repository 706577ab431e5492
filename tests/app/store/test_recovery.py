from __future__ import annotations

from datetime import timedelta

from app.store import Library, clock


def test_a_sound_begun_and_never_saved_is_offered_at_the_next_start(library, places):
    recording, take = places.recordings / "é.wav", places.takes / "2.wav"
    for path in (recording, take):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"sound")
    library.recovery.begin("recording", recording, "Microphone")
    library.recovery.mark(library.recovery.begin("take", take, "Hello"), "complete")
    library.close()
    again = Library(places)
    found = {(sound.kind, sound.path, sound.label, sound.state) for sound in again.recovery.unsaved()}
    again.close()
    assert found == {("recording", recording, "Microphone", "open"), ("take", take, "Hello", "complete")}


def test_what_was_saved_discarded_or_is_gone_is_not_offered(library, places):
    places.takes.mkdir(parents=True)
    for state in ("saved", "discarded"):
        (places.takes / f"{state}.wav").write_bytes(b"sound")
        library.recovery.mark(library.recovery.begin("take", places.takes / f"{state}.wav"), state)
    library.recovery.begin("take", places.takes / "never there.wav")
    assert library.recovery.unsaved() == []
    assert (places.takes / "discarded.wav").exists()  # only a person deletes


def test_sounds_of_this_session_can_be_left_out(library, places):
    places.takes.mkdir(parents=True)
    (places.takes / "1.wav").write_bytes(b"sound")
    library.recovery.begin("take", places.takes / "1.wav")
    assert library.recovery.unsaved(before=clock.now() - timedelta(hours=1)) == []
    assert len(library.recovery.unsaved(before=clock.now() + timedelta(hours=1))) == 1


def test_beginning_again_at_the_same_place_is_one_sound(library, places):
    places.takes.mkdir(parents=True)
    (places.takes / "1.wav").write_bytes(b"sound")
    first = library.recovery.begin("take", places.takes / "1.wav")
    library.recovery.mark(first, "saved")
    second = library.recovery.begin("take", places.takes / "1.wav")
    assert first == second
    assert [sound.state for sound in library.recovery.unsaved()] == ["open"]
