"""The three tiers as a person chooses between them: what each keeps, needs and costs with these models."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from app.library.words import size_text

if TYPE_CHECKING:
    import engine
    from app.store.records import Tier

Mark = Literal["yes", "no", "note"]
Lines = tuple[tuple[Mark, str], ...]
TIERS: tuple[Tier, ...] = ("light", "standard", "wdelta")
NAMES: dict[Tier, str] = {"light": "Light", "standard": "Standard", "wdelta": "WDELTA"}


@dataclass(frozen=True)
class Models:
    """The model a voice was cloned with, and the CustomVoice model of its size, if there is one."""

    base: engine.ModelSummary
    custom_voice: engine.ModelSummary | None

    @property
    def size(self) -> str:
        return "test" if self.base.is_test_model else self.base.size_label

    @property
    def takes_style(self) -> bool:
        return self.custom_voice is not None and self.custom_voice.obeys_style


@dataclass(frozen=True)
class Offer:
    """One card. `reason` says why it cannot be chosen; `advice` why it is the recommended one."""

    tier: Tier
    lines: Lines
    reason: str = ""
    advice: str = ""


def offers(voice: engine.Voice, models: Models) -> tuple[Offer, ...]:
    """The three tiers for `voice`; exactly one is recommended."""
    best, advice = _recommended(voice, models)
    lines = {"light": _light(voice, models), "standard": _standard(voice, models), "wdelta": _wdelta(models)}
    missing = ""
    if models.custom_voice is None:
        missing = f"Needs the {models.size} CustomVoice model too. Add its folder under Models."
    return tuple(
        Offer(tier, lines[tier], missing if tier == "wdelta" else "", advice if tier == best else "") for tier in TIERS
    )


def figure_text(tier: Tier, size_bytes: int) -> str:
    """A size for the card; that of a WDELTA is an estimate until it is written."""
    return f"≈ {size_text(size_bytes)}" if tier == "wdelta" else size_text(size_bytes)


def exact_text(tier: Tier, size_bytes: int) -> str:
    """The small words under the size."""
    return "estimated from the two models" if tier == "wdelta" else f"{size_bytes:,} bytes".replace(",", "\u2009")


def _recommended(voice: engine.Voice, models: Models) -> tuple[Tier, str]:
    if voice.in_context:
        return "standard", "the smallest file that keeps the clip's words and codes."
    if models.takes_style:
        return "standard", "CustomVoice speaks it with style, on Base's own tables."
    return "light", "with the Base model it sounds the same as the others, in the smallest file."


def _style(models: Models) -> tuple[Mark, str]:
    if models.custom_voice is None or models.takes_style:
        return "yes", "Follows style on CustomVoice"
    return "no", f"No style: {models.size} models take none"


def _needs(models: Models) -> tuple[Mark, str]:
    return "note", f"Needs any {models.size} model"


def _light(voice: engine.Voice, models: Models) -> Lines:
    kept: Lines = (("yes", f"The voice: {voice.width} numbers"),)
    if voice.in_context:
        kept += (("no", "Without the clip's words"),)
    return (*kept, _style(models), _needs(models))


def _standard(voice: engine.Voice, models: Models) -> Lines:
    words = ", the clip's words" if voice.in_context else ""
    return (("yes", f"The voice{words} and Base's tables"), _style(models), _needs(models))


def _wdelta(models: Models) -> Lines:
    return (
        ("yes", "All of Base: its exact sound"),
        ("no", "Style hardly acts any more"),
        ("note", "Needs this very CustomVoice"),
    )
