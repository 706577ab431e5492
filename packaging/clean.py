"""Remove what builds and checks leave behind; `.venv` (costly) and `out/` (a person's) stay."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (
    "build",
    "dist",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    ".import_linter_cache",
)
KEPT = {".venv", ".git", "out"}


def clean(root: Path) -> list[Path]:
    """Delete build and cache folders below `root`; returns those that were there."""
    found = [root / name for name in FOLDERS if (root / name).is_dir()]
    for folder in (path for path in root.iterdir() if path.is_dir() and path.name not in KEPT):
        found += [path for path in (folder, *folder.rglob("__pycache__")) if path.name == "__pycache__"]
    for path in found:
        shutil.rmtree(path)
    return found


if __name__ == "__main__":
    print(f"removed {len(clean(ROOT))} folders")
    sys.exit(0)
