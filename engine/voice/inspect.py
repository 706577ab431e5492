"""What a voice file is, without a model and without reading its weights."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.voice.format import FRAMES_PER_SECOND, MAGIC, MAX_FRAMES, model_size
from engine.voice.layout import WOVR, Section, scan
from engine.voice.light import read_light, vector_norm
from engine.voice.qvoice import delta_location, read_head
from engine.voice.sidecar import merge_sidecar, model_digests
from engine.voice.source import Source, open_source
from engine.voice.voice import Origin, Tier, Voice

if TYPE_CHECKING:
    from engine.voice.layout import Layout


@dataclass(frozen=True)
class Inspection:
    """A voice file's description. `version` is None for a light file; `frames` are frames of codes."""

    path: Path
    file_size: int  # bytes
    version: int | None
    width: int
    model_size: str  # "0.6B", "1.7B", or "width 96"
    tier: Tier
    name: str
    language: str | None
    transcript: str | None
    frames: int
    in_context: bool
    reference_seconds: float | None
    from_base: bool
    x_vector_norm: float
    weight_records: int | None
    origin: Origin
    model_digests: dict[str, str]  # of the Base and CustomVoice models it was saved with, where they are known
    sections: tuple[Section, ...]
    warnings: tuple[str, ...]

    @property
    def codes_seconds(self) -> float:
        """Length of the reference that the codes stand for."""
        return self.frames / FRAMES_PER_SECOND

    def to_json(self) -> dict[str, Any]:
        """Plain values for `json.dumps`."""
        sections = [asdict(section) for section in self.sections]
        return asdict(self) | {"path": str(self.path), "sections": sections, "warnings": list(self.warnings)}


def inspect_voice(path: str | Path) -> Inspection:
    """Describe the voice file at `path`, reading only its headers and vector. Raises `VoiceError`."""
    path = Path(path)
    with open_source(path) as source:
        if source.peek(len(MAGIC)) == MAGIC:
            return _inspect_qvoice(source)
        voice = merge_sidecar(read_light(source), path, bare=True)
        sections = (Section("voice vector", 0, source.size),)
        return _describe(source, voice, "light", sections)


def _inspect_qvoice(source: Source) -> Inspection:
    layout = scan(source)
    head = read_head(source, layout)
    meta = head.meta
    voice = Voice(
        head.x_vector,
        name=meta.name if meta else "",
        language=meta.language if meta else None,
        transcript=head.transcript,
        reference_seconds=meta.reference_seconds if meta else None,
        from_base=meta.from_base if meta else True,
        delta=delta_location(source, layout),
        warnings=layout.warnings + head.warnings,
    )
    voice = merge_sidecar(voice, source.path, bare=False)
    return _describe(source, voice, _tier(layout), layout.sections, layout)


def _describe(
    source: Source, voice: Voice, tier: Tier, sections: tuple[Section, ...], layout: Layout | None = None
) -> Inspection:
    frames = layout.frames if layout else 0
    return Inspection(
        path=source.path,
        file_size=source.size,
        version=layout.version if layout else None,
        width=voice.width,
        model_size=model_size(voice.width),
        tier=tier,
        name=voice.name,
        language=voice.language,
        transcript=voice.transcript,
        frames=frames,
        in_context=0 < frames <= MAX_FRAMES and bool(voice.transcript),
        reference_seconds=voice.reference_seconds,
        from_base=voice.from_base,
        x_vector_norm=vector_norm(voice.x_vector),
        weight_records=layout.weights.records if layout and layout.weights else None,
        origin=voice.origin,
        model_digests=model_digests(voice),
        sections=sections,
        warnings=voice.warnings,
    )


def _tier(layout: Layout) -> Tier:
    if layout.weights:
        return "wdelta"
    return "standard" if layout.find(WOVR) else "light"
