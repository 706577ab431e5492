"""What a model lets a person do, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import engine

if TYPE_CHECKING:
    from app.models.shelf import ModelEntry
    from app.models.standing import FetchState, Outlook


def what_it_does(summary: engine.ModelSummary) -> str:
    """One line under the model's name."""
    if summary.kind == "base":
        return "Clones voices from speech, and speaks with them."
    if summary.kind == "voice_design":
        return "Invents a voice from a description."
    style = "and follows style prompts" if summary.obeys_style else "without style prompts"
    return f"Speaks with cloned voices and {len(summary.speakers)} presets, {style}."


def size_words(size_bytes: int) -> str:
    """Bytes as a person reads them, decimal units."""
    for unit, factor in (("GB", 1e9), ("MB", 1e6), ("KB", 1e3)):
        if size_bytes >= factor:
            value = size_bytes / factor
            return f"{value:.0f} {unit}" if value >= 100 else f"{value:.1f} {unit}"
    return f"{size_bytes} bytes"


def facts(summary: engine.ModelSummary) -> str:
    """Size on disk, width of its voices, languages."""
    languages = len(summary.languages)
    return f"{size_words(summary.weight_bytes)} · voices of width {summary.width} · {languages} languages"


def needs_words(model: engine.ReleasedModel, outlook: Outlook | None) -> str:
    """Size, memory and speed here: measured, else expected, exact and in eight bits."""
    exact, small = (engine.forecast_released(model, name).loaded_bytes for name in ("fp32", "int8"))
    parts = [f"{size_words(model.total_bytes)} to fetch", _memory(exact, small)]
    if outlook is not None and (measured := outlook.measured.get(model.size_label)) is not None:
        parts.append(speed_words(measured))
    elif outlook is not None:
        wanted = ("fp32", "int8")
        found = [engine.expected_realtime_factor(model.size_label, name, outlook.machine) for name in wanted]
        factors = [factor for factor in found if factor is not None]
        if len(factors) == len(wanted):
            parts.append(f"expected here: {_pace(factors[0])}, in int8 {_pace(factors[1], '')} (not measured yet)")
    return " · ".join(parts)


def needs_here(entry: ModelEntry) -> str:
    """Memory and speed of a model that is here."""
    return f"{_memory(*entry.memory_bytes)} · {speed_words(entry.speed)}"


def speed_words(speed: engine.MeasuredSpeed | None) -> str:
    """A speed that was measured here."""
    if speed is None:
        return "speed not measured yet"
    return f"measured here: {_pace(speed.realtime_factor)} ({speed.placement}, {speed.day})"


def _memory(exact_bytes: int, small_bytes: int) -> str:
    return f"{size_words(exact_bytes)} of memory, {size_words(small_bytes)} in int8"


def _pace(factor: float, than: str = " than speech") -> str:
    if factor < 0.8:
        return f"{1 / factor:.2g} × faster{than}"
    return f"{factor:.2g} × slower{than}" if factor >= 1.25 else "as fast as speech"


def fetch_words(state: FetchState) -> str:
    """How far a fetch is."""
    done, total = size_words(int(state.done_bytes)), size_words(int(state.total_bytes))
    if state.kind == "kept":
        return f"{done} of {total} are here. Fetching goes on from there."
    if state.kind == "found":
        return "Another program has fetched it already: it lies in the cache of Hugging Face."
    if state.kind == "waiting":
        return "Waiting for the fetch before it, or for the source to answer"
    if state.kind != "running":
        return ""
    parts = [state.stage.capitalize(), f"{done} of {total}"]
    if state.speed > 0:
        parts.append(f"{size_words(int(state.speed))}/s")
    if state.seconds_left is not None:
        parts.append(left_words(state.seconds_left))
    return " · ".join(parts)


def left_words(seconds: float) -> str:
    """Time left, as exactly as it can be known."""
    if seconds < 90:
        return f"{seconds:.0f} s left"
    return f"{seconds / 60:.0f} min left" if seconds < 5400 else f"{seconds / 3600:.1f} h left"


def outlook_words(models: tuple[engine.ReleasedModel, ...]) -> str:
    """What is recommended for this computer."""
    if not models:
        return "This computer has too little memory, or too little room on the disk, for the smallest pair."
    names = " + ".join(model.title for model in models)
    styled = any(model.kind == "custom_voice" and model.size_label != "0.6B" for model in models)
    purpose = "to clone and to speak with style" if styled else "to clone and to speak"
    return f"For this computer, {purpose}: {names}, {size_words(engine.together_bytes(models))}"
