"""qvoice compare: one sentence from each voice file, beside Base cloned directly."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

import engine
from engine.audio.mel import log_mel
from engine.audio.picture import write_comparison_picture
from engine.cli.common import (
    TEST_BASE,
    TEST_CUSTOM_VOICE,
    add_json,
    add_pair,
    add_sentence,
    cached_pair,
    sentence_of,
    show_progress,
    tell,
)

if TYPE_CHECKING:
    from engine.voice.compare import Compared


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to `qvoice`."""
    parser = subparsers.add_parser(
        "compare",
        help="let voice files speak, and compare them with Base cloned directly",
        description="Speak one sentence with one seed from each voice file on the CustomVoice model, and with the same "
        "voice on Base; show size, time to load, likeness to the speaker, likeness to Base and whether it is equal. "
        "Without models given it uses the test models, which make noise.",
    )
    parser.add_argument("paths", metavar="FILE", type=Path, nargs="+", help="a .qvoice or .bin voice file")
    add_pair(parser, "what the files are compared with")
    parser.add_argument("--clip", metavar="SOUND", type=Path, help="let Base clone this instead of the files' vectors")
    parser.add_argument("--out", metavar="DIR", type=Path, help="write the sounds and a picture of all mels here")
    add_sentence(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Compare, and leave sounds and picture where they were asked for."""
    from engine.voice.compare import compare_files  # brings in torch

    pair = _pair(arguments)
    clip = None if arguments.clip is None else engine.read_clip(arguments.clip)
    found = compare_files(arguments.paths, pair, clip, sentence_of(arguments), report=show_progress)
    written = [] if arguments.out is None else _write(found, arguments.out)
    files = [_facts(one) for one in found]
    facts = {"base": str(pair.base), "custom_voice": str(pair.custom_voice), "files": files, "written": written}
    lines = [_table(found)]
    if engine.summarize_model(pair.base).is_test_model:
        lines.append("The test model's weights are random: likeness to a speaker means nothing here.")
    if written:
        lines.append(f"Wrote {', '.join(written)} into {arguments.out}.")
    tell(arguments, facts, "\n".join(lines))
    return 0


def _pair(arguments: argparse.Namespace) -> engine.ModelPair:
    if arguments.base is None and arguments.custom_voice is None:
        return engine.ModelPair(TEST_BASE, TEST_CUSTOM_VOICE)
    if arguments.base is None or arguments.custom_voice is None:
        raise engine.ModelError("Comparing needs two models of one size. Give both with --base and --cv.")
    return cached_pair(arguments.base, arguments.custom_voice)


def _write(found: tuple[Compared, ...], folder: Path) -> list[str]:
    """The sounds of each file and of Base beside it, and one picture with a row for each file."""
    names = []
    for number, one in enumerate(found, 1):
        for name, spoken in ((f"{number}_{one.path.stem}", one.spoken), (f"{number}_base", one.direct)):
            engine.write_sound(folder / f"{name}.wav", spoken.samples)
            names.append(f"{name}.wav")
    told = [one for one in found if one.mel_correlation is not None]  # the others are too short for a mel
    if not told:
        return names
    mels = [(log_mel(one.direct.samples), log_mel(one.spoken.samples)) for one in told]
    write_comparison_picture(folder / "comparison.png", mels)
    return [*names, "comparison.png"]


def _facts(one: Compared) -> dict[str, Any]:
    return {
        "file": str(one.path), "tier": one.tier, "bytes": one.file_bytes, "load_seconds": round(one.load_seconds, 3),
        "seconds": round(one.seconds, 3), "speaker_cosine": _rounded(one.cosine),
        "base_speaker_cosine": _rounded(one.direct_cosine), "mel_correlation": _rounded(one.mel_correlation),
        "identical": one.identical,
    }  # fmt: skip


def _table(found: tuple[Compared, ...]) -> str:
    width = max(24, *(len(one.path.name) + 2 for one in found))
    head = f"{'file':<{width}}{'tier':<10}{'bytes':>13}{'load':>9}{'length':>9}"
    return "\n".join(
        [
            f"{head}{'speaker':>9}{'Base':>8}{'mels':>8}  Base's?",
            *(_line(one, width) for one in found),
            "speaker, Base: cosine of the sound's speaker vector and the reference's; mels: correlation with Base.",
        ]
    )


def _line(one: Compared, width: int) -> str:
    return (
        f"{one.path.name:<{width}}{one.tier:<10}{one.file_bytes:>13,}"
        f"{one.load_seconds:>7.2f} s{one.seconds:>7.2f} s"
        f"{_shown(one.cosine):>9}{_shown(one.direct_cosine):>8}{_shown(one.mel_correlation):>8}"
        f"  {'identical' if one.identical else 'different'}"
    )


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)


def _shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
