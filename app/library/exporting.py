"""What a voice can be exported as with the models that are here, and doing so."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QCoreApplication, QObject

import engine
from app.library.words import TIERS
from app.store.folder import BUNDLE_SUFFIX, suffix_of_tier
from app.work import error_text

if TYPE_CHECKING:
    from app.messages import Messages
    from app.store import Library, VoiceRecord
    from app.store.records import Tier
    from app.work import Job, JobContext, Lane

    PairFor = Callable[[int], engine.ModelPair | None]

BUNDLE: Final = "bundle"
_RANK: Final[tuple[Tier, ...]] = ("light", "standard", "wdelta")


@dataclass(frozen=True)
class Offer:
    """One thing a voice can be exported as: a tier, or `BUNDLE`. `reason` says why it cannot be had, else empty."""

    kind: str
    suffix: str
    reason: str = ""


def offers(record: VoiceRecord, pair: engine.ModelPair | None) -> list[Offer]:
    """All tiers and the bundle, given the models `pair` that are here for a voice of its width."""
    made = []
    for tier in _RANK:
        own = tier == record.tier  # a light voice kept in a .qvoice (with its transcript, say) is exported as one
        suffix = Path(record.file).suffix if own else suffix_of_tier(tier)
        made.append(Offer(tier, suffix, "" if own else _lacking(record, tier, pair)))
    return [*made, Offer(BUNDLE, BUNDLE_SUFFIX)]


def _lacking(record: VoiceRecord, tier: Tier, pair: engine.ModelPair | None) -> str:
    """Why `record` cannot be written as `tier`; going down needs nothing that is not in its file."""
    if _RANK.index(tier) < _RANK.index(record.tier):
        return ""
    size = engine.RELEASED_WIDTHS.get(record.width) or QCoreApplication.translate("LibraryExport", "test")
    if pair is None:
        needed = QCoreApplication.translate(
            "LibraryExport", "Needs the {size} Base model, which is not here. Fetch it in the room Models."
        )
        both = QCoreApplication.translate(
            "LibraryExport", "Needs the {size} Base and CustomVoice models, which are not here. Fetch them in Models."
        )
        return (both if tier == "wdelta" else needed).format(size=size)
    if tier == "wdelta" and pair.custom_voice is None:
        return QCoreApplication.translate(
            "LibraryExport", "Needs the {size} CustomVoice model too, which is not here. Fetch it in the room Models."
        ).format(size=size)
    return ""


class Exports(QObject):
    """`pair_for(width)` gives the models for a heavier export, or None; whoever knows the models sets it."""

    def __init__(self, library: Library, lane: Lane, messages: Messages, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.pair_for: PairFor = lambda _: None
        self._library, self._lane, self._messages = library, lane, messages

    def offers(self, record: VoiceRecord) -> list[Offer]:
        """What `record` can be exported as now, and what not."""
        return offers(record, self.pair_for(record.width))

    def measure(self, record: VoiceRecord) -> Job:
        """Find the sizes; the job produces (kind, bytes) one after the other."""
        pair = self.pair_for(record.width)
        possible = [offer for offer in offers(record, pair) if not offer.reason]

        def sizes(context: JobContext) -> Iterator[tuple[str, int]]:
            voice = self._library.load(record.id)
            for offer in possible:
                context.cancel.check()
                if offer.kind in (record.tier, BUNDLE):
                    preview = self._library.preview_of(record) if offer.kind == BUNDLE else None
                    yield offer.kind, record.size_bytes + (preview.stat().st_size if preview else 0)
                else:
                    yield offer.kind, engine.voice_file_size(voice, offer.kind, pair, offer.suffix)  # type: ignore[arg-type]

        return self._lane.submit(sizes, self.tr("Measuring"))

    def export(self, record: VoiceRecord, path: Path, kind: str) -> None:
        """Write a voice to `path` as a tier or a bundle."""
        pair = None if kind in (record.tier, BUNDLE) else self.pair_for(record.width)

        def write(context: JobContext) -> int:
            if kind == BUNDLE:
                return self._library.export_bundle(record.id, path, context.cancel, context.report)
            return self._library.export_to(record.id, path, kind, pair, context.cancel, context.report)  # type: ignore[arg-type]

        job = self._lane.submit(write, self.tr("Exporting {name}").format(name=record.name))
        job.failed.connect(lambda error: self._messages.error(error_text(error)))
        what = TIERS.get(kind) or self.tr("bundle")
        told = self.tr("Saved {file} ({what}) in {folder}.").format(file=path.name, what=what, folder=path.parent)
        job.finished.connect(lambda _: self._messages.success(told))
