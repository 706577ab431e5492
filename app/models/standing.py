"""How it stands with the released models on the disk: looked at, moved and emptied in the file lane."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

import engine

_REMOVED = ".removed-"

Kind = Literal["absent", "found", "kept", "waiting", "running", "here"]


@dataclass(frozen=True)
class FetchState:
    """How it stands with one released model. Bytes, bytes a second, seconds; `stage` in the engine's words.

    "found" is one in another program's cache, in `folder`.
    """

    kind: Kind
    done_bytes: float = 0.0
    total_bytes: float = 0.0
    stage: str = ""
    speed: float = 0.0
    seconds_left: float | None = None
    folder: Path | None = None


@dataclass(frozen=True)
class Outlook:
    """What the released models would mean on this computer; `measured` speeds by size label."""

    recommended: tuple[engine.ReleasedModel, ...]
    machine: engine.MachineSpeed
    measured: dict[str, engine.MeasuredSpeed]


def standing(root: Path) -> dict[str, FetchState]:
    """Of every released model, by name."""
    found = {}
    for model in engine.RELEASED:
        kept = engine.kept_bytes(root, model)
        cached = engine.in_hub_cache(model)
        kind: Kind = "here" if (root / model.folder).is_dir() else "kept" if kept else "found" if cached else "absent"
        found[model.name] = FetchState(kind, kept, model.total_bytes, folder=cached)
    return found


def outlook(root: Path) -> Outlook:
    """Measured in about half a second."""
    there = next(folder for folder in (root, *root.parents) if folder.exists())
    free = shutil.disk_usage(there).free
    here = [model for model in engine.RELEASED if (root / model.folder).is_dir()]
    machine = engine.measure_machine()
    factor = partial(engine.expected_realtime_factor, precision="int8", machine=machine)
    sizes = {model.size_label: engine.measured_speed(model.size_label) for model in engine.RELEASED}
    measured = {size: speed for size, speed in sizes.items() if speed is not None}
    return Outlook(engine.recommended(engine.memory_bytes().total, free, factor, here), machine, measured)


def removed_place(root: Path, model: engine.ReleasedModel) -> Path:
    """Where a removed model lies for as long as it can be brought back."""
    return root / f"{_REMOVED}{model.folder}"


def move(source: Path, target: Path) -> None:
    """Rename a folder, over another if need be. Raises `WriteError`."""
    try:
        if target.exists():
            shutil.rmtree(target)
        source.replace(target)
    except OSError as error:
        raise engine.WriteError(
            f"{source} cannot be moved ({error.strerror}). Is it open in another program?"
        ) from error


def purge(root: Path) -> None:
    """Give the room of removed models back."""
    for folder in root.glob(f"{_REMOVED}*"):
        shutil.rmtree(folder, ignore_errors=True)
