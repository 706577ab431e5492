"""Words belong to one selection."""

from __future__ import annotations

from app.wizard.transcript import Transcript


def test_words_are_stale_after_another_selection_until_they_are_confirmed() -> None:
    words = Transcript()
    words.follow((0.0, 25.0))
    words.set_text("all of it ")
    assert not words.stale
    words.follow((0.0, 10.0))
    assert words.stale
    words.follow((0.0, 25.0))
    assert not words.stale  # back where they were written for
    words.follow((0.0, 10.0))
    words.confirm()
    assert not words.stale
    words.follow((1.0, 10.0))
    words.set_text("only this")
    assert not words.stale  # written anew


def test_no_words_are_never_stale() -> None:
    words = Transcript()
    words.set_text("   ")
    words.follow((1.0, 2.0))
    assert not words.stale
    assert words.text == ""


def test_change_is_told_once() -> None:
    words = Transcript()
    told: list[bool] = []
    words.set_text("hello")
    words.changed.connect(lambda: told.append(words.stale))
    words.follow((1.0, 2.0))
    words.follow((1.0, 3.0))
    words.confirm()
    assert told == [True, False]


def test_words_are_used_as_soon_as_there_are_some_unless_the_person_has_chosen() -> None:
    words = Transcript()
    words.follow((0.0, 9.0))
    assert (words.in_context, words.used) == (False, "")
    words.set_text("said")
    assert (words.in_context, words.used) == (True, "said")
    words.choose(in_context=False)
    words.follow((1.0, 9.0))
    assert (words.used, words.stale) == ("", False)  # doubtful words that nobody uses hold nobody up
    words.choose(in_context=True)
    assert words.stale
    words.set_text("")
    assert words.lacking
    words.clear()
    assert (words.in_context, words.lacking) == (False, False)
