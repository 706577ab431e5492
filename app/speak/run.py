"""One order being spoken: its sound grows, is played while it grows, and is whole in the end."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QObject, Signal

from app.sound.player import BUFFERING
from app.sound.source import SoundSource
from app.speak.speech import Order, Piece, speak
from app.speak.take import SAMPLE_RATE
from app.speak.words import expected_seconds, progress_text, seconds_text
from app.work import error_text

if TYPE_CHECKING:
    import engine
    from app.speak.take import Reason, Samples
    from app.speak.take_files import TakeWriter
    from app.studio import Studio
    from app.work import Job

Stage = Literal["waiting", "loading", "speaking", "over"]

_LEAST_AHEAD_SECONDS: Final = 0.3  # of sound before the first of it is played
_MOST_AHEAD_SECONDS: Final = 2.5  # where the computer is so slow that playing will have to wait anyway


class SpeechRun(QObject):
    """Made by the presenter, for one order; `start` once.

    Signals:
        progressed(): `stage`, `seconds` or `text` changed.
        ended(): nothing more comes; `reason` says why, `error` what went wrong, and `source` is finished.
    """

    progressed = Signal()
    ended = Signal()

    def __init__(
        self, studio: Studio, order: Order, writer: TakeWriter | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self.order, self.writer = order, writer
        self.source = SoundSource(SAMPLE_RATE)
        self.stage: Stage = "waiting"
        self.reason: Reason = "stopped"
        self.error = ""
        self.notes: tuple[str, ...] = ()
        self.made_in_seconds = 0.0
        self.first_sound_seconds: float | None = None
        self._studio = studio
        self._job: Job | None = None
        self._load_share: float | None = None
        self._waits_for = ""
        self._played = False
        self._expected = expected_seconds(order.text)

    @property
    def seconds(self) -> float:
        """Seconds of sound made so far."""
        return self.source.seconds

    @property
    def samples(self) -> Samples:
        """What was made, float32 [n] at 24 kHz."""
        return self.source.samples()

    @property
    def share(self) -> float | None:
        """What is done of the present stage, 0 to 1; None if that is not known."""
        if self.stage == "loading":
            return self._load_share
        if self.stage == "speaking" and self._expected > 0:
            return min(1.0, self.seconds / self._expected)
        return None

    @property
    def text(self) -> str:
        """Where it stands, in real units."""
        if self.stage == "waiting":
            return f"waiting for: {self._waits_for}" if self._waits_for else "starting"
        if self.stage == "loading":
            share = "" if self._load_share is None else f" · {round(100 * self._load_share)} %"
            return f"loading the model{share}"
        if not self.source.frames:
            return f"making the first sound · ≈ {seconds_text(self._expected)} to speak"
        words = progress_text(self.first_sound_seconds, self.seconds, self._expected, self.made_in_seconds)
        dry = self.stage == "speaking" and self._is_heard and self._studio.player.state == BUFFERING
        return f"{words} · playing waits for more" if dry else words

    def start(self) -> None:
        """Queue the order in the model lane."""
        lane, shelf = self._studio.model_lane, self._studio.shelf
        self._waits_for = lane.jobs[0].label if lane.jobs else ""
        lane.job_started.connect(self._note_start)
        self._studio.player.state_changed.connect(self._note_player)
        job = lane.submit(partial(speak, shelf, self.order, self.writer), "Speaking")
        self._job = job
        job.progressed.connect(self._note_loading)
        job.produced.connect(self._take)
        job.failed.connect(self._note_failure)
        job.ended.connect(self._end)
        self.progressed.emit()

    def stop(self) -> None:
        """Make no more, and be silent; what was made is kept. Returns at once, `ended` follows."""
        if self._job is not None:
            self._job.cancel()
        self.silence()

    def silence(self) -> None:
        """Stop playing, if it is this that plays; it goes on being made."""
        self._played = True
        if self._is_heard:
            self._studio.player.stop()

    @property
    def _is_heard(self) -> bool:
        return self._studio.player.source is self.source

    def _note_start(self, job: Job) -> None:
        if job is self._job and self.stage == "waiting":
            self.stage = "speaking"
            self.progressed.emit()

    def _note_loading(self, progress: engine.Progress) -> None:
        if self.stage != "over" and not self.source.frames:
            done = progress.fraction == 1.0
            self.stage = "speaking" if done else "loading"
            self._load_share = progress.fraction
            self.progressed.emit()

    def _take(self, piece: Piece) -> None:
        self.stage = "speaking"
        self.source.append(piece.samples)
        self.made_in_seconds = piece.made_in_seconds
        self.notes = piece.notes
        if piece.reason is not None:
            self.reason = piece.reason
            self.source.finish()
        self._play_if_enough()
        self.progressed.emit()

    def _play_if_enough(self) -> None:
        """Begin to play once, with so much in hand that a computer a little too slow does not run dry at once."""
        if self._played or not self.source.frames:
            return
        pace = self.seconds / max(self.made_in_seconds, 1e-6)
        wanted = min(_MOST_AHEAD_SECONDS, max(_LEAST_AHEAD_SECONDS, self._expected * (1.0 - pace)))
        if self.source.finished or self.seconds >= wanted:
            self._played = True
            self.first_sound_seconds = self.made_in_seconds
            self._studio.player.play(self.source)

    def _note_player(self, _state: str) -> None:
        if self._is_heard and self.stage != "over":
            self.progressed.emit()

    def _note_failure(self, error: BaseException) -> None:
        self.reason = "failed"
        self.error = error_text(error)

    def _end(self) -> None:
        self.source.finish()
        if self.reason == "stopped":
            self.silence()
        self.stage = "over"
        self._studio.model_lane.job_started.disconnect(self._note_start)
        self._studio.player.state_changed.disconnect(self._note_player)
        self.progressed.emit()
        self.ended.emit()
