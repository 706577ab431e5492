"""The speech that stage `data` wrote, and what stages read of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from built_in_model.paths import SPEECH

FRAME, SLOT, SLOTS = 1920, 480, 4  # samples of a code frame, of one of its four slots
_LAST = 0xFFFF


@dataclass(frozen=True, eq=False)
class Shard:
    """Utterances and, mapped from disk, their samples."""

    index: int
    lines: list[dict[str, Any]]

    @cached_property
    def samples(self) -> npt.NDArray[np.int16]:
        return np.load(SPEECH / f"{self.index:04d}.npy", mmap_mode="r")  # type: ignore[no-any-return]

    def utterance(self, number: int) -> npt.NDArray[np.float32]:
        """Its samples, cut to whole code frames."""
        line = self.lines[number]
        count = frames_of(line) * FRAME
        return np.divide(self.samples[line["first"] : line["first"] + count], 32767, dtype=np.float32)


def frames_of(line: dict[str, Any]) -> int:
    """Whole code frames of an utterance."""
    return int(line["count"]) // FRAME


def shards(most: int = _LAST, folder: Path = SPEECH) -> list[Shard]:
    """What has been written so far, in order."""
    found = sorted(int(p.stem) for p in folder.glob("????.npy"))[:most]
    return [
        Shard(i, [json.loads(t) for t in (folder / f"{i:04d}.jsonl").read_text(encoding="utf-8").splitlines()])
        for i in found
    ]
