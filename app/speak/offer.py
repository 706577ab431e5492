"""What can be chosen: voices, models that fit a voice, languages of a model, and whether style has an effect."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from app.speak.choices import AUTO

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import engine
    from app.models.shelf import ModelShelf
    from app.store import VoiceRecord

_VOICE: Final = "voice:"
_PRESET: Final = "preset:"
_DELTA_HINT: Final = (
    "This WDELTA voice brings the Base model's own weights, so a style has little effect. "
    "Saved as Light or Standard it follows style."
)


@dataclass(frozen=True)
class SpeakVoice:
    """A voice of the library (`record`) or a preset speaker of a CustomVoice model (`speaker`)."""

    key: str
    name: str
    record: VoiceRecord | None = None
    speaker: str = ""

    @property
    def language(self) -> str:
        """The voice's own language in lower case, or empty."""
        return self.record.language if self.record is not None else ""


@dataclass(frozen=True)
class StyleState:
    """Whether a style prompt is obeyed; if not, why, and the model at hand that would obey."""

    obeyed: bool
    words: str = ""
    better: engine.ModelSummary | None = None


def voice_key(voice_id: str) -> str:
    """The key of a voice of the library."""
    return f"{_VOICE}{voice_id}"


def library_voices(records: Iterable[VoiceRecord]) -> list[SpeakVoice]:
    """The voices that can speak: there, and not deleted; sorted by name."""
    usable = [record for record in records if record.deleted_at is None and not record.missing]
    usable.sort(key=lambda record: record.name.casefold())
    return [SpeakVoice(voice_key(record.id), record.name, record) for record in usable]


def preset_voices(model: engine.ModelSummary | None) -> list[SpeakVoice]:
    """The preset speakers of a CustomVoice model."""
    if model is None or model.kind != "custom_voice":
        return []
    return [SpeakVoice(f"{_PRESET}{name}", _title(name), speaker=name) for name in sorted(model.speakers)]


def models_for(voice: SpeakVoice | None, shelf: ModelShelf) -> tuple[engine.ModelSummary, ...]:
    """The models that can speak with `voice`, best first."""
    if voice is None:
        return ()
    if voice.record is not None:
        return shelf.fitting(voice.record.width)
    fit = (model for model in shelf.usable if model.kind == "custom_voice" and voice.speaker in model.speakers)
    return tuple(sorted(fit, key=lambda model: (model.is_test_model, not model.obeys_style)))


def chosen_model(
    models: Sequence[engine.ModelSummary], folder: str, favourite: engine.ModelSummary | None
) -> engine.ModelSummary | None:
    """The model in `folder`, else the favourite, else the first: whichever is among `models`."""
    wanted = (folder, "" if favourite is None else str(favourite.folder))
    for name in wanted:
        for model in models:
            if str(model.folder) == name:
                return model
    return models[0] if models else None


def language_for(voice: SpeakVoice | None, model: engine.ModelSummary | None) -> str:
    """The voice's own language if it is known and the model speaks it, else "auto"."""
    known = voice is not None and model is not None and voice.language in model.languages
    return voice.language if known and voice is not None else AUTO


def style_state(
    voice: SpeakVoice | None, model: engine.ModelSummary | None, models: Sequence[engine.ModelSummary]
) -> StyleState:
    """Whether `model` obeys a style with `voice`."""
    if model is None:
        return StyleState(obeyed=False)
    if not model.obeys_style:
        better = next((other for other in models if other.obeys_style), None)
        return StyleState(obeyed=False, words=model.style_reason, better=better)
    is_delta = voice is not None and voice.record is not None and voice.record.tier == "wdelta"
    return StyleState(obeyed=True, words=_DELTA_HINT if is_delta else "")


def _title(name: str) -> str:
    return name.replace("_", " ").title()
