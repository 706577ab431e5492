"""qvoice verify: is a voice file whole, and does it give what it promises?"""

from __future__ import annotations

import argparse
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from engine.cli.common import add_json, add_pair, add_sentence, pair_of, sentence_of, show_progress, tell
from engine.voice.verify import PRECISIONS, Check, verify_file, verify_models

if TYPE_CHECKING:
    import engine


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command to `qvoice`."""
    parser = subparsers.add_parser(
        "verify",
        help="check a voice file, and prove that a WDELTA one is exact",
        description="Without models: read and unpack all of the file. With both: compare every tensor with Base's, "
        "then let Base with the voice and CustomVoice with the WDELTA file speak one sentence with one seed, and "
        "compare codes and samples. Exit code 1 if anything differs.",
    )
    parser.add_argument("path", metavar="FILE", type=Path, help="a .qvoice or .bin voice file")
    add_pair(parser, "with it the file is compared with the models")
    parser.add_argument("--precision", choices=(*PRECISIONS, "all"), default="all", help="of the speech; default: all")
    add_sentence(parser)
    add_json(parser)
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    """Check, and print what came of it."""
    pair = pair_of(arguments)
    checks = list(verify_file(arguments.path, report=show_progress))
    if pair and _passed(checks):
        checks += verify_models(arguments.path, pair, report=show_progress)
        if any(check.what == "weights" for check in checks):
            checks += _speech(arguments, pair, _passed(checks))
    facts = {"file": str(arguments.path), "passed": _passed(checks), "checks": [asdict(check) for check in checks]}
    tell(arguments, facts, _table(arguments.path, checks))
    return 0 if _passed(checks) else 1


def _speech(arguments: argparse.Namespace, pair: engine.ModelPair, so_far: bool) -> list[Check]:
    precisions = PRECISIONS if arguments.precision == "all" else (arguments.precision,)
    if not so_far:
        return [Check(f"speech {precision}", False, "not tried after what failed above") for precision in precisions]
    from engine.voice.proof import prove_speech  # brings in torch

    sentence = sentence_of(arguments)
    proofs = [prove_speech(arguments.path, pair, name, sentence, report=show_progress) for name in precisions]
    return [check for proof in proofs for check in proof]


def _passed(checks: list[Check]) -> bool:
    return all(check.passed for check in checks)


def _table(path: Path, checks: list[Check]) -> str:
    lines = [f"  {check.what:<22} {'ok' if check.passed else 'FAILED':<8} {check.detail}" for check in checks]
    end = "Everything holds." if _passed(checks) else "This file does not hold what it says."
    return "\n".join([str(path), *lines, end])
