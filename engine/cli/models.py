"""qvoice models: which released models there are, which are here, fetching, checking, removing."""

from __future__ import annotations

import argparse
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

from engine.cli.common import add_json, tell
from engine.errors import ModelError
from engine.hub.catalogue import RELEASED, ReleasedModel, recommended, released, together_bytes
from engine.hub.fetch import fetch_model, forget_kept, kept_bytes
from engine.hub.pace import Pace
from engine.hub.sources import SOURCES, source_called
from engine.hub.verify import verify_model
from engine.places import models_folder
from engine.progress import Progress
from engine.system.memory import memory_bytes
from engine.system.speed import expected_realtime_factor, measure_machine


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("models", help="list, fetch, check and remove the released models")
    acts = parser.add_subparsers(title="acts", metavar="ACT")
    listing = acts.add_parser("list", help="the released models and what is here (also without an act)")
    fetching = acts.add_parser("fetch", help="fetch a model, go on with one, or mend a broken one")
    fetching.add_argument("name", nargs="+", help=", ".join(model.name for model in RELEASED))
    fetching.add_argument("--source", choices=tuple(SOURCES), default="huggingface")
    checking = acts.add_parser("verify", help="compare every byte with what was fetched")
    checking.add_argument("name", help="a model's name, or a folder")
    removing = acts.add_parser("remove", help="remove a fetched model, or what an interrupted fetch left")
    removing.add_argument("name")
    for act, run in ((listing, _list), (fetching, _fetch), (checking, _verify), (removing, _remove)):
        act.add_argument("--folder", metavar="DIR", type=Path, default=None, help="where models are kept")
        add_json(act)
        act.set_defaults(run=run)
    parser.set_defaults(run=_list, folder=None, json=False)


def _root(arguments: argparse.Namespace) -> Path:
    folder: Path | None = arguments.folder
    return folder or models_folder()


def _list(arguments: argparse.Namespace) -> int:
    root = _root(arguments)
    rows = [_row(model, root) for model in RELEASED]
    factor = partial(expected_realtime_factor, precision="int8", machine=measure_machine())
    choice = recommended(memory_bytes().total, _free(root), factor)
    facts = {"folder": str(root), "models": rows, "recommended": [model.name for model in choice]}
    lines = [f"{row['name']:18} {row['gigabytes']:4.1f} GB  {row['state']:22} {row['does']}" for row in rows]
    words = (
        f"For this computer: {' + '.join(model.title for model in choice)}, {together_bytes(choice) / 1e9:.1f} GB."
        if choice
        else "This computer has too little memory or room on the disk for the smallest pair."
    )
    tell(arguments, facts, "\n".join([*lines, "", words, f"Models are kept in {root}"]))
    return 0


def _row(model: ReleasedModel, root: Path) -> dict[str, Any]:
    folder, kept = root / model.folder, kept_bytes(root, model)
    state = "here" if folder.is_dir() else f"{kept / 1e9:.1f} GB fetched" if kept else "not here"
    gigabytes = round(model.total_bytes / 1e9, 1)
    return {"name": model.name, "title": model.title, "gigabytes": gigabytes, "state": state, "does": model.does}


def _free(root: Path) -> int:
    there = next(folder for folder in (root.absolute(), *root.absolute().parents) if folder.exists())
    return shutil.disk_usage(there).free


def _fetch(arguments: argparse.Namespace) -> int:
    root, source = _root(arguments), source_called(arguments.source)
    folders = []
    for model in [released(name) for name in arguments.name]:
        line = _Line(model.title)
        folders.append(fetch_model(model, root, source, report=line.show))
        line.end()
    tell(arguments, {"folders": [str(folder) for folder in folders]}, "\n".join(map(str, folders)))
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    place = Path(arguments.name)
    folder = place if place.is_dir() else _root(arguments) / released(arguments.name).folder
    if not folder.is_dir():
        raise ModelError(f"{folder} is not here. Fetch it with: qvoice models fetch {arguments.name}")
    line = _Line(folder.name)
    faults = verify_model(folder, report=line.show)
    line.end()
    tell(arguments, {"folder": str(folder), "faults": list(faults)}, "\n".join(faults) or f"{folder} is whole.")
    return 1 if faults else 0


def _remove(arguments: argparse.Namespace) -> int:
    model, root = released(arguments.name), _root(arguments)
    folder, kept = root / model.folder, kept_bytes(root, model)
    if not folder.is_dir() and not kept:
        raise ModelError(f"{folder} is not here.")
    forget_kept(root, model)
    if folder.is_dir():
        shutil.rmtree(folder)
    tell(arguments, {"removed": str(folder)}, f"{folder} is removed.")
    return 0


class _Line:
    """One line on a terminal with bytes, speed and time left; nothing where the output is not one."""

    def __init__(self, title: str) -> None:
        self._title, self._pace = title, Pace()

    def show(self, progress: Progress) -> None:
        self._pace.add(progress.done)
        if not sys.stderr.isatty():
            return
        total = progress.total or 0
        left = self._pace.seconds_left(progress.done, total)
        time_left = "" if left is None else f", {left / 60:.0f} min left" if left > 90 else f", {left:.0f} s left"
        speed = f"{self._pace.bytes_per_second / 1e6:.1f} MB/s"
        done = f"{progress.done / 1e6:.0f} of {total / 1e6:.0f} MB"
        words = f"{self._title}: {progress.stage}, {done}, {speed}{time_left}"
        print(f"\r\033[K{words}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        if sys.stderr.isatty():
            print(file=sys.stderr)
