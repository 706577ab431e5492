"""Where what can be computed again is kept for this person; `QVOICE_HOME` in the environment overrides it."""

from __future__ import annotations

import os
from pathlib import Path

APPLICATION = "QVoice Studio" if os.name == "nt" else "qvoice-studio"


def cache_folder() -> Path:
    """The person's cache folder, the window's and the command line's alike. It is not created here."""
    home = os.environ.get("QVOICE_HOME")
    if home:
        return Path(home).expanduser().absolute() / "cache"
    import platformdirs

    return platformdirs.PlatformDirs(APPLICATION, appauthor=False).user_cache_path


def pair_cache(cache: Path | None = None) -> Path:
    """Where what depends on a pair of models is kept, in `cache` or the person's own."""
    return (cache or cache_folder()) / "pairs"


def packed_cache() -> Path:
    """Where weights packed in fewer bits are kept."""
    return cache_folder() / "packed"


def models_folder() -> Path:
    """Where fetched models are kept, the window's and the command line's alike. It is not created here."""
    home = os.environ.get("QVOICE_HOME")
    if home:
        return Path(home).expanduser().absolute() / "data" / "models"
    import platformdirs

    return platformdirs.PlatformDirs(APPLICATION, appauthor=False).user_data_path / "models"
