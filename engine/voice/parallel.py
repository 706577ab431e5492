"""Work on many tensors with several threads, its results in order and few of them waiting."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")

WORKERS = min(4, os.cpu_count() or 1)  # lz4 and numpy free the interpreter lock; more cores than that wait for memory


def in_order(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
    """`work` of each item, one more at work than there are threads, so that memory is bounded and no thread waits.

    What one raises is raised here, in its turn; what was not begun by then is left.
    """
    left = iter(items)
    pool = ThreadPoolExecutor(WORKERS, "wdelta")
    try:
        waiting: deque[Future[Result]] = deque(pool.submit(work, item) for item in islice(left, WORKERS + 1))
        while waiting:
            result = waiting.popleft().result()
            waiting.extend(pool.submit(work, item) for item in islice(left, 1))
            yield result
            del result  # the caller may be done with it
    finally:
        pool.shutdown(cancel_futures=True)
