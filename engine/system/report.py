"""What a bug report needs to say of a computer, without the person's name or folders."""

from __future__ import annotations

import getpass
import importlib.metadata
import os
import platform
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

from engine import kernels
from engine.system.memory import memory_bytes
from engine.version import version

Facts = dict[str, str]  # what it is called -> what it is, both as shown

_PACKAGES: Final = ("torch", "numpy", "safetensors", "tokenizers", "soundfile", "PySide6-Essentials", "sounddevice")
_FLAGS: Final = ("avx2", "fma", "f16c", "avx512f", "avx512_vnni", "avx_vnni", "amx_int8", "neon", "asimd")
_GB: Final = 1e9


def describe_system() -> Facts:
    """Processor, memory, versions, and the GPU where torch is loaded already: it is not loaded for this."""
    memory = memory_bytes()
    facts = {
        "QVoice Studio": version() or "(not installed)",
        "System": f"{platform.system()} {platform.release()} ({platform.machine()})",
        "Python": platform.python_version(),
        "Processor": _processor_name(),
        "Cores": str(os.cpu_count() or 1),
        "Instructions": ", ".join(_instructions()) or "not told by this system",
        "Memory": f"{memory.total / _GB:.1f} GB, {memory.available / _GB:.1f} GB free",
        **_torch_facts(),
    }
    for package in _PACKAGES:
        with suppress(importlib.metadata.PackageNotFoundError):
            facts[package] = importlib.metadata.version(package)
    return facts


def without_person(text: str) -> str:
    """`text` with the person's home folder and name taken out."""
    home = str(Path.home())
    for place in {home, home.replace("\\", "/")}:
        if len(place) > 1:
            text = text.replace(place, "~")
    with suppress(OSError, KeyError, ImportError):
        name = getpass.getuser()
        if len(name) > 2 and name != "root":
            text = text.replace(name, "(name)")
    return text


def _torch_facts() -> Facts:
    torch = sys.modules.get("torch")
    if torch is None:
        return {"GPU": "not looked at: the engine is not loaded"}
    gpu = "none that torch can use"
    if torch.cuda.is_available():
        gpu = f"{torch.cuda.get_device_name(0)}, {torch.cuda.get_device_properties(0).total_memory / _GB:.0f} GB"
    elif torch.backends.mps.is_available():
        gpu = "Apple GPU"
    built = kernels.instructions() if kernels.available() else "not built here: torch's, which are slower"
    return {"GPU": gpu, "Kernels": built, "Threads": str(torch.get_num_threads())}


def _processor_name() -> str:
    for line in _cpu_lines():
        if line.lower().startswith("model name"):
            return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()


def _instructions() -> list[str]:
    for line in _cpu_lines():
        if line.lower().startswith(("flags", "features")):
            there = set(line.partition(":")[2].split())
            return [name for name in _FLAGS if name in there]
    return []


def _cpu_lines() -> list[str]:
    try:
        return Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace").splitlines()[:60]
    except OSError:
        return []
