"""A measuring process: `python -m engine.bench.worker SETTINGS`, one question a line in, one line of JSON out."""

from __future__ import annotations

import json
import os
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any


def main() -> None:
    """Load what SETTINGS (JSON: folder, precision, text, frames, cores, official) say; answer until input ends."""
    settings = json.loads(sys.argv[1])
    _hold_to(settings["cores"])
    answers = sys.stdout
    with redirect_stdout(sys.stderr):  # what libraries print is no answer
        subject = _subject(settings)
        _say(answers, subject.loaded | {"loaded_gb": _memory_gb()})
        for line in sys.stdin:
            _say(answers, getattr(subject, line.strip())() | {"peak_gb": _peak_gb()})


def _subject(settings: dict[str, Any]) -> Any:
    folder, text, frames = Path(settings["folder"]), settings["text"], settings["frames"]
    if settings["official"]:
        from engine.bench.official import Official

        return Official(folder, text, frames, settings["cores"])
    from engine.bench.own import Own

    return Own(folder, settings["precision"], text, frames)


def _hold_to(cores: int) -> None:
    """Only so many cores are there for this process, where the system lets one say so."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])


def _say(answers: Any, figures: dict[str, Any]) -> None:
    print(json.dumps(figures), file=answers, flush=True)


def _memory_gb() -> float:
    import psutil

    return float(psutil.Process().memory_info().rss) / 1e9


def _peak_gb() -> float:
    """The most memory this process has had, mapped files of it included."""
    try:
        import resource
    except ImportError:  # Windows
        import psutil

        return float(psutil.Process().memory_info().peak_wset) / 1e9
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e9


if __name__ == "__main__":
    main()
