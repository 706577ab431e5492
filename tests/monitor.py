"""Ears for what the program plays."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Self

import numpy as np

MONITOR_RATE = 48_000  # the sink's own


class Monitor:
    """Hears the loudspeakers: the null sink's monitor, float32 mono at `rate`.

    It writes to `file`: a pipe that nobody empties would stop it when full.
    """

    def __init__(self, file: Path, rate: int) -> None:
        self._file = file
        command = ["parec", "--device=speakers.monitor", "--format=float32le", "--channels=1", f"--rate={rate}"]
        with file.open("wb") as out:
            self._process = subprocess.Popen([*command, "--latency-msec=20"], stdout=out)

    @property
    def heard(self) -> np.ndarray:
        """All so far; empty until it listens."""
        return np.fromfile(self._file, "<f4")

    def stop(self) -> np.ndarray:
        """All that was heard."""
        self._process.terminate()
        self._process.wait()
        return self.heard

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.stop()
