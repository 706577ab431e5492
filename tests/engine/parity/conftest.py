"""A copy of some official results that a test may spoil, and the command run in this process."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from safetensors.torch import load_file, save_file

from engine.cli.main import main

GOLDENS = Path(__file__).resolve().parents[2] / "data" / "goldens"


@dataclass(frozen=True)
class Ran:
    """What `qvoice` came to: exit code, standard output, standard error."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> dict[str, Any]:
        return json.loads(self.out)

    def quantities(self) -> dict[str, dict[str, Any]]:
        return {entry["name"]: entry for stage in self.json["stages"] for entry in stage["quantities"]}

    def failed(self) -> list[str]:
        return [stage["stage"] for stage in self.json["stages"] if stage["passed"] is False]


@pytest.fixture
def parity(capsys: pytest.CaptureFixture[str]) -> Callable[..., Ran]:
    """`parity(MODEL, GOLDENS, …)`: one run of the command."""

    def run(*arguments: str | Path) -> Ran:
        code = main(["parity", *map(str, arguments)])
        printed = capsys.readouterr()
        return Ran(code, printed.out, printed.err)

    return run


class Copied:
    """Some cases of `tests/data/goldens/<model>`, copied, to be spoiled array by array."""

    def __init__(self, folder: Path, model: str, names: list[str]) -> None:
        self.folder, source = folder, GOLDENS / model
        reference = json.loads((source / "reference.json").read_text(encoding="utf-8"))
        reference["cases"] = {name: reference["cases"][name] for name in names}
        self.write(reference)
        for name in names:
            shutil.copy(source / f"{name}.safetensors", folder)

    def read(self) -> dict[str, Any]:
        return json.loads((self.folder / "reference.json").read_text(encoding="utf-8"))

    def write(self, reference: Any) -> None:
        (self.folder / "reference.json").write_text(json.dumps(reference), encoding="utf-8")

    def add(self, case: str, array: str, index: tuple[int, ...], step: float) -> None:
        """Add `step` to one value."""
        path = self.folder / f"{case}.safetensors"
        arrays = {name: value.clone() for name, value in load_file(path).items()}
        arrays[array][index] += step
        save_file(arrays, path)


@pytest.fixture
def copied(tmp_path: Path) -> Callable[..., Copied]:
    """`copied(MODEL, CASE, …)`."""

    def copy(model: str, *names: str) -> Copied:
        folder = tmp_path / "goldens"
        folder.mkdir()
        return Copied(folder, model, list(names))

    return copy
