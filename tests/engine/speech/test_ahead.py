"""Items made ahead of their use, in a thread."""

import threading
from collections.abc import Iterator
from contextlib import closing

import pytest
import torch

from engine.speech.ahead import ahead


def test_all_items_come_in_order() -> None:
    assert list(ahead(iter(range(100)), 3)) == list(range(100))


def test_no_more_are_made_than_there_is_room_for() -> None:
    made = threading.Semaphore(0)
    count = 0

    def items() -> Iterator[int]:
        nonlocal count
        for item in range(50):
            count += 1
            made.release()
            yield item

    with closing(ahead(items(), 4)) as found:
        assert next(found) == 0
        for _ in range(5):  # the one taken and four more
            assert made.acquire(timeout=10)
        assert count == 5
        assert next(found) == 1


def test_what_goes_wrong_is_raised_after_the_items_before_it() -> None:
    def items() -> Iterator[int]:
        yield 1
        yield 2
        raise ValueError("the third")

    found = ahead(items(), 8)
    assert [next(found), next(found)] == [1, 2]
    with pytest.raises(ValueError, match="the third"):
        next(found)


def test_closing_ends_the_thread_though_items_never_end() -> None:
    def items() -> Iterator[int]:
        while True:
            yield 1

    before = threading.active_count()
    found = ahead(items(), 2)
    next(found)
    assert threading.active_count() == before + 1
    found.close()
    assert threading.active_count() == before


def test_an_iterator_never_asked_starts_no_thread() -> None:
    before = threading.active_count()
    ahead(iter(()), 2)
    assert threading.active_count() == before


def test_items_are_made_without_a_graph_for_gradients() -> None:
    weight = torch.nn.Parameter(torch.ones(2))
    (found,) = ahead((weight * 2 for _ in range(1)), 1)
    assert found.is_inference()
