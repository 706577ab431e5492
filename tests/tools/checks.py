"""The static checks, one list for `make check`, `make test` and the commit hooks.

python tests/tools/checks.py [NAME …]      all, or those named
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECKS = {
    "ruff": ("ruff", "check"),
    "ruff-format": ("ruff", "format", "--check"),
    "mypy": ("mypy",),
    "import-linter": ("lint-imports",),
}


def tool(name: str, root: Path = ROOT) -> Path:
    """A tool inside the project's virtual environment."""
    windows = os.name == "nt"
    return root / ".venv" / ("Scripts" if windows else "bin") / (f"{name}.exe" if windows else name)


def run_check(name: str, root: Path = ROOT) -> bool:
    """Run one check on the whole tree; True when it found nothing."""
    program, *arguments = CHECKS[name]
    path = tool(program)
    if not path.exists():
        print(
            f"{name}: {path} is not there; set it up with: python packaging/setup_env.py --test",
            file=sys.stderr,
        )
        return False
    done = subprocess.run([path, *arguments], cwd=root, capture_output=True, text=True, check=False)
    print(f"{name}: {'ok' if done.returncode == 0 else 'FAILED'}", flush=True)
    if done.returncode:
        print(done.stdout + done.stderr, flush=True)
    return done.returncode == 0


def main(names: list[str]) -> int:
    """Run the checks named, or all; 0 when none complains, 2 on a name that is no check."""
    unknown = [name for name in names if name not in CHECKS]
    if unknown:
        print(f"no such check: {', '.join(unknown)}; there are {', '.join(CHECKS)}", file=sys.stderr)
        return 2
    results = [run_check(name) for name in names or CHECKS]
    return 0 if all(results) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
