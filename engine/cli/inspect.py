"""qvoice inspect: what is in a voice file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import VoiceError
from engine.voice.inspect import Inspection, inspect_voice

if TYPE_CHECKING:
    import argparse

    from engine.voice.voice import Origin


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to `qvoice`."""
    parser = subparsers.add_parser(
        "inspect",
        help="show what is in a voice file",
        description="Show the sections, sizes, model, language and tier of voice files. Needs no model.",
    )
    parser.add_argument("paths", metavar="FILE", type=Path, nargs="+", help="a .qvoice or .bin voice file")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Inspect every file; 1 if one of them cannot be read."""
    found: list[Inspection] = []
    failed = 0
    for path in arguments.paths:
        try:
            found.append(inspect_voice(path))
        except VoiceError as error:
            failed = 1
            print(error, file=sys.stderr)
    if arguments.json:
        print(json.dumps(_as_json(found, len(arguments.paths)), indent=2, ensure_ascii=False))
    else:
        print("\n\n".join(table(inspection) for inspection in found), end="\n" if found else "")
    return failed


def table(inspection: Inspection) -> str:
    """The description as lines of text."""
    lines = [str(inspection.path)]
    lines += [f"  {label:<12} {value}" for label, value in _facts(inspection)]
    lines.append(f"  {'section':<14} {'offset':>13} {'bytes':>13}")
    lines += [f"  {part.name:<14} {part.offset:>13,} {part.size:>13,}" for part in inspection.sections]
    lines += [f"  warning: {warning}" for warning in inspection.warnings]
    return "\n".join(lines)


def _facts(found: Inspection) -> list[tuple[str, str]]:
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


def _as_json(found: list[Inspection], asked: int) -> Any:
    """One object for one file, a list for several."""
    described = [inspection.to_json() for inspection in found]
    if asked == 1:
        return described[0] if described else None
    return described
