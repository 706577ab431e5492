"""What a model lets a person do, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import engine


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
