"""Where the studio keeps a person's things; `QVOICE_HOME` in the environment overrides every place."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

import platformdirs

import engine


@dataclass(frozen=True)
class Paths:
    """Four roots and the places below them. Nothing is created here: who writes a file makes its folder."""

    data: Path
    config: Path
    logs: Path
    cache: Path

    @property
    def database(self) -> Path:
        return self.data / "library.sqlite3"

    @property
    def voices(self) -> Path:
        """Voice files of the library, each named after its voice."""
        return self.data / "voices"

    @property
    def trash(self) -> Path:
        """Voice files of deleted voices, until they are purged."""
        return self.data / "trash"

    @property
    def previews(self) -> Path:
        """One short sound a voice, played from the library."""
        return self.data / "previews"

    @property
    def takes(self) -> Path:
        return self.data / "takes"

    @property
    def recordings(self) -> Path:
        return self.data / "recordings"

    @property
    def settings_file(self) -> Path:
        return self.config / "settings.json"


def paths() -> Paths:
    """The places of this person on this system, or those below `QVOICE_HOME` if that is set."""
    home = os.environ.get("QVOICE_HOME")
    if home:
        root = Path(home).expanduser().absolute()
        return Paths(root / "data", root / "config", root / "logs", engine.cache_folder())
    places = platformdirs.PlatformDirs(engine.APPLICATION, appauthor=False)
    return Paths(places.user_data_path, places.user_config_path, places.user_log_path, engine.cache_folder())
