"""Measuring the tiers of a voice that was just cloned, in the model lane."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, Signal

import engine
from app.work import error_text

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from app.studio import Studio
    from app.wizard.cloning import Cloned
    from app.work import Job, JobContext

    Floats = NDArray[np.float32]

STYLE = "Speak slowly and in a deep, calm voice."
_LEAST = 1e-5  # of a difference; the mel's own floor


@dataclass(frozen=True, eq=False)
class Pictures:
    """Log-mels float32 [128, frames] of what Base says, of what a tier says, and of what the two have not in common;
    None for the last where they are equal."""

    base: Floats
    tier: Floats
    difference: Floats | None


@dataclass(frozen=True, eq=False)
class Measured:
    """A report, and a picture for each tier that is long enough for one."""

    of: Cloned
    report: engine.TierReport
    pictures: dict[str, Pictures]


class Measuring(QObject):
    """Signals:
    running_changed(bool): whether tiers are being measured.
    progressed(engine.Progress): files in bytes, models in tensors, speech in frames.
    measured(Measured), failed(str): one of them for each start that is not called off.
    """

    running_changed = Signal(bool)
    progressed = Signal(object)
    measured = Signal(object)
    failed = Signal(str)

    def __init__(self, studio: Studio, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.sentence = engine.Sentence()
        self._studio = studio
        self._job: Job | None = None
        self._last: Measured | None = None

    @property
    def running(self) -> bool:
        return self._job is not None

    def known(self, cloned: Cloned) -> Measured | None:
        """What was measured of it before."""
        return self._last if self._last is not None and self._last.of is cloned else None

    def start(self, cloned: Cloned, pair: engine.ModelPair) -> None:
        """Write, load and speak every tier; one voice at a time."""
        if self._job is not None:
            return
        request, folder, sentence = cloned.request, self._studio.places.cache, self.sentence

        def work(context: JobContext) -> Measured:
            folder.mkdir(parents=True, exist_ok=True)
            clip = request.clip.cut(*request.selection)
            report = engine.measure_tiers(
                cloned.voice, pair, clip, sentence, STYLE, folder, context.cancel, context.report
            )
            return Measured(cloned, report, _pictures(report))

        job = self._job = self._studio.model_lane.submit(work, "Measuring the tiers")
        job.progressed.connect(self.progressed)
        job.finished.connect(self._tell)
        job.failed.connect(lambda error: self.failed.emit(error_text(error)))
        job.ended.connect(self._end)
        self.running_changed.emit(True)

    def cancel(self) -> None:
        """Give it up; the files written for it go."""
        if self._job is not None:
            self._job.cancel()

    def _tell(self, measured: Measured) -> None:
        self._last = measured
        self.measured.emit(measured)

    def _end(self) -> None:
        self._job = None
        self.running_changed.emit(False)


def _pictures(report: engine.TierReport) -> dict[str, Pictures]:
    found: dict[str, Pictures] = {}
    for one in report.tiers:
        compared = one.compared
        if compared.mel_correlation is None:  # too short for a mel
            continue
        base, tier = engine.log_mel(compared.direct.samples), engine.log_mel(compared.spoken.samples)
        found[one.tier] = Pictures(base, tier, None if compared.identical else _difference(base, tier))
    return found


def _difference(one: Floats, other: Floats) -> Floats:
    frames = max(one.shape[1], other.shape[1])
    power = [np.exp(np.pad(mel, ((0, 0), (0, frames - mel.shape[1])), constant_values=-np.inf)) for mel in (one, other)]
    apart: Floats = np.log(np.maximum(np.abs(power[0] - power[1]), np.float32(_LEAST)))
    return apart
