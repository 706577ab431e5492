"""Build the kernels in `engine/kernels` with the system's C compiler; also run when the project is installed.

    python packaging/build_kernels.py

Without a compiler (or on Windows, whose compiler lacks POSIX threads) nothing is built: the studio then computes with
torch's kernels, more slowly. Each file of `SETS` is compiled once for each instruction set; which one runs is decided
by the processor, when it runs. Standard library only, but for the class that hatchling looks for.
"""

from __future__ import annotations

import os
import platform
import runpy
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "engine" / "kernels"
LIBRARY = SOURCES / "_kernels.so"

# No contraction: a multiplication and an addition are fused where the source says so, for equal bits everywhere.
FLAGS = ["-O3", "-std=gnu11", "-fPIC", "-fvisibility=hidden", "-Wall", "-Wextra"]
FLAGS += ["-ffp-contract=off", "-fno-math-errno", "-fno-trapping-math"]
ONCE = ("kernels.c", "pool.c")
EACH = ("convolve.c", "products.c", "stack.c")
X86_SETS = {
    "avx512": ["-mavx512f", "-mavx512bw", "-mavx512vl", "-mavx512dq", "-mfma", "-mprefer-vector-width=512"],
    "avx2": ["-mavx2", "-mfma"],
}


def compiler() -> str | None:
    """The C compiler's name, `CC` first; None where none is or none will do."""
    if os.name == "nt":
        return None
    return next((name for name in (os.environ.get("CC"), "cc", "gcc", "clang") if name and shutil.which(name)), None)


def build(library: Path = LIBRARY) -> bool:
    """Make `library`, whole or not at all; False, with a line that says why, where it cannot be made."""
    cc = compiler()
    if cc is None:
        print("No C compiler was found: the engine will use torch's own kernels, which are slower.", file=sys.stderr)
        return False
    sets: dict[str, list[str]] = {"plain": []}
    if platform.machine().lower() in ("x86_64", "amd64"):
        sets |= X86_SETS
    with tempfile.TemporaryDirectory() as folder:
        stamped = [f'-DSTAMP="{_stamp()}"']
        jobs = [(SOURCES / name, stamped, Path(folder, f"{name}.o")) for name in ONCE]
        jobs += [
            (SOURCES / name, [*flags, f"-DSET=_{chosen}"], Path(folder, f"{name}.{chosen}.o"))
            for name in EACH
            for chosen, flags in sets.items()
        ]
        commands = [[cc, *FLAGS, *flags, "-c", str(source), "-o", str(out)] for source, flags, out in jobs]
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            done = all(pool.map(_runs, commands))
        made = Path(folder, library.name)
        done = done and _runs([cc, "-shared", *(str(out) for *_, out in jobs), "-pthread", "-lm", "-o", str(made)])
        if done:
            shutil.move(made, fresh := library.with_suffix(f".{os.getpid()}"))
            fresh.replace(library)  # a program that has the old one open keeps it
    if not done:
        print(f"{cc} could not build the kernels (its words are above): the engine will use torch's.", file=sys.stderr)
    return done


def _stamp() -> str:
    """See engine/kernels/stamp.py; run alone, since the engine's packages may not be installed yet."""
    return str(runpy.run_path(str(SOURCES / "stamp.py"))["stamp"]())


def _runs(command: list[str]) -> bool:
    return subprocess.run(command, check=False).returncode == 0


try:
    from hatchling.builders.hooks.plugin.interface import BuildHookInterface
except ImportError:  # run by hand
    pass
else:

    class CustomBuildHook(BuildHookInterface):  # type: ignore[misc]
        """Builds before the wheel is packed; with a library in it, the wheel is for this kind of computer."""

        def initialize(self, version: str, build_data: dict[str, Any]) -> None:
            if self.target_name == "wheel" and build():
                build_data["pure_python"] = False
                build_data["tag"] = f"py3-none-{_platform_tag()}"

    def _platform_tag() -> str:
        import sysconfig

        return sysconfig.get_platform().replace("-", "_").replace(".", "_")


if __name__ == "__main__":
    sys.exit(0 if build() else 1)
