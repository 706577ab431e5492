"""What `qvoice inspect` and the window's inspector say of a voice file, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.voice.inspect import Inspection
    from engine.voice.voice import Origin


def inspection_facts(found: Inspection) -> list[tuple[str, str]]:
    """What a voice file says of itself, as (name, words), in an order to read; sections and warnings apart."""
    version = "bare vector" if found.version is None else f".qvoice version {found.version}"
    facts = [
        ("name", _plain(found.name)),
        ("tier", f"{found.tier} ({found.file_size:,} bytes, {version})"),
        ("model", f"{found.model_size}, {'Base' if found.from_base else 'not from a Base model'}"),
        ("vector", f"{found.width} values, norm {found.x_vector_norm:.3f}"),
        ("language", _plain(found.language)),
        ("transcript", _plain(found.transcript)),
        ("codes", f"{found.frames} frames ({found.codes_seconds:.1f} s)" if found.frames else "-"),
        ("speaks from", "vector, transcript and codes" if found.in_context else "vector"),
    ]
    if found.reference_seconds:
        facts.append(("reference", f"{found.reference_seconds:g} s"))
    if found.weight_records:
        facts.append(("weights", f"{found.weight_records} tensors"))
    facts += [(f"for {kind}", digest) for kind, digest in found.model_digests.items()]
    facts += [(label, _plain(str(value))) for label, value in _origin(found.origin) if value is not None]
    return facts


def inspection_table(inspection: Inspection) -> str:
    """The whole description as lines of text, with sections and warnings."""
    lines = [str(inspection.path)]
    lines += [f"  {label:<12} {value}" for label, value in inspection_facts(inspection)]
    lines.append(f"  {'section':<14} {'offset':>13} {'bytes':>13}")
    lines += [f"  {part.name:<14} {part.offset:>13,} {part.size:>13,}" for part in inspection.sections]
    lines += [f"  warning: {warning}" for warning in inspection.warnings]
    return "\n".join(lines)


def _origin(origin: Origin) -> list[tuple[str, object]]:
    """What the notes beside the file say of where it comes from."""
    return [
        ("consent", origin.consent),
        ("licence", origin.licence),
        ("clip", origin.clip_sha256 and f"sha256 {origin.clip_sha256}"),
        (
            "cloned with",
            origin.base_digest and f"Base {origin.base_digest[:16]}, engine {origin.engine_version or '?'}",
        ),
        ("preview", origin.preview_seed if origin.preview_seed is None else f"seed {origin.preview_seed}"),
    ]


def _plain(text: str | None, most: int = 80) -> str:
    """One line for a terminal, whose control characters a foreign file must not send."""
    text = " ".join((text or "-").split())
    text = "".join(sign if sign.isprintable() else "\N{REPLACEMENT CHARACTER}" for sign in text)
    return text if len(text) <= most else f"{text[: most - 1]}…"
