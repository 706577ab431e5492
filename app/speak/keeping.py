"""Writing what must not be lost, in the file lane or, when that is closing, at once."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import engine

if TYPE_CHECKING:
    from app.work import Job, Lane


def keep(lane: Lane, write: Callable[[], object], label: str, on_error: Callable[[Exception], object]) -> Job:
    """Run `write` in the file lane; if the lane is being closed, here and now, for it must not be lost."""

    def write_here() -> None:
        try:
            write()
        except (engine.QVoiceError, OSError) as error:
            on_error(error)

    job = lane.submit(lambda _: write(), label)
    if job.task.cancel.cancelled:  # the lane is closed already
        write_here()
        return job
    job.failed.connect(on_error)
    job.cancelled.connect(write_here)
    return job
