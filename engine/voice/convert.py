"""From one voice file to another: sections dropped or added, in-context speech on or off, a transcript merged."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.progress import Cancel, Report, no_report
from engine.voice.files import QVOICE_SUFFIX, load_voice, save_voice
from engine.voice.source import refusal

if TYPE_CHECKING:
    from engine.voice.pair import ModelPair
    from engine.voice.voice import Tier, Voice


def convert_voice(
    source: str | Path,
    target: str | Path,
    tier: Tier | None = None,
    pair: ModelPair | None = None,
    in_context: bool | None = None,
    transcript: str | None = None,
    cancel: Cancel | None = None,
    report: Report = no_report,
) -> Tier:
    """Write the voice file `source` as `target`, which may be the same file, in `tier`; return the tier.

    Without `tier` it stays what it is, but a name other than .qvoice makes it light. Going down needs no model,
    going up needs `pair`; weights that are there already are copied, and with both models computed afresh.
    `in_context` False drops the codes, True insists on them. `transcript` replaces the one in the file, an empty
    one removes it.

    Raises what `load_voice` and `save_voice` raise, and `VoiceError` for what cannot be; `target` then stays.
    """
    source, target = Path(source), Path(target)
    voice = load_voice(source)
    if transcript is not None:
        voice = replace(voice, transcript=transcript.strip() or None)
    if in_context is not None:
        voice = _switched(voice, in_context, source, target)
    tier = tier or (voice.tier if target.suffix == QVOICE_SUFFIX else "light")
    if pair and pair.custom_voice:
        voice = replace(voice, delta=None)
    _require_models(voice, tier, pair, source)
    save_voice(voice, target, tier, pair, cancel, report)
    return tier


def _switched(voice: Voice, on: bool, source: Path, target: Path) -> Voice:
    if not on:
        return replace(voice, codes=None)
    if voice.codes is None or len(voice.codes) == 0:
        raise refusal(source, "it holds no codes, so it cannot speak in context. Clone it again with its transcript.")
    if not voice.transcript:
        raise refusal(source, "it holds codes but no transcript of them. Say what the recording says too.")
    if target.suffix != QVOICE_SUFFIX:
        raise refusal(target, "only a .qvoice file has room for codes. Choose such a name.")
    return voice


def _require_models(voice: Voice, tier: Tier, pair: ModelPair | None, source: Path) -> None:
    """Say which models are missing, and why, in terms of the file that is converted."""
    if tier == "wdelta" and voice.delta is None and (pair is None or pair.custom_voice is None):
        raise refusal(source, "its weights are not in it; the wdelta tier needs the Base and the CustomVoice model.")
    carries = voice.tables is not None and voice.special_rows is not None
    if tier != "light" and not carries and pair is None:
        raise refusal(source, f"the {tier} tier needs the Base model it was made with, which was not given.")
