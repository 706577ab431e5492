"""Faster or slower without another pitch: FFmpeg's `atempo` (overlapped waveforms), fed while sound is made."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

import numpy as np
import numpy.typing as npt

from engine.audio.clip import SAMPLE_RATE
from engine.errors import RequestError

if TYPE_CHECKING:
    import av

FloatArray = npt.NDArray[np.float32]

SLOWEST, FASTEST = 0.5, 2.0  # as times the speed; further out words fall apart
_SAME: Final = 0.005


class Stretcher:
    """One sound at `speed` times its own (0.5 to 2), piece by piece; at 1 every sample stays as it is.

    Raises `RequestError` for another speed.
    """

    def __init__(self, speed: float = 1.0) -> None:
        if not SLOWEST <= speed <= FASTEST:
            raise RequestError(f"Speech can be made {SLOWEST} to {FASTEST:g} times as fast, not {speed:g}.")
        self._graph = _graph(speed) if abs(speed - 1) > _SAME else None
        self._taken = 0

    def push(self, samples: FloatArray) -> FloatArray:
        """What of the stretched sound is ready after `samples` float32 [n] at 24 kHz."""
        if self._graph is None:
            return samples
        if len(samples):
            self._graph.push(_frame(samples, self._taken))
            self._taken += len(samples)
        return _joined(_pull(self._graph))

    def finish(self) -> FloatArray:
        """The rest; nothing may be pushed after."""
        if self._graph is None or not self._taken:
            return np.empty(0, np.float32)
        self._graph.push(None)
        return _joined(_pull(self._graph))


def stretch(samples: FloatArray, speed: float) -> FloatArray:
    """All of a sound at `speed` times its own."""
    stretcher = Stretcher(speed)
    return np.concatenate((stretcher.push(samples), stretcher.finish()))


def _graph(speed: float) -> av.filter.Graph:
    from av.filter import Graph

    graph = Graph()
    source = graph.add_abuffer(sample_rate=SAMPLE_RATE, format="flt", layout="mono", time_base=Fraction(1, SAMPLE_RATE))
    tempo = graph.add("atempo", f"{speed:.4f}")
    sink = graph.add("abuffersink")
    source.link_to(tempo)
    tempo.link_to(sink)
    graph.configure()
    return graph


def _frame(samples: FloatArray, at: int) -> av.AudioFrame:
    from av import AudioFrame

    whole = np.ascontiguousarray(samples, np.float32)[None]
    frame = AudioFrame.from_ndarray(whole, format="flt", layout="mono")
    frame.sample_rate, frame.pts, frame.time_base = SAMPLE_RATE, at, Fraction(1, SAMPLE_RATE)
    return frame


def _pull(graph: av.filter.Graph) -> Iterator[FloatArray]:
    from av.error import BlockingIOError, EOFError  # noqa: A004 - FFmpeg's own, which are not Python's

    while True:
        try:
            frame: Any = graph.pull()
        except (BlockingIOError, EOFError):
            return
        yield frame.to_ndarray().reshape(-1)


def _joined(pieces: Iterator[FloatArray]) -> FloatArray:
    return np.concatenate([np.empty(0, np.float32), *pieces])
