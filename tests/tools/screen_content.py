"""What the pictures show: voices, a clip in each step of the wizard, takes."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy as np

Wait = Callable[[Callable[[], object], str], None]

_VOICES = (
    ("Mario", "italian", ("warm", "story")),
    ("Grandmother reading to us", "english", ("old", "slow", "a long tag that has little room")),
    ("Jürgen", "german", ()),
    ("Xiǎohóng", "chinese", ("bright",)),
    ("Uncle Aurelio telling the story of the lighthouse and the seventy-seven seals", "french", ()),
)


def fill_library(window: Any, studio: Any, wait: Wait) -> Iterator[str]:
    """The empty library, then one with voices; models, settings, and what Ctrl+K brings."""
    from app.wizard.presenter import Step

    window.show_page("library")
    library = window.rooms.library
    wait(lambda: library.is_loaded, "the library")
    yield "library_empty"
    window.show_page("speak")
    yield "speak_empty"
    window.show_page("new_voice")
    assert window.rooms.wizard.presenter.step is Step.SOUND
    yield "new_voice_1_sound"
    window.tour.begin()
    yield "tour"
    window.tour.end()
    save_voices(studio, wait)
    library.refresh()
    window.show_page("library")
    wait(lambda: library.total == len(_VOICES), "the voices")
    library.select(library.records[1].id)
    yield "library"
    window.show_page("models")
    wait(lambda: studio.fetching.outlook is not None, "the outlook")
    yield "models"
    window.show_page("settings")
    yield "settings"
    window.commands.ask()
    yield "commands"
    window.commands.palette.dismiss()


def save_voices(studio: Any, wait: Wait) -> None:
    """A few voices of the test models' width."""
    for number, (name, language, tags) in enumerate(_VOICES):
        _save(studio, number, name, language, tags, wait)


def _save(studio: Any, number: int, name: str, language: str, tags: tuple[str, ...], wait: Wait) -> None:
    import engine

    vector = np.random.default_rng(number).normal(size=96).astype(np.float32)
    voice = engine.Voice(vector, name, language)
    job = studio.file_lane.submit(lambda _: studio.library.save(voice, name, "light", tags=tags), "Saving")
    wait(lambda: job.is_over, "a voice to be saved")


def load_sample(window: Any, wait: Wait) -> Iterator[str]:
    """The wizard with the bundled clip, step by step."""
    import resources

    window.show_page("new_voice")
    page = window.rooms.wizard
    presenter = page.presenter
    page.open_file(resources.path("sample", "sample_clip.flac"))
    wait(lambda: presenter.sound is not None and page.foot.primary_button.isEnabled(), "the clip")
    yield "new_voice_2_listen"
    page.foot.primary_button.click()
    wait(lambda: presenter.step.name == "CLONE" and page.foot.primary_button.isEnabled(), "the clone step")
    yield "new_voice_3_clone"
    page.foot.primary_button.click()
    cards = page.save_step.cards.values()
    wait(lambda: presenter.step.name == "SAVE", "the voice")
    wait(lambda: all(card._figure.text() != "…" for card in cards), "the sizes")
    yield "new_voice_4_save"


def _has_takes(presenter: Any, count: int) -> bool:
    return len(presenter.takes.all) >= count


def _is_heard(presenter: Any, count: int) -> bool:
    """Speech is under way, or over already: random weights may end it at any frame."""
    run = presenter.talk.run
    return _has_takes(presenter, count) or (run is not None and run.seconds > 0.5)


def fill_takes(window: Any, wait: Wait) -> Iterator[str]:
    """The Speak room with a few takes."""
    window.show_page("speak")
    page = window.rooms.speak
    presenter = page.presenter
    texts = ("Good morning.", "The quick brown fox jumps over the lazy dog, and rests in the shade.")
    for count, text in enumerate(texts, start=1):
        presenter.set_text(text)
        page.text_box.show_text(text)
        wait(lambda: not presenter.blocked_reason, "the model")
        page.speak()
        wait(partial(_is_heard, presenter, count), "speech")
        presenter.stop()
        wait(partial(_has_takes, presenter, count), "a take")
    presenter.takes.set_star(presenter.takes.all[0].id, True)
    yield "speak"
