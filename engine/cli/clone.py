"""qvoice clone: a voice file from a clip."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

import engine
from engine.cli.common import TEST_BASE, add_json, add_model, cached_pair, show_progress, tell
from engine.voice.voice import Tier

_TIERS: tuple[Tier, ...] = ("light", "standard", "wdelta")


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to `qvoice`."""
    parser = subparsers.add_parser(
        "clone", help="make a voice file from a sound file", description="Clone the voice in a sound file."
    )
    parser.add_argument("clip", metavar="SOUND", type=Path, help="any sound or video file")
    add_model(parser, TEST_BASE)
    parser.add_argument("-o", "--out", metavar="FILE", type=Path, required=True, help="the voice file to write")
    parser.add_argument("--tier", choices=_TIERS, help="default: light for .bin, standard for .qvoice")
    parser.add_argument("--custom-voice", metavar="DIR", type=Path, help="the CustomVoice model (for --tier wdelta)")
    parser.add_argument("--name", default="", help="the voice's name")
    parser.add_argument("--language", help="the language spoken in the clip")
    parser.add_argument("--transcript", help="what is said in the clip; adds its codes, to speak in context")
    parser.add_argument("--consent", metavar="TEXT", help="whose consent you have, and to what; kept beside the file")
    parser.add_argument("--licence", metavar="TEXT", help="what may be done with the voice; kept beside the file")
    parser.add_argument("--start", metavar="S", type=float, default=0.0, help="use the clip from this second")
    parser.add_argument("--end", metavar="S", type=float, help="use the clip up to this second")
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Clone and save."""
    clip = engine.read_clip(arguments.clip, arguments.start, arguments.end)
    model = engine.load_model(arguments.model, report=show_progress)
    name = arguments.name or arguments.out.stem
    voice = model.clone(clip, arguments.transcript, arguments.language, name, report=show_progress)
    voice = replace(voice, origin=replace(voice.origin, consent=arguments.consent, licence=arguments.licence))
    tier: Tier = arguments.tier or ("light" if arguments.out.suffix == ".bin" else "standard")
    pair = cached_pair(arguments.model, arguments.custom_voice)
    engine.save_voice(voice, arguments.out, tier, pair, report=show_progress)
    size = arguments.out.stat().st_size
    facts = {
        "file": str(arguments.out), "tier": tier, "bytes": size, "name": name, "width": voice.width,
        "clip_seconds": round(clip.seconds, 3), "codes": 0 if voice.codes is None else len(voice.codes),
        "notes": list(clip.notes),
    }  # fmt: skip
    heard = f"{clip.seconds:.1f} s of {arguments.clip.name}"
    tell(arguments, facts, f"Wrote {arguments.out} ({tier}, {size:,} bytes) from {heard}.")
    return 0
