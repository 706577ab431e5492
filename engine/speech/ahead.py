"""Frames are made in a thread of their own while what is there already becomes sound on another core."""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator
from queue import SimpleQueue
from typing import TypeVar

import torch

T = TypeVar("T")


class _End:
    """Comes after the last item; with what went wrong, if something did."""

    def __init__(self, error: BaseException | None = None) -> None:
        self.error = error


def ahead(items: Iterator[T], room: int) -> Generator[T]:
    """`items`, made in a thread, at most `room` of them before they are taken. Nothing starts before the first is.

    What goes wrong there is raised here, after the items made before. Closing the iterator ends the thread as soon
    as the item in work is done, and waits for it.
    """
    made: SimpleQueue[T | _End] = SimpleQueue()
    free, stopped = threading.Semaphore(room), threading.Event()
    thread = threading.Thread(target=_make, args=(items, made, free, stopped), name="frames", daemon=True)
    thread.start()
    try:
        while not isinstance(item := made.get(), _End):
            free.release()
            yield item
        if item.error is not None:
            raise item.error
    finally:
        stopped.set()
        free.release()
        thread.join()


def _make(items: Iterator[T], made: SimpleQueue[T | _End], free: threading.Semaphore, stopped: threading.Event) -> None:
    try:
        with torch.inference_mode():  # a setting of each thread
            free.acquire()
            for item in items:
                made.put(item)
                free.acquire()
                if stopped.is_set():
                    return
        made.put(_End())
    except BaseException as error:  # noqa: BLE001 - raised where the items are taken
        made.put(_End(error))
