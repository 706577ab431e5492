"""The ring buffer: order, overruns, discards, and two threads at once."""

from __future__ import annotations

import threading

import numpy as np
import pytest

from app.sound.ring import Ring


def ramp(start: int, count: int) -> np.ndarray:
    return np.arange(start, start + count, dtype=np.float32).reshape(-1, 1)


def test_what_goes_in_comes_out_across_the_edge() -> None:
    ring, at = Ring(7, 1), 0
    for count in (3, 4, 1, 7, 0, 5, 6):
        assert ring.write(ramp(at, count)) == count
        assert ring.filled == count
        np.testing.assert_array_equal(ring.read(), ramp(at, count))
        at += count
    assert ring.overruns == 0
    assert ring.written == ring.next_read == at


def test_channels_stay_apart() -> None:
    ring = Ring(4, 2)
    frames = np.array([[1, -1], [2, -2], [3, -3]], np.float32)
    ring.write(frames)
    np.testing.assert_array_equal(ring.read(), frames)


def test_what_does_not_fit_is_counted_and_what_was_there_stays() -> None:
    ring = Ring(5, 1)
    assert ring.write(ramp(0, 4)) == 4
    assert ring.write(ramp(4, 3)) == 1
    assert (ring.overruns, ring.lost, ring.free) == (1, 2, 0)
    assert ring.write(ramp(9, 2)) == 0
    assert (ring.overruns, ring.lost) == (2, 4)
    np.testing.assert_array_equal(ring.read(), ramp(0, 5))


def test_partial_reads_leave_the_rest() -> None:
    ring = Ring(8, 1)
    ring.write(ramp(0, 6))
    out = np.full((4, 1), -1, np.float32)
    assert ring.read_into(out) == 4
    assert ring.filled == 2
    assert ring.read_into(out) == 2
    np.testing.assert_array_equal(out[:, 0], [4, 5, 2, 3])


def test_discard_drops_what_was_written_and_nothing_after() -> None:
    ring = Ring(8, 1)
    ring.write(ramp(0, 5))
    assert ring.discard() == 5
    assert ring.filled == 0
    assert ring.next_read == 5
    assert ring.free == 3  # the reader may still be copying
    ring.catch_up()
    assert ring.free == 8
    ring.write(ramp(5, 3))
    np.testing.assert_array_equal(ring.read(), ramp(5, 3))


@pytest.mark.parametrize("capacity", [64, 1000])
def test_two_threads_lose_nothing(capacity: int) -> None:
    ring, total = Ring(capacity, 1), 40 * capacity
    generator = np.random.default_rng(0)

    def write() -> None:
        at = 0
        while at < total:
            count = min(int(generator.integers(1, 50)), total - at, ring.free)
            at += ring.write(ramp(at, count))

    writer = threading.Thread(target=write)
    writer.start()
    pieces, got = [], 0
    while got < total:
        piece = ring.read()
        pieces.append(piece)
        got += len(piece)
    writer.join()
    np.testing.assert_array_equal(np.concatenate(pieces), ramp(0, total))
    assert ring.overruns == 0
