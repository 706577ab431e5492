"""One order being spoken: its sound grows, is played while it grows, and is whole in the end."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Final, Literal

from PySide6.QtCore import QObject, Signal

from app.sound.player import BUFFERING
from app.sound.source import SoundSource
from app.speak.pace import Pace, seconds_in_hand
from app.speak.speech import Order, Piece, speak
from app.speak.take import SAMPLE_RATE
from app.speak.words import progress_text, script_seconds, seconds_text
from app.work import error_text

if TYPE_CHECKING:
    import engine
    from app.speak.take import Part, Reason, Samples
    from app.speak.take_files import TakeWriter
    from app.studio import Studio
    from app.work import Job

_LEAST_LEFT_SECONDS: Final = 1.0  # once it is longer than expected

Stage = Literal["waiting", "loading", "speaking", "over"]


class SpeechRun(QObject):
    """Made for one order; `start` once. Unless `aloud`, it is not played.

    Signals:
        progressed(): `stage`, `seconds` or `text` changed.
        ended(): nothing more comes; `reason` says why, `error` what went wrong, and `source` is finished.
    """

    progressed = Signal()
    ended = Signal()

    def __init__(
        self,
        studio: Studio,
        order: Order,
        writer: TakeWriter | None = None,
        parent: QObject | None = None,
        *,
        aloud: bool = True,
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
        self.parts: list[Part] = []
        self._played = not aloud
        self._pace = Pace()
        self._waiting_seconds = 0.0
        self._expected = script_seconds(order.text, order.tuning.speed)

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
            return min(1.0, self._made_seconds / self._expected)
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
        words = progress_text(self.first_sound_seconds, self._made_seconds, self._expected, self.made_in_seconds)
        return f"Buffering · {words}" if self.is_buffering else words

    @property
    def is_buffering(self) -> bool:
        """Whether sound is held back until there is enough of it to go on without a break."""
        if self.stage != "speaking" or not self.source.frames:
            return False
        return not self._played or (self._is_heard and self._studio.player.state == BUFFERING)

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
    def _made_seconds(self) -> float:
        return self.seconds + self._waiting_seconds

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
        self.notes = piece.notes or self.notes
        self._waiting_seconds = piece.seconds_waiting
        self._pace.note(self._made_seconds, piece.made_in_seconds)
        if piece.part is not None:
            self.parts.append(piece.part)
        if piece.reason is not None:
            self.reason = piece.reason
            self.source.finish()
        self._play_if_enough()
        self.progressed.emit()

    def _play_if_enough(self) -> None:
        """Begin to play once so much is in hand that it can go on to the end; after running dry, likewise."""
        if not self.source.frames:
            return
        wanted = seconds_in_hand(max(_LEAST_LEFT_SECONDS, self._expected - self.seconds), self._pace.speed)
        self.source.refill_seconds = wanted
        if self._played:
            return
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
