"""From a request to prompt rows: which mode it is, what the model can obey, what it must refuse."""

from __future__ import annotations

from dataclasses import dataclass, replace

import torch
from torch import Tensor

from engine.errors import RequestError, VoiceError
from engine.model.checkpoint import ModelSummary
from engine.model.config import ModelConfig
from engine.speech.generate import Speaker
from engine.speech.request import SpeechRequest
from engine.text.normalize import spoken_form
from engine.text.prompt import Prompt, PromptParts, Reference, build_prompt, language_id
from engine.text.tokenizer import TextTokenizer
from engine.voice.voice import Voice

_RESCALE_ABOVE = 0.1  # norms below are of rows that were never trained
_RESCALE_PRESET = "ryan"  # whose row the C engine takes the norm of


@dataclass(frozen=True, eq=False)
class Plan:
    """A request made ready: prompt rows, the parts to run them through, and what was left out, a line each.

    `reference_codes` int64 [frames, codebooks] are decoded ahead of the new ones in in-context cloning, and cut.
    """

    prompt: Prompt
    speaker: Speaker
    reference_codes: Tensor | None
    notes: tuple[str, ...]


def make_plan(
    request: SpeechRequest,
    speaker: Speaker,
    tokenizer: TextTokenizer,
    config: ModelConfig,
    summary: ModelSummary,
) -> Plan:
    """Lay out `request` for a model. Raises `RequestError` or `VoiceError` in one line."""
    _check_source(request, summary)
    voice = request.voice
    if voice is not None and voice.delta is None and summary.kind != "base":
        # With WDELTA the weights are Base's already; its own tables would only bring another rounding of them.
        embeddings = speaker.embeddings.with_voice(voice, config)
        speaker = replace(speaker, embeddings=embeddings)
    codes = _reference_codes(request, config)
    instruct, notes = _instruction(request, summary)
    streamed = request.streamed_text if request.streamed_text is not None else _streams_by_default(request, summary)
    parts = PromptParts(
        role_ids=tokenizer.role("assistant"),
        text_ids=tokenizer.spoken(words_of(request)),
        instruct_ids=tokenizer.instruction(instruct),
        language_id=language_id(config.talker_config, request.language, request.speaker),
        speaker=_speaker_row(request, speaker, config),
        reference=None if codes is None else _reference(voice, codes, speaker, tokenizer),
        streamed_text=streamed,
    )
    return Plan(build_prompt(parts, speaker.embeddings, config), speaker, codes, notes)


def words_of(request: SpeechRequest) -> str:
    """The text that is tokenised: the spoken form, unless the caller switched that off."""
    return spoken_form(request.text, request.language).text if request.normalize else request.text


def _check_source(request: SpeechRequest, summary: ModelSummary) -> None:
    if request.voice is not None and request.speaker is not None:
        raise RequestError("Give a cloned voice or a preset speaker, not both.")
    if request.speaker is not None and request.speaker.lower() not in summary.speakers:
        choice = ", ".join(sorted(summary.speakers)) or "none; clone a voice instead"
        raise RequestError(f"{summary.label} has no speaker {request.speaker!r}. It has: {choice}.")
    if summary.kind == "custom_voice" and request.voice is None and request.speaker is None:
        raise RequestError(f"{summary.label} needs a speaker or a cloned voice. Choose one first.")
    if request.voice is not None and request.voice.width != summary.width:
        name = request.voice.name or "The voice"
        raise VoiceError(
            f"{name} was made for models of width {request.voice.width}, {summary.label} has {summary.width}. "
            "Choose a model of the voice's size, or clone it again with this one."
        )


def _streams_by_default(request: SpeechRequest, summary: ModelSummary) -> bool:
    """Clones take their text frame by frame, presets and designs as a whole: the official defaults."""
    return request.voice is not None or summary.kind == "base"


def _instruction(request: SpeechRequest, summary: ModelSummary) -> tuple[str, tuple[str, ...]]:
    instruct = (request.instruct or "").strip()
    if instruct and not summary.obeys_style:
        return "", (f"The style prompt was left out. {summary.style_reason}",)
    return instruct, ()


def _speaker_row(request: SpeechRequest, speaker: Speaker, config: ModelConfig) -> Tensor | None:
    presets = config.talker_config.spk_id
    if request.speaker is not None:
        return speaker.embeddings.codec_rows([presets[request.speaker.lower()]])[0]
    if request.voice is None:
        return None
    row = torch.from_numpy(request.voice.x_vector).to(speaker.embeddings.codec)
    if not request.rescale or _RESCALE_PRESET not in presets or request.voice.delta is not None:
        return row
    wanted, found = speaker.embeddings.codec[presets[_RESCALE_PRESET]].norm(), row.norm()
    return row * (wanted / found) if min(wanted, found) > _RESCALE_ABOVE else row


def _reference_codes(request: SpeechRequest, config: ModelConfig) -> Tensor | None:
    voice = request.voice
    if request.in_context and (voice is None or not voice.in_context):
        raise RequestError("Speaking in context needs a voice with a transcript and codes. Clone it with a transcript.")
    if voice is None or voice.codes is None or not voice.in_context or request.in_context is False:
        return None
    talker = config.talker_config
    codes = torch.from_numpy(voice.codes).long()
    books = talker.code_predictor_config.vocab_size
    if codes.shape[1] != talker.num_code_groups or bool((codes < 0).any()) or bool((codes >= books).any()):
        raise VoiceError(f"{voice.name or 'The voice'} holds codes this model does not have. Clone it again.")
    return codes


def _reference(voice: Voice | None, codes: Tensor, speaker: Speaker, tokenizer: TextTokenizer) -> Reference:
    assert voice is not None
    assert voice.transcript
    rows = speaker.embeddings.codec_rows(codes[:, 0].tolist()) + speaker.predictor.embed(codes[:, 1:])
    return Reference(tokenizer.spoken(voice.transcript), rows)
