"""What a library was built from. Standard library only: the build runs this file before anything is installed."""

from __future__ import annotations

import hashlib
from pathlib import Path


def stamp() -> str:
    """A digest of the C files beside this one; "" where they are not shipped."""
    sources = sorted(Path(__file__).parent.glob("*.[ch]"))
    hasher = hashlib.sha256()
    for source in sources:
        hasher.update(source.name.encode() + b"\n" + source.read_bytes())
    return hasher.hexdigest()[:16] if sources else ""
