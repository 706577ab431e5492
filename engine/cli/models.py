"""qvoice models: which released models there are, which are here and where, fetching, checking, removing."""

from __future__ import annotations

import argparse
import shutil
import sys
from functools import partial
from pathlib import Path
from typing import Any

from engine.cli.common import add_json, tell
from engine.errors import ModelError
from engine.hub.cached import in_hub_cache, model_folder_in
from engine.hub.catalogue import RELEASED, ReleasedModel, recommended, released, together_bytes
from engine.hub.fetch import fetch_model, forget_kept, kept_bytes
from engine.hub.pace import Pace
from engine.hub.sources import SOURCES, source_called
from engine.hub.verify import knows_bytes, verify_model
from engine.model.checkpoint import summarize_model
from engine.places import models_folder
from engine.progress import Progress
from engine.system.measured import measured_speed
from engine.system.memory import memory_bytes
from engine.system.speed import expected_realtime_factor, measure_machine


def add_parser(commands: Any) -> None:
    parser = commands.add_parser("models", help="list, fetch, check and remove the released models")
    acts = parser.add_subparsers(title="acts", metavar="ACT")
    listing = acts.add_parser("list", help="the released models and what is here (also without an act)")
    fetching = acts.add_parser("fetch", help="fetch a model, go on with one, or mend a broken one")
    fetching.add_argument("name", nargs="+", help=", ".join(model.name for model in RELEASED))
    fetching.add_argument("--source", choices=tuple(SOURCES), default="huggingface")
    fetching.add_argument("--revision", default="", help="a branch, tag or commit; else the one begun, or the newest")
    checking = acts.add_parser("verify", help="compare every byte with what was fetched")
    checking.add_argument("name", help="a model's name, or a folder")
    removing = acts.add_parser("remove", help="remove a fetched model, or what an interrupted fetch left")
    removing.add_argument("name")
    where = acts.add_parser("path", help="print where models are kept, or where one lies")
    where.add_argument("name", nargs="?")
    runs = ((listing, _list), (fetching, _fetch), (checking, _verify), (removing, _remove), (where, _path))
    for act, run in runs:
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
    here = [model for model, row in zip(RELEASED, rows, strict=True) if row["folder"]]
    choice = recommended(memory_bytes().total, _free(root), factor, here)
    facts = {"folder": str(root), "models": rows, "recommended": [model.name for model in choice]}
    lines = [f"{row['name']:18} {row['gigabytes']:4.1f} GB  {row['state']:22} {row['does']}" for row in rows]
    lines += [row["problem"] for row in rows if row["problem"]]
    words = (
        f"For this computer: {' + '.join(model.title for model in choice)}, {together_bytes(choice) / 1e9:.1f} GB."
        if choice
        else "This computer has too little memory or room on the disk for the smallest pair."
    )
    tell(arguments, facts, "\n".join([*lines, "", words, f"Models are kept in {root}"]))
    return 0


def _row(model: ReleasedModel, root: Path) -> dict[str, Any]:
    folder, kept, problem = _folder_of(model, root), kept_bytes(root, model), ""
    if folder is None:
        state = f"{kept / 1e9:.1f} GB fetched" if kept else "not here"
    else:
        state = "here" if folder.parent == root else "in another's cache"
        try:
            summarize_model(folder)
        except ModelError as error:
            state, problem = "broken", f"{error} Mend it with: qvoice models fetch {model.name}"
    speed = measured_speed(model.size_label)
    return {
        "name": model.name,
        "title": model.title,
        "gigabytes": round(model.total_bytes / 1e9, 1),
        "state": state,
        "does": model.does,
        "folder": None if folder is None else str(folder),
        "problem": problem,
        "measured_realtime_factor": None if speed is None else speed.realtime_factor,
    }


def _folder_of(model: ReleasedModel, root: Path) -> Path | None:
    """Where it lies, in our folder or in Hugging Face's cache."""
    folder = root / model.folder
    return folder if folder.is_dir() else in_hub_cache(model)


def _path(arguments: argparse.Namespace) -> int:
    root = _root(arguments)
    model = None if arguments.name is None else released(arguments.name)
    folder = root if model is None else _folder_of(model, root)
    if folder is None:
        raise ModelError(f"{arguments.name} is not here. Fetch it with: qvoice models fetch {arguments.name}")
    tell(arguments, {"folder": str(folder)}, str(folder))
    return 0


def _free(root: Path) -> int:
    there = next(folder for folder in (root.absolute(), *root.absolute().parents) if folder.exists())
    return shutil.disk_usage(there).free


def _fetch(arguments: argparse.Namespace) -> int:
    root, source = _root(arguments), source_called(arguments.source)
    folders = []
    for model in [released(name) for name in arguments.name]:
        line = _Line(model.title)
        folders.append(fetch_model(model, root, source, report=line.show, revision=arguments.revision))
        line.end()
    tell(arguments, {"folders": [str(folder) for folder in folders]}, "\n".join(map(str, folders)))
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    place = Path(arguments.name)
    folder = model_folder_in(place) if place.is_dir() else _folder_of(released(arguments.name), _root(arguments))
    if folder is None:
        raise ModelError(f"{arguments.name} is not here. Fetch it with: qvoice models fetch {arguments.name}")
    line = _Line(folder.name)
    faults = verify_model(folder, report=line.show)
    line.end()
    extent = "." if knows_bytes(folder) else ", as far as the headers of its files tell."
    facts = {"folder": str(folder), "faults": list(faults), "every_byte": knows_bytes(folder)}
    tell(arguments, facts, "\n".join(faults) or f"{folder} is whole{extent}")
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
        self._pace.add(progress.done, progress.stage)
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
