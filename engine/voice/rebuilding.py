"""WDELTA, tensor by tensor: what a model asks for is rebuilt just then, so that there is never a second copy of all."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import numpy.typing as npt

from engine.progress import Cancel, Progress, Report, no_report
from engine.voice.delta import Targets, open_records, rebuild_one, require_base_digest
from engine.voice.parallel import WORKERS
from engine.voice.records import RecordHeader
from engine.voice.source import Source
from engine.voice.voice import DeltaLocation


@contextmanager
def rebuilding(
    location: DeltaLocation, targets: Targets, cancel: Cancel | None = None, report: Report = no_report
) -> Iterator[Rebuilding]:
    """Base's tensors while the block lasts. All that can be checked before the first is checked on the way in.

    Raises `VoiceError` or `Cancelled`; what was made of the tensors so far is then to be thrown away.
    """
    with open_records(location, targets) as (source, records):
        pool = ThreadPoolExecutor(WORKERS, "wdelta")
        try:
            heads = {record.name: record for record in records}
            require_base_digest(source, location, lambda name: rebuild_one(source, heads[name], targets))
            yield Rebuilding(source, heads, targets, pool, cancel or Cancel(), report)
        finally:
            pool.shutdown(cancel_futures=True)


class Rebuilding:
    """Tensors by name, each to be asked for once; those behind it in the file are begun meanwhile."""

    def __init__(
        self,
        source: Source,
        heads: dict[str, RecordHeader],
        targets: Targets,
        pool: ThreadPoolExecutor,
        cancel: Cancel,
        report: Report,
    ) -> None:
        self._source, self._heads, self._targets, self._pool = source, heads, targets, pool
        self._cancel, self._report = cancel, report
        self._order = list(heads)
        self._places = {name: place for place, name in enumerate(self._order)}
        self._begun: dict[str, Future[npt.NDArray[Any]] | None] = {}  # None: taken
        self._total, self._done = sum(record.raw_bytes for record in heads.values()), 0

    def __contains__(self, name: object) -> bool:
        return name in self._heads

    def take(self, name: str) -> npt.NDArray[Any]:
        """A tensor, as `delta.apply` gives it. An unchanged one is the target itself: not to be written to."""
        self._cancel.check()
        place = self._places[name]
        for soon in self._order[place : place + 1 + WORKERS]:
            if soon not in self._begun:
                self._begun[soon] = self._pool.submit(rebuild_one, self._source, self._heads[soon], self._targets)
        future, self._begun[name] = self._begun[name], None
        assert future is not None, f"{name} is asked for a second time"
        array = future.result()
        self._done += self._heads[name].raw_bytes
        self._report(Progress("weights", self._done, self._total, "bytes"))
        return array
