"""Talker and code predictor on an NVIDIA GPU, each step captured once and then launched whole.

A frame is some thousand small kernels; launching them one by one takes longer than computing them. A captured step
reads and writes fixed memory: the talker's keys and values lie in a `StaticCache` of fixed size, whose unused rows are
masked, and the predictor's fifteen steps, whose lengths never change, have a graph each. Codes are drawn on the CPU
between them, as everywhere.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from engine.model.code_predictor import CodePredictor, Pick
from engine.model.layers import KeyValueCache, StaticCache
from engine.model.talker import Talker

Pool = Any  # what torch.cuda.graph_pool_handle gives: memory that all graphs share

_LEAST_ROWS = 256
_WARM_UPS = 3  # before a capture, so that libraries have made what they keep
_log = logging.getLogger(__name__)


class Graph:
    """A function of no arguments over fixed tensors, captured; `out` holds what it gave after each `replay`."""

    def __init__(self, work: Callable[[], Tensor], pool: Pool) -> None:
        side = torch.cuda.Stream()  # type: ignore[no-untyped-call]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            for _ in range(_WARM_UPS):
                work()
        torch.cuda.current_stream().wait_stream(side)
        self._graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self._graph, pool=pool):
            self.out = work()

    def replay(self) -> Tensor:
        self._graph.replay()
        return self.out


class TalkerSteps:
    """The talker one row after the other, for one stream at a time."""

    def __init__(self, talker: Talker, pool: Pool) -> None:
        self._talker, self._pool = talker, pool
        like = talker.model.norm.weight
        self._row = like.new_zeros(1, 1, talker.config.hidden_size)
        self._sized: dict[int, tuple[StaticCache, Graph]] = {}
        self._from: KeyValueCache | None = None  # the stream whose rows are in the static cache
        self._length = 0

    def capture(self) -> None:
        """Capture the smallest size now, so that what cannot be is known before a stream has begun."""
        self._of_size(1)

    def step(self, row: Tensor, cache: KeyValueCache) -> Tensor:
        """The state [1, width] after `row` [width], of the stream whose prompt is in `cache`. Rows after the prompt are
        kept here alone: a stream goes on by steps, and no other comes between."""
        if cache is not self._from:
            self._from, self._length = cache, cache.length
            static, graph = self._of_size(self._length + 1)
            static.load(cache)
        else:
            before = self._of_size(self._length)[0]
            static, graph = self._of_size(self._length + 1)
            if static is not before:
                static.copy_from(before, self._length)
        static.place(self._length)
        self._row.copy_(row[None, None])
        self._length += 1
        return graph.replay()[:, -1].clone()

    def _of_size(self, rows: int) -> tuple[StaticCache, Graph]:
        capacity = max(_LEAST_ROWS, 1 << (rows - 1).bit_length())
        if capacity not in self._sized:
            cache = StaticCache(self._talker.config, capacity, self._row)
            self._sized[capacity] = (cache, Graph(lambda: self._talker(self._row, cache), self._pool))
        return self._sized[capacity]


class PredictorSteps:
    """A frame's codes 1 .. 15, for one stream at a time; as `CodePredictor.forward`."""

    def __init__(self, predictor: CodePredictor, width: int, pool: Pool) -> None:
        like = predictor.model.norm.weight
        self._rows = like.new_zeros(1, 2, width)
        self._code = torch.zeros(1, dtype=torch.int64, device=like.device)
        cache = predictor.new_cache(1)
        self._graphs = [Graph(self._step(predictor, cache, place), pool) for place in range(len(predictor.lm_head))]
        self._tables = list(predictor.model.codec_embedding)

    def _step(self, predictor: CodePredictor, cache: KeyValueCache, place: int) -> Callable[[], Tensor]:
        head, table = predictor.lm_head[place], predictor.model.codec_embedding[place - 1]

        def work() -> Tensor:
            cache.length = 0 if place == 0 else place + 1
            rows = self._rows if place == 0 else table(self._code)[:, None]
            state = predictor.model(predictor.small_to_mtp_projection(rows), cache)
            return head(state[:, -1])  # type: ignore[no-any-return]

        return work

    def __call__(self, hidden: Tensor, first_row: Tensor, pick: Pick) -> tuple[Tensor, Tensor]:
        self._rows.copy_(torch.stack((hidden, first_row), dim=1))
        codes, total = [], torch.zeros_like(first_row)
        for graph, table in zip(self._graphs, self._tables, strict=True):
            code = pick(graph.replay())
            self._code.copy_(code)
            total = total + table(self._code)
            codes.append(code)
        return torch.stack(codes, dim=1), total


class Graphs:
    """Both, captured when they are first needed. Where capturing fails everything goes on as without it."""

    def __init__(self, talker: Talker, predictor: CodePredictor) -> None:
        self._talker, self._predictor = talker, predictor
        self._steps: tuple[TalkerSteps, PredictorSteps] | None = None
        self._failed = False

    def steps(self) -> tuple[TalkerSteps, PredictorSteps] | None:
        """None off NVIDIA GPUs."""
        if self._steps is None and not self._failed and self._talker.model.norm.weight.is_cuda:
            pool = torch.cuda.graph_pool_handle()
            try:
                width = self._talker.config.hidden_size
                talker = TalkerSteps(self._talker, pool)
                talker.capture()
                self._steps = (talker, PredictorSteps(self._predictor, width, pool))
            except RuntimeError as error:  # a driver or a library that cannot
                self._failed = True
                _log.warning("Steps cannot be captured on this GPU and are launched one by one: %s", error)
        return self._steps
