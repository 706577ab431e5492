"""torch, loaded so that a window keeps moving meanwhile, and set up once."""

from __future__ import annotations

import ctypes
import gc
import importlib
import importlib.util
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_HEAVY = {"linux": "libtorch_cpu.so", "darwin": "libtorch_cpu.dylib", "win32": "torch_cpu.dll"}


def load_engine() -> None:
    """Import torch and everything of the engine that needs it, so that the first real call finds it ready.

    From a worker thread, a window keeps moving meanwhile: no step of it holds the interpreter lock for long. The
    garbage collector rests during the imports and then leaves what was imported alone: walking through torch's
    objects takes a tenth of a second each time, with every thread waiting.
    """
    if "torch" not in sys.modules:
        _map_library()
    with _no_collection():
        import torch

        importlib.import_module("engine.model.model")
        choose_threads()
        torch.stft(torch.zeros(16), 16, window=torch.ones(16), return_complex=True)  # brings in the transform library


def usable_cores() -> int:
    """Those this process may run on, which may be fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


_limit: int | None = None


def limit_threads(count: int | None) -> None:
    """Compute with `count` threads, whatever a measurement would choose; None: as measured (see `threads.py`)."""
    global _limit
    _limit = count


def thread_limit() -> int | None:
    """What `limit_threads`, else `OMP_NUM_THREADS`, says; None where neither says anything."""
    if _limit is not None:
        return _limit
    said = os.environ.get("OMP_NUM_THREADS", "")
    return max(1, int(said)) if said.isdecimal() else None


def choose_threads() -> None:
    """Let torch compute on all cores but one until `threads.py` has measured, unless there is a limit.

    One is left for the window: where a core is busy elsewhere, every parallel step of torch waits for the thread that
    was put off it, and two threads are then slower than one.
    """
    import torch

    torch.set_num_threads(thread_limit() or max(1, usable_cores() - 1))


def release_memory() -> None:
    """Give what is no longer used back to the system, now rather than at the allocator's leisure."""
    gc.collect()
    if sys.platform == "linux":
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)  # glibc only
        if trim is not None:
            trim(0)


@contextmanager
def _no_collection() -> Iterator[None]:
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        if was_on:
            gc.enable()


def _map_library() -> None:
    """Let the system's loader bring in torch's largest library through a foreign call, which frees the lock.

    `import` holds the lock while it maps and relocates hundreds of megabytes, and a window would stand still.
    """
    found = importlib.util.find_spec("torch")
    if found is None or not found.submodule_search_locations:
        return
    library = Path(found.submodule_search_locations[0]) / "lib" / _HEAVY.get(sys.platform, "")
    if not library.is_file():
        return
    if os.name == "nt":
        load = ctypes.WinDLL("kernel32").LoadLibraryExW  # type: ignore[attr-defined,unused-ignore]
        load(str(library), None, 0x1000)  # LOAD_LIBRARY_SEARCH_DEFAULT_DIRS
    else:
        load = ctypes.CDLL(None).dlopen
        load.restype = ctypes.c_void_p
        load(str(library).encode(), os.RTLD_NOW | os.RTLD_GLOBAL)
