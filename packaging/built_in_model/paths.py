"""Where a run keeps its data, checkpoints and curves, and how its processes stay out of the way."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

WORK = Path(os.environ.get("QVOICE_BUILT_IN", "/var/tmp/qvoice_built_in"))  # noqa: S108 - survives a reboot
SPEECH, CODES, RUNS = WORK / "speech", WORK / "codes", WORK / "runs"
QUIET = Path("/tmp/quiet")  # noqa: S108 - set by whoever measures on this machine
_POLL_SECONDS = 2.0


def wait_while_quiet() -> None:
    """Hold while somebody measures on this machine."""
    while QUIET.exists():
        time.sleep(_POLL_SECONDS)


class Means:
    """Means of what a training step measures, between two lines of its curve."""

    def __init__(self) -> None:
        self._sums: dict[str, float] = {}
        self._count = 0

    def add(self, values: dict[str, float]) -> None:
        self._count += 1
        for name, value in values.items():
            self._sums[name] = self._sums.get(name, 0.0) + value

    def take(self) -> dict[str, float]:
        """The means, and begin anew."""
        out = {name: total / self._count for name, total in self._sums.items()}
        self._sums, self._count = {}, 0
        return out


class Curve:
    """A curve on disk: one JSON object a line."""

    def __init__(self, name: str) -> None:
        RUNS.mkdir(parents=True, exist_ok=True)
        self.path = RUNS / f"{name}.jsonl"

    def log(self, **values: object) -> None:
        line = json.dumps({key: round(v, 5) if isinstance(v, float) else v for key, v in values.items()})
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line + "\n")
        print(line, flush=True)
