"""torch, loaded so that a window keeps moving meanwhile, and set up once."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import sys
import warnings
from pathlib import Path
from typing import Any

_HEAVY = {"linux": "libtorch_cpu.so", "darwin": "libtorch_cpu.dylib", "win32": "torch_cpu.dll"}


def load_torch() -> Any:
    """Import torch. From a worker thread, most of its loading happens without holding the interpreter lock."""
    if "torch" not in sys.modules:
        _map_library()
    import torch

    warnings.filterwarnings("ignore", message="The given NumPy array is not writable")
    return torch


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
