"""What each tier of one voice is worth on the models at hand: written, loaded, spoken and compared."""

from __future__ import annotations

import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from engine.errors import VoiceError
from engine.progress import Cancel, Report, no_report
from engine.voice.compare import Compared, compare_files
from engine.voice.files import save_voice
from engine.voice.likeness import Ear
from engine.voice.spoken import Sentence
from engine.voice.voice import Tier, Voice

if TYPE_CHECKING:
    from engine.audio.clip import Clip
    from engine.voice.pair import ModelPair

TIERS: Final[tuple[Tier, ...]] = ("light", "standard", "wdelta")


@dataclass(frozen=True, eq=False)
class MeasuredTier:
    """One tier: what `compare_files` found, and the seconds that writing its file took, reading back included."""

    compared: Compared
    write_seconds: float

    @property
    def tier(self) -> Tier:
        return self.compared.tier


@dataclass(frozen=True, eq=False)
class TierReport:
    """`refused` says why a tier could not be written; `halves` is the speaker cosine of the clip's first half and its
    second, which no likeness to the clip can be expected to pass; None without a clip, or with one too short."""

    tiers: tuple[MeasuredTier, ...]
    refused: dict[Tier, str]
    halves: float | None


def measure_tiers(
    voice: Voice,
    pair: ModelPair,
    clip: Clip | None = None,
    sentence: Sentence = Sentence(),  # noqa: B008 - it is frozen
    style: str = "",
    folder: Path | None = None,
    cancel: Cancel | None = None,
    report: Report = no_report,
) -> TierReport:
    """Write every tier of `voice` into a folder of its own under `folder`, removed at the end, and compare them.

    `clip` is what `voice` was cloned from; `style` a style prompt whose effect is measured too, where the model takes
    one. Raises `ModelError`, `WriteError`, `RequestError` or `Cancelled`; `VoiceError` where no tier can be written.
    """
    with tempfile.TemporaryDirectory(prefix="tiers-", dir=folder, ignore_cleanup_errors=True) as name:
        written: dict[Path, float] = {}
        refused: dict[Tier, str] = {}
        for tier in TIERS:
            path = Path(name, f"{tier}{'.bin' if tier == 'light' else '.qvoice'}")
            began = time.monotonic()
            try:
                save_voice(voice, path, tier, pair, cancel, report)
            except VoiceError as error:
                refused[tier] = str(error).removeprefix(f"{path}: ")
                continue
            written[path] = time.monotonic() - began
        if not written:
            raise VoiceError(next(iter(refused.values())))
        found = compare_files(list(written), pair, None, sentence, cancel, report, style)
        halves = None if clip is None else likeness_of_halves(clip, pair.base)
    return TierReport(tuple(map(MeasuredTier, found, written.values())), refused, halves)


def likeness_of_halves(clip: Clip, base: Path) -> float | None:
    """Speaker cosine of the first half of `clip` and the second, by the encoder of the Base model in `base`."""
    ear, middle = Ear(base), len(clip.samples) // 2
    first = ear.vector(clip.samples[:middle])
    return None if first is None else ear.likeness(clip.samples[middle:], first)
