"""Which version of the program this is."""

from __future__ import annotations

from importlib import metadata


def version() -> str:
    """The installed version, such as "0.1.0"; "" where the program runs from a folder that was never installed."""
    try:
        return metadata.version("qvoice-studio")
    except metadata.PackageNotFoundError:
        return ""
