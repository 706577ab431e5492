"""The preview of a voice: a short sentence, spoken, heard, and kept for the library's play button."""

from __future__ import annotations

import logging
import secrets
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject

import engine
from app.speak.offer import chosen_model, language_for, models_for
from app.speak.phrases import preview_sentence
from app.speak.speech import Order
from app.speak.take import RAN_ON
from app.work import error_text

if TYPE_CHECKING:
    from app.speak.offer import SpeakVoice
    from app.speak.run import SpeechRun
    from app.speak.take import Samples
    from app.speak.talk import Talk
    from app.studio import Studio

_log = logging.getLogger(__name__)


class Previewer(QObject):
    """Makes previews with the same `Talk` the page speaks with, so that there is one voice at a time."""

    def __init__(self, studio: Studio, talk: Talk, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._studio, self._talk = studio, talk
        self._voice_id = ""

    @property
    def voice_id(self) -> str:
        """The voice whose preview is being made, or empty."""
        return self._voice_id

    def make(self, voice: SpeakVoice) -> None:
        """Speak a sentence with a voice of the library; asked again for the same voice, stop."""
        assert voice.record is not None
        if self._voice_id == voice.record.id:
            self._talk.stop()
            return
        if self._talk.is_busy:
            self._studio.messages.info("Something is being spoken. Stop it first.", ("Stop", self._talk.stop))
            return
        shelf = self._studio.shelf
        model = chosen_model(models_for(voice, shelf), "", shelf.speaking)
        if model is None:
            self._studio.messages.warning(f"No model here fits {voice.name}. Add one of its size in Models.")
            return
        text = preview_sentence(voice.language)
        order = Order(text, model.folder, secrets.randbelow(1_000_000), language=language_for(voice, model))
        self._voice_id = voice.record.id
        self._talk.begin(order, (voice,), None, self._end)

    def _end(self, run: SpeechRun | None) -> None:
        voice_id, self._voice_id = self._voice_id, ""
        if run is None:
            return
        if run.error:
            self._studio.messages.error(run.error)
        elif run.reason in RAN_ON:
            self._studio.messages.warning("The preview ran on and is not kept. Play it again to try another seed.")
        elif run.reason == "end" and run.source.frames:
            self._keep(voice_id, run.samples, run.order.seed)

    def _keep(self, voice_id: str, samples: Samples, seed: int) -> None:
        studio = self._studio
        job = studio.file_lane.submit(lambda _: _hand_over(studio, voice_id, samples, seed), "Keeping the preview")
        job.finished.connect(lambda _: studio.library_changed.emit())
        job.failed.connect(lambda error: studio.messages.error(error_text(error)))


def _hand_over(studio: Studio, voice_id: str, samples: Samples, seed: int) -> None:
    """Write the sound where the library can copy it from, and remove it again."""
    file = studio.places.cache / f"preview-{voice_id}.wav"
    try:
        engine.write_sound(file, samples)
        studio.library.set_preview(voice_id, file, seed)
    finally:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            _log.warning("could not remove %s: %s", file, error)
