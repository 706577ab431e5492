"""The steps: their words, and which of them a person is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from PySide6.QtCore import QCoreApplication

if TYPE_CHECKING:
    from collections.abc import Sequence

    import engine

translate = QCoreApplication.translate
OVER = "over"
WITH_MODEL = ("voice", "speak", "library")
WITHOUT_MODEL = ("model", "voice", "speak")  # the test model makes noise: a real one first


class Words(NamedTuple):
    """What a step says; `act` is on the button that takes a person there."""

    title: str
    text: str
    act: str
    icon: str


def steps(models: Sequence[engine.ModelSummary]) -> tuple[str, ...]:
    """The three steps for a person who has these models."""
    return WITH_MODEL if any(not model.is_test_model for model in models) else WITHOUT_MODEL


def words(step: str) -> Words:
    """In the person's language."""
    made = {"model": _model, "voice": _voice, "speak": _speak, "library": _library}
    return made[step]()


def _model() -> Words:
    return Words(
        translate("Tour", "Fetch a model"),
        translate(
            "Tour",
            "Models clone and speak. Only a test model is here: it goes the whole way, but what it makes is noise. "
            "Fetch the recommended pair, and go on meanwhile.",
        ),
        translate("Tour", "Show the models"),
        "boxes",
    )


def _voice() -> Words:
    return Words(
        translate("Tour", "Make a voice"),
        translate(
            "Tour",
            "Record a few sentences, or take the clip that comes with the studio. "
            "The blue button at the lower right leads through: Continue, Clone voice, Save voice.",
        ),
        translate("Tour", "Try the sample clip"),
        "file-audio",
    )


def _speak() -> Words:
    return Words(
        translate("Tour", "Let it speak"),
        translate(
            "Tour",
            "Choose the voice, write something and press Speak. Each attempt is kept as a take: play, compare, "
            "star and export it.",
        ),
        translate("Tour", "Write a sentence"),
        "message-square-text",
    )


def _library() -> Words:
    return Words(
        translate("Tour", "Live with your voices"),
        translate(
            "Tour",
            "The library keeps every voice: name and tag it, hear it with Space, export it as a file. "
            "Ctrl+K finds every act of the studio, F1 lists the keys.",
        ),
        translate("Tour", "Show the library"),
        "library",
    )
